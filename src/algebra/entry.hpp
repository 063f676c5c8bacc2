#pragma once
#include <actio/algebra/sparse.hpp>
#include <algorithm>
#include <cstdint>

namespace actio::algebra {

// Where K_ij lies among the values of a compressed matrix; -1 where the pattern has nothing.
inline std::int32_t entry(const SparseMatrix& K, int i, int j) {
  const int* rows = K.innerIndexPtr();
  const int* end = rows + K.outerIndexPtr()[j + 1];
  const int* at = std::lower_bound(rows + K.outerIndexPtr()[j], end, i);
  return at != end && *at == i ? static_cast<std::int32_t>(at - rows) : -1;
}

}  // namespace actio::algebra
