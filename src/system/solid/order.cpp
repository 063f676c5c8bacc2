#include "order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "../chunks.hpp"

namespace actio::system {
namespace {

constexpr std::size_t large = 4096, few_colours = 16, together = 8;

bool is_in_order(const Mesh& mesh, const Cells& cells) {
  Interpolation shape;
  const Cell kind = kind_of(mesh, cells.front());
  shape.nodes = nodes_of(kind);
  shape.points = static_cast<decltype(shape.points)>(quadrature(kind, Rule::product).size());
  Batch batch;
  batch.interpolation = std::make_shared<Interpolation>(std::move(shape));
  batch.elements = static_cast<long>(cells.size());
  for (const auto& cell : cells)
    for (const std::int32_t a : nodes_of(mesh, cell)) batch.nodes.push_back(a);
  const auto chunks = chunks_of(batch, mesh.points.cols());
  return chunks && chunks->colours.size() <= few_colours;
}

// Cut across where it is longest, again and again; the first part of two has a power of two.
void bisect(std::span<std::size_t> order, const Eigen::Matrix3Xd& centres) {
  if (order.size() <= together) return;
  Eigen::Array3d low = centres.col(static_cast<long>(order.front())), high = low;
  for (const std::size_t e : order) {
    low = low.min(centres.col(static_cast<long>(e)).array());
    high = high.max(centres.col(static_cast<long>(e)).array());
  }
  Eigen::Index axis = 0;
  (high - low).maxCoeff(&axis);
  const std::size_t half = std::bit_ceil(order.size()) / 2;
  const auto before = [&](std::size_t a, std::size_t b) {
    const double x = centres(axis, static_cast<long>(a)), y = centres(axis, static_cast<long>(b));
    return x != y ? x < y : a < b;
  };
  std::nth_element(order.begin(), order.begin() + static_cast<long>(half), order.end(), before);
  bisect(order.first(half), centres);
  bisect(order.subspan(half), centres);
}

}  // namespace

void put_in_order(const Mesh& mesh, Cells& cells) {
  if (cells.size() < large || is_in_order(mesh, cells)) return;
  Eigen::Matrix3Xd centres = Eigen::Matrix3Xd::Zero(3, static_cast<long>(cells.size()));
  for (std::size_t e = 0; e < cells.size(); ++e)
    for (const std::int32_t a : nodes_of(mesh, cells[e])) centres.col(static_cast<long>(e)) += mesh.points.col(a);
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  bisect(order, centres);
  Cells out;
  out.reserve(cells.size());
  for (const std::size_t e : order) out.push_back(cells[e]);
  cells = std::move(out);
}

}  // namespace actio::system
