#include <actio/system/neighbours.hpp>

#include <algorithm>

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace actio::system {
namespace {

// X(xi) = X by Newton's method, and whether xi is of the reference cell.
bool holds(const Mesh& mesh, const Cells::value_type& cell, const Eigen::Vector3d& X) {
  constexpr double blur = 1e-6;  // of the size of the cell
  const auto nodes = nodes_of(mesh, cell);
  Eigen::Matrix3Xd of(3, static_cast<long>(nodes.size()));
  for (std::size_t a = 0; a < nodes.size(); ++a) of.col(static_cast<long>(a)) = mesh.points.col(nodes[a]);
  Eigen::AlignedBox3d box(of.rowwise().minCoeff(), of.rowwise().maxCoeff());
  const double size = box.diagonal().norm();
  if (box.exteriorDistance(X) > 0.1 * size) return false;  // curved sides reach beyond their nodes
  const Cell kind = kind_of(mesh, cell);
  const bool simplex = kind == Cell::tetrahedron4 || kind == Cell::tetrahedron10;
  Eigen::Vector3d xi = simplex ? Eigen::Vector3d::Constant(0.25) : Eigen::Vector3d::Zero();
  for (int k = 0; k < 20; ++k) {
    const Shape shape = shape_at(kind, xi);
    const Eigen::Vector3d away = X - of * shape.N;
    const Eigen::Matrix3d dX = of * shape.d;
    const Eigen::Vector3d dxi = dX.inverse() * away;
    xi += dxi;
    if (!(dxi.norm() < 10)) return false;
    if (dxi.norm() > 1e-10) continue;
    return simplex ? xi.minCoeff() >= -blur && xi.sum() <= 1 + blur : xi.cwiseAbs().maxCoeff() <= 1 + blur;
  }
  return false;
}

}  // namespace

template <class F>
void Neighbours::for_each(F&& f) const {
  for (std::size_t b = 0; b < mesh_.blocks.size(); ++b) {
    if (dimension_of(mesh_.blocks[b].cell) != 3) continue;
    for (std::int32_t c = 0; c < mesh_.blocks[b].size(); ++c) {
      const Cells::value_type cell{static_cast<std::int32_t>(b), c};
      for (const std::int32_t a : nodes_of(mesh_, cell)) f(cell, a);
    }
  }
}

Neighbours::Neighbours(const Mesh& mesh) : mesh_(mesh), start_(static_cast<std::size_t>(mesh.points.cols()) + 1) {
  for_each([&](const Cells::value_type&, std::int32_t a) { ++start_[static_cast<std::size_t>(a) + 1]; });
  for (std::size_t a = 1; a < start_.size(); ++a) start_[a] += start_[a - 1];
  around_.resize(start_.back());
  std::vector<std::size_t> at = start_;
  for_each([&](const Cells::value_type& cell, std::int32_t a) { around_[at[static_cast<std::size_t>(a)]++] = cell; });
}

Cells Neighbours::of(std::span<const std::int32_t> nodes) const {
  Cells out;
  const auto first = static_cast<std::size_t>(nodes.front());
  for (std::size_t k = start_[first]; k < start_[first + 1]; ++k) {
    const auto of = nodes_of(mesh_, around_[k]);
    if (std::ranges::all_of(nodes, [&](std::int32_t a) { return std::ranges::find(of, a) != of.end(); }))
      out.push_back(around_[k]);
  }
  return out;
}

Cells Neighbours::at(const Eigen::Vector3d& X) const {
  Cells out;
  for (std::size_t b = 0; b < mesh_.blocks.size(); ++b) {
    if (dimension_of(mesh_.blocks[b].cell) != 3) continue;
    for (std::int32_t c = 0; c < mesh_.blocks[b].size(); ++c) {
      const Cells::value_type cell{static_cast<std::int32_t>(b), c};
      if (holds(mesh_, cell, X)) out.push_back(cell);
    }
  }
  return out;
}

}  // namespace actio::system
