#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <actio/io/mesh.hpp>

// tests/data/meshes: two boxes of 1 x 0.5 x 0.25 end to end along x, meshed by Gmsh (beam.geo); the VTU files by VTK and meshio.
namespace actio::io::test {

inline std::vector<std::string> beam_files() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator("tests/data/meshes"))
    if (entry.path().extension() != ".geo") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline Eigen::Vector3d node(const system::Mesh& mesh, std::pair<std::int32_t, std::int32_t> where, int a) {
  const auto& block = mesh.blocks.at(static_cast<std::size_t>(where.first));
  return mesh.points.col(block.nodes.at(static_cast<std::size_t>(where.second * system::nodes_of(block.cell) + a)));
}

// Length, area or volume of a cell with straight edges and flat faces [m^dimension], from its corners in VTK's order. Volumes
// have the sign of the Jacobian.
inline double measure(const system::Mesh& mesh, std::pair<std::int32_t, std::int32_t> where) {
  const auto x = [&](int a) { return node(mesh, where, a); };
  const auto volume = [&](int a, int b, int c, int d) { return (x(b) - x(a)).cross(x(c) - x(a)).dot(x(d) - x(a)) / 6; };
  const auto area = [&](int a, int b, int c) { return (x(b) - x(a)).cross(x(c) - x(a)).norm() / 2; };
  using enum system::Cell;
  switch (mesh.blocks.at(static_cast<std::size_t>(where.first)).cell) {
    case point:
      return 1;
    case line2:
    case line3:
      return (x(1) - x(0)).norm();
    case triangle3:
    case triangle6:
      return area(0, 1, 2);
    case quadrilateral4:
    case quadrilateral8:
    case quadrilateral9:
      return area(0, 1, 2) + area(0, 2, 3);
    case tetrahedron4:
    case tetrahedron10:
      return volume(0, 1, 2, 3);
    default:
      return volume(0, 1, 2, 6) + volume(0, 2, 3, 6) + volume(0, 3, 7, 6) + volume(0, 7, 4, 6) + volume(0, 4, 5, 6) +
             volume(0, 5, 1, 6);
  }
}

// Of a group by its name, or of all cells of the dimension.
inline double measure(const system::Mesh& mesh, int dimension, const std::vector<std::string>& names) {
  double sum = 0;
  for (const auto& group : mesh.groups)
    if (group.dimension == dimension && std::find(names.begin(), names.end(), group.name) != names.end())
      for (const auto& where : group.cells) sum += measure(mesh, where);
  return sum;
}
inline double measure(const system::Mesh& mesh, int dimension) {
  double sum = 0;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
    if (system::dimension_of(mesh.blocks[b].cell) == dimension)
      for (long c = 0; c < mesh.blocks[b].size(); ++c)
        sum += measure(mesh, {static_cast<std::int32_t>(b), static_cast<std::int32_t>(c)});
  return sum;
}

// What every mesh that is returned holds, however it came about.
inline void expect_sound(const system::Mesh& mesh) {
  EXPECT_TRUE(mesh.points.allFinite());
  EXPECT_FALSE(mesh.blocks.empty());
  for (const auto& block : mesh.blocks) {
    EXPECT_EQ(block.nodes.size() % static_cast<std::size_t>(system::nodes_of(block.cell)), 0u);
    for (const auto n : block.nodes) EXPECT_TRUE(n >= 0 && n < mesh.points.cols());
  }
  for (const auto& group : mesh.groups)
    for (const auto& [b, c] : group.cells) {
      const auto& block = mesh.blocks.at(static_cast<std::size_t>(b));
      EXPECT_TRUE(c >= 0 && c < block.size());
      EXPECT_EQ(system::dimension_of(block.cell), group.dimension);
    }
}

}  // namespace actio::io::test
