#pragma once
#include <array>
#include <string>

#include <actio/system/mesh.hpp>

// Meshes of a block, for tests and benchmarks.
namespace models {

// A regular mesh of 0 <= X_i <= size[i] [m]. Tetrahedra: six around a diagonal of each box of elements[0] x elements[1] x
// elements[2] (Kuhn). Groups: "solid", and the faces "x0", "x1", "y0", ... of the sides X_i = 0 and size[i], which look outward.
struct Block {
  actio::system::Cell kind = actio::system::Cell::tetrahedron4;
  std::array<int, 3> elements = {4, 4, 4};
  std::array<double, 3> size = {1, 1, 1};
};

// "tetrahedron4" and so on. Throws std::invalid_argument.
actio::system::Cell kind_named(const std::string& name);
// Throws std::invalid_argument when a number makes no sense, or there are more than 2^31 coordinates.
actio::system::Mesh mesh_of(const Block& block);

// Gmsh's format 2.2, as text. Throws std::runtime_error when the file cannot be written.
void write_msh(const actio::system::Mesh& mesh, const std::string& path);

}  // namespace models
