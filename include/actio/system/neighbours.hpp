#pragma once
#include <actio/system/finite_elements.hpp>
#include <cstdint>
#include <span>
#include <vector>

// Which elements of dimension 3 lie where in a mesh.
namespace actio::system {

class Neighbours {
 public:
  explicit Neighbours(const Mesh& mesh);  // of which it keeps a reference
  // Those that have all of these nodes: the one or two of a face, all around an edge or a node. Ascending.
  Cells of(std::span<const std::int32_t> nodes) const;
  // Those that the place X [m] of the mesh lies in: several on their sides, none outside.
  Cells at(const Eigen::Vector3d& X) const;

 private:
  template <class F>
  void for_each(F&& f) const;  // f(cell, node)
  const Mesh& mesh_;
  std::vector<std::size_t> start_;  // of the cells around each node
  Cells around_;
};

}  // namespace actio::system
