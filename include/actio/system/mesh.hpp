#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <actio/algebra/alignment.hpp>

// A mesh: places, cells that name their nodes, groups of cells by name.
namespace actio::system {

// Nodes in VTK's order: corners, then the nodes between them by edges, by faces, in the middle.
//
//   triangle        edges 01 12 20
//   quadrilateral   edges 01 12 23 30; middle
//   tetrahedron     3 is where 01 x 02 points; edges 01 12 20 03 13 23
//   hexahedron      4 5 6 7 above 0 1 2 3; edges 01 12 23 30, 45 56 67 74, 04 15 26 37;
//                   faces 0473 1265 0154 3762 0321 4567 (xi1 -, +, xi2 -, +, xi3 -, +); middle
//
// Schroeder, Martin, Lorensen, The Visualization Toolkit, 4th ed. (2006), figures 5-2, 5-4.
enum class Cell {
  point,
  line2,
  line3,
  triangle3,
  triangle6,
  quadrilateral4,
  quadrilateral8,
  quadrilateral9,
  tetrahedron4,
  tetrahedron10,
  hexahedron8,
  hexahedron20,
  hexahedron27
};

int nodes_of(Cell cell);              // 4 of a tetrahedron4
int dimension_of(Cell cell);          // 0 of a point, 3 of a tetrahedron
std::string_view name_of(Cell cell);  // "tetrahedron4"
int vtk_type_of(Cell cell);           // 10 of a tetrahedron4

struct CellBlock {
  Cell cell = Cell::point;
  std::vector<std::int32_t> nodes;      // node a of cell c at c * nodes_of(cell) + a
  std::vector<std::int64_t> numbers{};  // of its cells in the mesh file; empty where there is none
  long size() const { return static_cast<long>(nodes.size()) / nodes_of(cell); }
};

struct CellGroup {
  std::string name;
  int dimension = 3;
  std::vector<std::pair<std::int32_t, std::int32_t>> cells;  // (block, cell), sorted; a cell may be in several groups
};

struct Mesh {
  Eigen::Matrix3Xd points;  // [m] (3 x nodes); some may belong to no cell
  std::vector<CellBlock> blocks;
  std::vector<CellGroup> groups;
};

}  // namespace actio::system
