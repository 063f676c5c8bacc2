#pragma once
#include <span>
#include <utility>
#include <vector>

#include "elimination_tree.hpp"

namespace actio::algebra {

// A factor's supernodes: the columns first[s] to first[s + 1] - 1, of the rows rows[row_starts[s]] and after, those of its
// columns first and the others ascending; its entries by columns, from starts[s] on. In the rows above the diagonal they are
// anything.
struct SupernodalShape {
  int n = 0;
  std::span<const int> first, row_starts, rows, starts;
  std::span<const int> order;  // row k of L is row order[k] of K
  int count() const { return static_cast<int>(first.size()) - 1; }
  int columns(int s) const { return first[s + 1] - first[s]; }
  int height(int s) const { return row_starts[s + 1] - row_starts[s]; }
  double entries(int s) const { return static_cast<double>(height(s)) * columns(s); }
};

// Columns of like structure together. Small ones are merged where that adds few zeros.
//   C. Ashcraft, R. Grimes, The influence of relaxed supernode partitions on the multifrontal method, ACM TOMS 15 (1989) 291.
struct Supernodes {
  std::vector<int> first, row_starts, rows, starts;
  // Throws core::InputError when they would have more than 2e9 entries.
  Supernodes(const SparseMatrix& pattern, const EliminationTree& tree);
  SupernodalShape shape(std::span<const int> order) const {
    return {static_cast<int>(order.size()), first, row_starts, rows, starts, order};
  }
};

// Ranges of supernodes that are subtrees which know nothing of one another: of at most an eighth of the weight each, where they
// can be had, small ones beside one another together. All others are above them. Empty: the supernodes are in no order that
// it knows.
struct Subtree {
  int begin, end;
};
std::vector<Subtree> divide(const SupernodalShape& shape, const std::vector<double>& weights);

}  // namespace actio::algebra
