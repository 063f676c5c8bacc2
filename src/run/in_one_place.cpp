#include <actio/run/probe.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace actio::run {

std::optional<std::pair<std::size_t, std::size_t>> in_one_place(const Atoms& atoms, const Eigen::VectorXd& q) {
  if (!q.allFinite()) return {};
  std::vector<std::array<double, 3>> places;
  for (const auto& point : atoms.coordinates) {
    std::array<double, 3>& x = places.emplace_back();
    for (std::size_t a = 0; a < 3; ++a) {
      x[a] = point[a] < 0 ? 0.0 : q[point[a]];
      if (atoms.box[a] > 0) x[a] -= atoms.box[a] * std::floor(x[a] / atoms.box[a]);
    }
  }
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return std::pair(places[k], k); });
  const auto same = std::ranges::adjacent_find(order, [&](std::size_t a, std::size_t b) { return places[a] == places[b]; });
  if (same == order.end()) return {};
  return std::pair(*same, *(same + 1));
}

}  // namespace actio::run
