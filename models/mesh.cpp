#include "mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <Eigen/LU>

#include <actio/system/finite_elements.hpp>

namespace models {
namespace {

using actio::system::Cell;
using Place = Eigen::Vector3i;  // in half edges of a box

bool is_tetrahedron(Cell kind) { return kind == Cell::tetrahedron4 || kind == Cell::tetrahedron10; }

Cell linear_of(Cell kind) {
  return is_tetrahedron(kind)                                 ? Cell::tetrahedron4
         : actio::system::dimension_of(kind) == 3             ? Cell::hexahedron8
         : kind == Cell::triangle3 || kind == Cell::triangle6 ? Cell::triangle3
                                                              : Cell::quadrilateral4;
}

Cell face_of(Cell kind) {
  switch (kind) {
    case Cell::tetrahedron4:
      return Cell::triangle3;
    case Cell::tetrahedron10:
      return Cell::triangle6;
    case Cell::hexahedron8:
      return Cell::quadrilateral4;
    case Cell::hexahedron20:
      return Cell::quadrilateral8;
    case Cell::hexahedron27:
      return Cell::quadrilateral9;
    default:
      throw std::invalid_argument("a block is made of tetrahedra or hexahedra");
  }
}

// The corners of each face, seen from outside against the clock.
std::vector<std::vector<long>> faces_of(Cell kind) {
  if (is_tetrahedron(kind)) return {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}};
}

// The corners of the cells of a box of edge 2 at the origin.
std::vector<std::vector<Place>> cells_of_box(Cell kind) {
  std::vector<std::vector<Place>> out;
  if (is_tetrahedron(kind)) {
    std::array<int, 3> axes{0, 1, 2};
    do {
      std::vector<Place> corners{Place::Zero()};
      for (const int axis : axes) corners.push_back(corners.back() + 2 * Place::Unit(axis));
      Eigen::Matrix3i edges;
      for (int k = 0; k < 3; ++k) edges.col(k) = corners[static_cast<std::size_t>(k) + 1] - corners[0];
      if (edges.cast<double>().determinant() < 0) std::swap(corners[1], corners[2]);
      out.push_back(corners);
    } while (std::next_permutation(axes.begin(), axes.end()));
    return out;
  }
  const Eigen::Matrix3Xd corners = actio::system::reference_nodes(Cell::hexahedron8);
  for (auto& cell = out.emplace_back(); cell.size() < 8;)
    cell.emplace_back(corners.col(static_cast<long>(cell.size())).cast<int>() + Place::Ones());
  return out;
}

class Lattice {
 public:
  explicit Lattice(const Block& block) : block_(block) {
    double nodes = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      if (block.elements[k] < 1 || !(block.size[k] > 0))
        throw std::invalid_argument("a block has at least one element, and a positive length, in each direction");
      nodes *= 2.0 * block.elements[k] + 1;
    }
    if (nodes > 7e8) throw std::invalid_argument("a block of more than 2^31 coordinates");
    node_.assign(static_cast<std::size_t>(nodes), -1);
  }
  // The nodes of a cell with these corners.
  void add(Cell kind, const std::vector<Place>& corners, std::vector<std::int32_t>& nodes) {
    const Eigen::Matrix3Xd xi = actio::system::reference_nodes(kind);
    for (long a = 0; a < xi.cols(); ++a) {
      const Eigen::VectorXd N = actio::system::shape_at(linear_of(kind), xi.col(a)).N;
      Eigen::Vector3d at = Eigen::Vector3d::Zero();
      for (std::size_t b = 0; b < corners.size(); ++b) at += N[static_cast<long>(b)] * corners[b].cast<double>();
      nodes.push_back(node_at(at.array().round().matrix().cast<int>()));
    }
  }
  // The side all these places are on: 0 of X = 0, 1 of X = size, 2 of Y = 0, ...; -1 inside.
  int side(const std::vector<Place>& corners) const {
    for (int k = 0; k < 6; ++k) {
      const int at = k % 2 == 0 ? 0 : 2 * block_.elements[static_cast<std::size_t>(k / 2)];
      if (std::ranges::all_of(corners, [&](const Place& p) { return p[k / 2] == at; })) return k;
    }
    return -1;
  }
  Eigen::Matrix3Xd points() const {
    return Eigen::Map<const Eigen::Matrix3Xd>(places_.data(), 3, static_cast<long>(places_.size()) / 3);
  }

 private:
  std::int32_t node_at(const Place& p) {
    const auto n = [&](std::size_t k) { return static_cast<std::size_t>(2 * block_.elements[k] + 1); };
    const std::size_t at =
        (static_cast<std::size_t>(p[2]) * n(1) + static_cast<std::size_t>(p[1])) * n(0) + static_cast<std::size_t>(p[0]);
    if (node_[at] < 0) {
      node_[at] = static_cast<std::int32_t>(places_.size() / 3);
      for (std::size_t k = 0; k < 3; ++k) places_.push_back(block_.size[k] * p[static_cast<long>(k)] / (2 * block_.elements[k]));
    }
    return node_[at];
  }
  const Block& block_;
  std::vector<std::int32_t> node_;
  std::vector<double> places_;
};

