#include "nested_dissection.hpp"

#include <metis.h>

#include <mutex>
#include <new>
#include <type_traits>

namespace actio::algebra {

static_assert(std::is_same_v<idx_t, int>, "a METIS with 32-bit indices");

std::vector<int> nested_dissection(const SparseMatrix& pattern) {
  int n = static_cast<int>(pattern.rows());
  std::vector<int> starts{0}, neighbours;  // the graph: no node is its own
  starts.reserve(static_cast<std::size_t>(n) + 1);
  neighbours.reserve(static_cast<std::size_t>(pattern.nonZeros()));
  for (int j = 0; j < n; ++j) {
    for (int k = pattern.outerIndexPtr()[j]; k < pattern.outerIndexPtr()[j + 1]; ++k)
      if (pattern.innerIndexPtr()[k] != j) neighbours.push_back(pattern.innerIndexPtr()[k]);
    starts.push_back(static_cast<int>(neighbours.size()));
  }
  std::vector<int> order(static_cast<std::size_t>(n)), inverse(order.size());
  static std::mutex one_at_a_time;  // METIS draws from one stream of random numbers
  const std::scoped_lock lock(one_at_a_time);
  if (METIS_NodeND(&n, starts.data(), neighbours.data(), nullptr, nullptr, order.data(), inverse.data()) != METIS_OK)
    throw std::bad_alloc();
  return order;
}

}  // namespace actio::algebra
