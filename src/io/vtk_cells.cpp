#include "vtk_cells.hpp"

#include <array>

#include <fmt/format.h>

namespace actio::io {
namespace {
constexpr std::array<int, 8> voxel{0, 1, 3, 2, 4, 5, 7, 6};
}

std::optional<VtkKind> vtk_kind(std::int64_t type) {
  using enum system::Cell;
  for (const auto cell : {point, line2, line3, triangle3, triangle6, quadrilateral4, quadrilateral8, quadrilateral9, tetrahedron4,
                          tetrahedron10, hexahedron8, hexahedron20, hexahedron27})
    if (system::vtk_type_of(cell) == type) return VtkKind{cell, {}};
  switch (type) {
    case 8:
      return VtkKind{quadrilateral4, std::span(voxel).first(4)};
    case 11:
      return VtkKind{hexahedron8, voxel};
    // empty, of many points, lines, strips, polygons, of higher order
    case 0:
    case 2:
    case 4:
    case 6:
    case 7:
    case 30:
    case 34:
    case 35:
    case 36:
    case 68:
    case 69:
    case 70:
      return VtkKind{};
    default:
      return {};
  }
}

std::string vtk_kind_name(std::int64_t type) {
  switch (type) {
    case 13:
    case 26:
    case 31:
    case 32:
    case 73:
      return fmt::format("prisms (type {})", type);
    case 14:
    case 27:
    case 37:
    case 74:
      return fmt::format("pyramids (type {})", type);
    case 42:
      return fmt::format("polyhedra (type {})", type);
    case 71:
      return fmt::format("tetrahedra of higher order (type {})", type);
    case 72:
      return fmt::format("hexahedra of higher order (type {})", type);
    default:
      return fmt::format("cells of type {}", type);
  }
}

}  // namespace actio::io