int gmsh_type(Cell kind) {
  switch (kind) {
    case Cell::triangle3:
      return 2;
    case Cell::quadrilateral4:
      return 3;
    case Cell::tetrahedron4:
      return 4;
    case Cell::hexahedron8:
      return 5;
    case Cell::triangle6:
      return 9;
    case Cell::quadrilateral9:
      return 10;
    case Cell::tetrahedron10:
      return 11;
    case Cell::hexahedron27:
      return 12;
    case Cell::quadrilateral8:
      return 16;
    case Cell::hexahedron20:
      return 17;
    default:
      throw std::runtime_error("no faces, tetrahedra or hexahedra");
  }
}

// The node of VTK's order that Gmsh has at each place.
std::vector<std::size_t> gmsh_order(Cell kind) {
  if (kind == Cell::tetrahedron10) return {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
  if (kind == Cell::hexahedron20) return {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 9, 17, 10, 18, 19, 12, 15, 13, 14};
  if (kind == Cell::hexahedron27)
    return {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 9, 17, 10, 18, 19, 12, 15, 13, 14, 24, 22, 20, 21, 23, 25, 26};
  std::vector<std::size_t> out(static_cast<std::size_t>(actio::system::nodes_of(kind)));
  for (std::size_t a = 0; a < out.size(); ++a) out[a] = a;
  return out;
}

}  // namespace

Cell kind_named(const std::string& name) {
  for (const Cell kind : {Cell::tetrahedron4, Cell::tetrahedron10, Cell::hexahedron8, Cell::hexahedron20, Cell::hexahedron27})
    if (actio::system::name_of(kind) == name) return kind;
  throw std::invalid_argument(fmt::format("\"{}\" is no tetrahedron or hexahedron", name));
}

actio::system::Mesh mesh_of(const Block& block) {
  const Cell face = face_of(block.kind);
  Lattice lattice(block);
  actio::system::Mesh mesh;
  mesh.blocks = {{block.kind, {}}, {face, {}}};
  mesh.groups = {{"solid", 3, {}}, {"x0", 2, {}}, {"x1", 2, {}}, {"y0", 2, {}}, {"y1", 2, {}}, {"z0", 2, {}}, {"z1", 2, {}}};
  const auto box = cells_of_box(block.kind);
  const auto faces = faces_of(block.kind);
  const auto [nx, ny, nz] = block.elements;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        for (std::vector<Place> corners : box) {
          for (Place& p : corners) p += 2 * Place(i, j, k);
          mesh.groups[0].cells.emplace_back(0, static_cast<std::int32_t>(mesh.blocks[0].size()));
          lattice.add(block.kind, corners, mesh.blocks[0].nodes);
          for (const auto& of : faces) {
            std::vector<Place> at;
            for (const long a : of) at.push_back(corners[static_cast<std::size_t>(a)]);
            const int side = lattice.side(at);
            if (side < 0) continue;
            mesh.groups[static_cast<std::size_t>(side) + 1].cells.emplace_back(1,
                                                                               static_cast<std::int32_t>(mesh.blocks[1].size()));
            lattice.add(face, at, mesh.blocks[1].nodes);
          }
        }
  mesh.points = lattice.points();
  return mesh;
}

void write_msh(const actio::system::Mesh& mesh, const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", path));
  std::string out = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{}\n", mesh.groups.size());
  for (std::size_t g = 0; g < mesh.groups.size(); ++g)
    out += fmt::format("{} {} \"{}\"\n", mesh.groups[g].dimension, g + 1, mesh.groups[g].name);
  out += fmt::format("$EndPhysicalNames\n$Nodes\n{}\n", mesh.points.cols());
  for (long a = 0; a < mesh.points.cols(); ++a)
    out += fmt::format("{} {} {} {}\n", a + 1, mesh.points(0, a), mesh.points(1, a), mesh.points(2, a));
  std::size_t cells = 0, number = 0;
  for (const auto& group : mesh.groups) cells += group.cells.size();
  out += fmt::format("$EndNodes\n$Elements\n{}\n", cells);
  for (std::size_t g = 0; g < mesh.groups.size(); ++g)
    for (const auto& cell : mesh.groups[g].cells) {
      const Cell kind = actio::system::kind_of(mesh, cell);
      out += fmt::format("{} {} 2 {} {}", ++number, gmsh_type(kind), g + 1, g + 1);
      for (const std::size_t a : gmsh_order(kind)) out += fmt::format(" {}", actio::system::nodes_of(mesh, cell)[a] + 1);
      out += '\n';
    }
  out += "$EndElements\n";
  if (std::fwrite(out.data(), 1, out.size(), file.get()) != out.size())
    throw std::runtime_error(fmt::format("cannot write {}", path));
}

}  // namespace models
