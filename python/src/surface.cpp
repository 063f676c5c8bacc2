#include "surface.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <actio/system/mesh.hpp>
#include <actio/system/solid.hpp>

namespace actio::python {
namespace {

using Face = std::vector<long>;

// Corners of the faces of a cell, seen from outside, by VTK's numbers of its nodes.
const std::vector<Face>& faces_of(system::Cell cell) {
  static const std::vector<Face> tetrahedron{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
      hexahedron{{0, 3, 2, 1}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}}, none{};
  switch (cell) {
    case system::Cell::tetrahedron4:
    case system::Cell::tetrahedron10:
      return tetrahedron;
    case system::Cell::hexahedron8:
    case system::Cell::hexahedron20:
    case system::Cell::hexahedron27:
      return hexahedron;
    default:
      return none;
  }
}

}  // namespace

std::pair<std::vector<Face>, Eigen::VectorXd> surface(const io::Problem& problem) {
  std::vector<Face> out;
  for (const system::SolidBody& solid : problem.model.solids) {
    std::map<Face, std::pair<Face, int>> seen;  // by its nodes, sorted
    for (const system::CellBlock& block : solid.mesh->blocks)
      for (long c = 0; c < block.size(); ++c)
        for (const Face& corners : faces_of(block.cell)) {
          Face face;
          for (const long corner : corners) face.push_back(block.nodes[c * system::nodes_of(block.cell) + corner]);
          Face key = face;
          std::sort(key.begin(), key.end());
          auto& [kept, times] = seen[std::move(key)];
          kept = std::move(face);
          ++times;
        }
    for (auto& [key, face] : seen) {
      if (face.second > 1) continue;
      for (long& node : face.first) node = solid.offset + 3 * node;
      out.push_back(std::move(face.first));
    }
  }
  return {std::move(out), system::rest_of(problem.model)};
}

}  // namespace actio::python
