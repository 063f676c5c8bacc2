#pragma once
#include <actio/system/mesh.hpp>
#include <cstdint>
#include <vector>

namespace actio::system {

// Some cells of a mesh with the nodes that they name, both in its order, and all its groups, with those of the cells in them.
struct MeshPart {
  Mesh mesh;
  std::vector<std::int32_t> nodes;  // their numbers in the whole
};
// chosen[b][c]: cell c of block b.
MeshPart part_of(const Mesh& mesh, const std::vector<std::vector<bool>>& chosen);

}  // namespace actio::system
