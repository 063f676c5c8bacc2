#include <actio/system/mesh.hpp>

#include <array>
#include <cstddef>

namespace actio::system {
namespace {

struct Kind {
  std::string_view name;
  int nodes, dimension;
};
// In the order of Cell.
constexpr std::array<Kind, 13> kinds{{{"point", 1, 0},
                                      {"line2", 2, 1},
                                      {"line3", 3, 1},
                                      {"triangle3", 3, 2},
                                      {"triangle6", 6, 2},
                                      {"quadrilateral4", 4, 2},
                                      {"quadrilateral8", 8, 2},
                                      {"quadrilateral9", 9, 2},
                                      {"tetrahedron4", 4, 3},
                                      {"tetrahedron10", 10, 3},
                                      {"hexahedron8", 8, 3},
                                      {"hexahedron20", 20, 3},
                                      {"hexahedron27", 27, 3}}};

const Kind& kind(Cell cell) { return kinds[static_cast<std::size_t>(cell)]; }

}  // namespace

int nodes_of(Cell cell) { return kind(cell).nodes; }
int dimension_of(Cell cell) { return kind(cell).dimension; }
std::string_view name_of(Cell cell) { return kind(cell).name; }

}  // namespace actio::system
