// Writes the matrices of a structure:
//   generate frame --bays 6x4 --storeys 50 --out tower
//   generate brick --elements 20x5x5 --size 4x1x1 --out beam
// or the mesh of a solid:
//   generate mesh --kind tetrahedron10 --elements 20x5x5 --size 4x1x1 --out beam.msh
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "brick.hpp"
#include "frame.hpp"
#include "mesh.hpp"
#include "write.hpp"

int main(int argc, char** argv) {
  CLI::App app("Matrices of structures for Actio: M.mtx, S.mtx, and ground.csv with the motion that goes with the ground's");
  app.require_subcommand(1);
  std::string out = ".";
  bool fixed = false;
  const auto common = [&](CLI::App* command) {
    command->add_option("--out", out, "folder to write to")->capture_default_str();
    command->add_flag("--keep-supports", fixed, "keep the coordinates that are clamped, marked in ground.csv");
  };

  models::Frame frame;
  std::vector<int> bays{frame.bays_x, frame.bays_y};
  CLI::App* building = app.add_subcommand("frame", "a building of steel columns and beams, clamped to the ground");
  building->add_option("--bays", bays, "bays in x and y")->delimiter('x')->expected(2);
  building->add_option("--storeys", frame.storeys, "storeys")->capture_default_str();
  building->add_option("--members", frame.members, "elements a beam or column is divided into")->capture_default_str();
  building->add_option("--bay", frame.bay, "span of a beam [m]")->capture_default_str();
  building->add_option("--storey", frame.storey, "height of a storey [m]")->capture_default_str();
  building->add_option("--floor", frame.floor, "mass of the floors [kg/m^2]")->capture_default_str();
  common(building);

  models::Brick brick;
  std::vector<int> elements{10, 10, 10};
  std::vector<double> size{1, 1, 1};
  CLI::App* block = app.add_subcommand("brick", "a block of 8-node hexahedra, clamped at x = 0");
  block->add_option("--elements", elements, "elements in x, y, z")->delimiter('x')->expected(3);
  block->add_option("--size", size, "edges [m]")->delimiter('x')->expected(3);
  block->add_option("--E", brick.E, "Young's modulus [Pa]")->capture_default_str();
  block->add_option("--nu", brick.nu, "Poisson's ratio")->capture_default_str();
  block->add_option("--rho", brick.rho, "density [kg/m^3]")->capture_default_str();
  common(block);

  std::string kind = "tetrahedron4", file = "block.msh";
  CLI::App* mesh = app.add_subcommand("mesh", "the mesh of a block, with groups solid, x0, x1, y0, y1, z0, z1");
  mesh->add_option("--kind", kind, "tetrahedron4, tetrahedron10, hexahedron8, hexahedron20 or hexahedron27")
      ->capture_default_str();
  mesh->add_option("--elements", elements, "boxes in x, y, z, of one hexahedron or six tetrahedra")->delimiter('x')->expected(3);
  mesh->add_option("--size", size, "edges [m]")->delimiter('x')->expected(3);
  mesh->add_option("--out", file, "file to write, in Gmsh's format 2.2")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  try {
    const models::Supports supports = fixed ? models::Supports::listed : models::Supports::left_out;
    frame.supports = brick.supports = supports;
    frame.bays_x = bays[0];
    frame.bays_y = bays[1];
    for (std::size_t k = 0; k < 3; ++k) {
      brick.elements[k] = elements[k];
      brick.size[k] = size[k];
    }
    if (*mesh) {
      models::Block solid{models::kind_named(kind), brick.elements, brick.size};
      const auto made = mesh_of(solid);
      models::write_msh(made, file);
      fmt::print("{}: {} nodes, {} elements\n", file, made.points.cols(), made.blocks.front().size());
      return 0;
    }
    const models::Structure structure = *building ? make(frame) : make(brick);
    write(structure, out);
    fmt::print("{}/M.mtx, {}/S.mtx, {}/ground.csv: {} nodes, {} coordinates, {} entries\n", out, out, out, structure.nodes.size(),
               structure.size(), structure.mass.nonZeros());
    return 0;
  } catch (const std::invalid_argument& e) {
    fmt::print(stderr, "generate: error: {}\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "generate: error: {}\n", e.what());
    return 1;
  }
}
