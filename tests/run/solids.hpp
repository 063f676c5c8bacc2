#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <actio/io/mesh.hpp>
#include <actio/run/trajectory.hpp>
#include <actio/system/materials.hpp>
#include <actio/system/mesh.hpp>
#include <actio/system/solid.hpp>
#include <folder.hpp>

// Solids to be shown, and what is in a file that shows them.
namespace actio::run::test {

using Eigen::VectorXd;
namespace fs = std::filesystem;

using Folder = actio::test::TemporaryFolder;

inline std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Two solids behind a coordinate that is of neither: a beam of hexahedra of 27 nodes with groups, and a tetrahedron.
struct Solids {
  std::shared_ptr<const system::Mesh> beam =
      std::make_shared<system::Mesh>(io::read_mesh("tests/data/meshes/hex27_41_binary.msh"));
  std::shared_ptr<const system::Mesh> single = [] {
    system::Mesh mesh;
    mesh.points = Eigen::Matrix3Xd::Identity(3, 4);
    mesh.blocks = {{system::Cell::tetrahedron4, {3, 0, 1, 2}}};
    mesh.groups = {{"a <b> & \"c\"", 3, {{0, 0}}}, {"steel", 3, {{0, 0}}}};
    return std::make_shared<const system::Mesh>(std::move(mesh));
  }();
  long n = 0;

  Solids() : n(1 + beam->points.size() + single->points.size()) {}
  explicit Solids(std::shared_ptr<const system::Mesh> other)
      : beam(std::move(other)), n(1 + beam->points.size() + single->points.size()) {}

  run::TrajectoryHeader header() const {
    run::TrajectoryHeader h;
    h.solids = {{"beam", beam, 1}, {"single", single, 1 + beam->points.size()}};
    return h;
  }
  // Theirs, of one material.
  system::Model model() const {
    system::Model out;
    out.families.push_back({"t", 1, 0, false});
    out.mass = {system::MassMatrix::Kind::diagonal, VectorXd::Ones(1), {}, {}};
    const auto add = [&](const char* name, const auto& mesh) {
      system::SolidPart part{name, {}, {}, -1, 1};
      for (std::int32_t b = 0; b < static_cast<std::int32_t>(mesh->blocks.size()); ++b)
        if (const auto& block = mesh->blocks[static_cast<std::size_t>(b)]; system::dimension_of(block.cell) == 3)
          for (std::int32_t c = 0; c < block.size(); ++c) part.cells.emplace_back(b, c);
      part.energy = system::linear_elastic(part.graph, system::deformation(part.graph), {2, 3});
      system::add_solid(out, name, mesh, std::array{part}, system::MassOfSolid::lumped);
    };
    add("beam", beam);
    add("single", single);
    return out;
  }
  // Displacements 10 i, velocities 20 i of coordinate i.
  void observe(run::Trajectory& out, long step, double t) const {
    VectorXd q(n), v(n);
    for (long i = 0; i < n; ++i) q[i] = 10.0 * static_cast<double>(i), v[i] = 20.0 * static_cast<double>(i);
    q.segment(1, beam->points.size()) += beam->points.reshaped();
    q.tail(single->points.size()) += single->points.reshaped();
    const method::Snapshot s{t, q, v, v};
    out.observe({step, s, 0, {}});
  }
};

// The array at `name` in a file of ours.
template <class T>
std::vector<T> array(const std::string& file, const std::string& name, int components) {
  const std::string at = fmt::format("Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"", name, components);
  const std::size_t found = file.find(at);
  EXPECT_NE(found, std::string::npos) << name;
  if (found == std::string::npos) return {};
  const std::size_t begin = file.find("\n_", file.find("<AppendedData")) + 2 + std::stoul(file.substr(found + at.size()));
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, file.data() + begin, sizeof bytes);
  std::vector<T> out(bytes / sizeof(T));
  if (bytes > 0) std::memcpy(out.data(), file.data() + begin + sizeof bytes, bytes);
  return out;
}
inline std::vector<double> reals(const std::string& file, const std::string& name, int components = 3) {
  return array<double>(file, name, components);
}

}  // namespace actio::run::test
