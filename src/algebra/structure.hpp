#pragma once
#include <actio/algebra/sparse.hpp>
#include <vector>

namespace actio::algebra {

// What the pattern of a symmetric matrix of n coordinates is, after reordering.
struct Structure {
  enum class Kind { none, chain, ring, banded, blocks } kind = Kind::none;
  std::vector<int> order;   // order[k] is the coordinate that comes k-th
  std::vector<int> starts;  // blocks: where each begins in the order, and n
  int bandwidth = 0;        // banded
};

// A chain or ring of `long_chain` or more coordinates; blocks of at most `largest_block`; or a bandwidth of at most
// `largest_bandwidth`, in the given order or in that of Cuthill and McKee, reversed, from one end of the graph.
//   E. Cuthill, J. McKee, Proc. 24th ACM Nat. Conf. (1969) 157; A. George, J. W. H. Liu, ACM TOMS 5 (1979) 284 (the end).
Structure find_structure(const SparseMatrix& pattern, long long_chain, int largest_block, int largest_bandwidth);

}  // namespace actio::algebra
