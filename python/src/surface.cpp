#include "surface.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <actio/system/mesh.hpp>

namespace actio::python {
namespace {

using Corners = std::array<int, 4>;  // of a face; a triangle's last is -1
constexpr Corners tetrahedron[] = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}};
constexpr Corners hexahedron[] = {{0, 3, 2, 1}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};

std::span<const Corners> faces_of(system::Cell cell) {
  if (system::dimension_of(cell) < 3) return {};
  const bool of_triangles = cell == system::Cell::tetrahedron4 || cell == system::Cell::tetrahedron10;
  return of_triangles ? std::span<const Corners>(tetrahedron) : std::span<const Corners>(hexahedron);
}

struct Face {
  Corners sorted, seen;
  bool operator<(const Face& other) const { return sorted < other.sorted; }
};

std::vector<Face> faces_of(const system::Mesh& mesh) {
  std::vector<Face> out;
  for (const system::CellBlock& block : mesh.blocks)
    for (long c = 0; c < block.size(); ++c)
      for (const Corners& corners : faces_of(block.cell)) {
        Face face;
        for (std::size_t i = 0; i < 4; ++i)
          face.seen[i] = corners[i] < 0 ? -1 : block.nodes[static_cast<std::size_t>(c * nodes_of(block.cell) + corners[i])];
        face.sorted = face.seen;
        std::sort(face.sorted.begin(), face.sorted.end());
        out.push_back(face);
      }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<std::vector<long>> surface(const io::Problem& problem, long most) {
  std::vector<std::vector<long>> out;
  for (const system::SolidBody& solid : problem.model.solids) {
    const std::vector<Face> faces = faces_of(*solid.mesh);
    for (std::size_t k = 0; k < faces.size(); ++k) {
      // a face of two elements is inside
      if ((k > 0 && faces[k - 1].sorted == faces[k].sorted) || (k + 1 < faces.size() && faces[k + 1].sorted == faces[k].sorted))
        continue;
      std::vector<long>& face = out.emplace_back();
      for (const int node : faces[k].seen)
        if (node >= 0) face.push_back(solid.offset + 3 * static_cast<long>(node));
      if (static_cast<long>(out.size()) > most) return {};
    }
  }
  return out;
}

}  // namespace actio::python
