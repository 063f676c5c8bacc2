#include "gmsh_cells.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace actio::io {
namespace {

// Gmsh: edges 01 12 20 30 32 31.
constexpr std::array<int, 10> tetrahedron{0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
// Gmsh: edges 01 03 04 12 15 23 26 37 45 47 56 67; faces 0321 0154 0473 1265 2376 4567; middle.
constexpr std::array<int, 27> hexahedron{0,  1,  2,  3,  4,  5,  6,  7,  8,  11, 13, 9,  16, 18,
                                         19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25, 26};

// Lines, triangles and quadrilaterals of higher order: type, nodes.
constexpr std::array<std::pair<int, int>, 36> left_out{
    {{20, 9},   {21, 10}, {22, 12}, {23, 15}, {24, 15}, {25, 21}, {26, 4},  {27, 5},  {28, 6},  {36, 16}, {37, 25}, {38, 36},
     {39, 12},  {40, 16}, {41, 20}, {42, 28}, {43, 36}, {44, 45}, {45, 55}, {46, 66}, {47, 49}, {48, 64}, {49, 81}, {50, 100},
     {51, 121}, {52, 18}, {53, 21}, {54, 24}, {55, 27}, {56, 30}, {57, 24}, {58, 28}, {59, 32}, {60, 36}, {61, 40}, {62, 7}}};

GmshKind same(system::Cell cell, std::span<const int> order = {}) { return {cell, system::nodes_of(cell), order}; }

}  // namespace

std::optional<GmshKind> gmsh_kind(std::int64_t type) {
  using enum system::Cell;
  switch (type) {
    case 1:
      return same(line2);
    case 2:
      return same(triangle3);
    case 3:
      return same(quadrilateral4);
    case 4:
      return same(tetrahedron4);
    case 5:
      return same(hexahedron8);
    case 8:
      return same(line3);
    case 9:
      return same(triangle6);
    case 10:
      return same(quadrilateral9);
    case 11:
      return same(tetrahedron10, tetrahedron);
    case 12:
      return same(hexahedron27, hexahedron);
    case 15:
      return same(point);
    case 16:
      return same(quadrilateral8);
    case 17:
      return same(hexahedron20, std::span(hexahedron).first(20));
    default:
      break;
  }
  for (const auto& [number, nodes] : left_out)
    if (number == type) return GmshKind{{}, nodes, {}};
  return {};
}

std::string gmsh_kind_name(std::int64_t type) {
  switch (type) {
    case 6:
    case 13:
    case 18:
      return fmt::format("prisms (type {})", type);
    case 7:
    case 14:
    case 19:
      return fmt::format("pyramids (type {})", type);
    case 29:
    case 30:
    case 31:
      return fmt::format("tetrahedra of higher order (type {})", type);
    case 92:
    case 93:
      return fmt::format("hexahedra of higher order (type {})", type);
    default:
      return fmt::format("elements of type {}", type);
  }
}

}  // namespace actio::io
