#include <actio/system/mesh.hpp>

#include <array>
#include <cstddef>

namespace actio::system {
namespace {

struct CellKind {
  std::string_view name;
  int nodes, dimension, vtk;
};
// In the order of Cell.
constexpr std::array<CellKind, 13> kinds{{{"point", 1, 0, 1},
                                          {"line2", 2, 1, 3},
                                          {"line3", 3, 1, 21},
                                          {"triangle3", 3, 2, 5},
                                          {"triangle6", 6, 2, 22},
                                          {"quadrilateral4", 4, 2, 9},
                                          {"quadrilateral8", 8, 2, 23},
                                          {"quadrilateral9", 9, 2, 28},
                                          {"tetrahedron4", 4, 3, 10},
                                          {"tetrahedron10", 10, 3, 24},
                                          {"hexahedron8", 8, 3, 12},
                                          {"hexahedron20", 20, 3, 25},
                                          {"hexahedron27", 27, 3, 29}}};

const CellKind& kind(Cell cell) { return kinds[static_cast<std::size_t>(cell)]; }

}  // namespace

int nodes_of(Cell cell) { return kind(cell).nodes; }
int dimension_of(Cell cell) { return kind(cell).dimension; }
std::string_view name_of(Cell cell) { return kind(cell).name; }
int vtk_type_of(Cell cell) { return kind(cell).vtk; }

}  // namespace actio::system
