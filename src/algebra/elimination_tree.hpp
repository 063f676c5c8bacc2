#pragma once
#include <actio/algebra/sparse.hpp>
#include <vector>

namespace actio::algebra {

// The elimination tree of a symmetric pattern in an order, its columns in postorder: every subtree is a range of columns.
//   J. W. H. Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11 (1990) 134.
struct EliminationTree {
  std::vector<int> order;    // row k of the factor is row order[k] of the matrix: the order given, each tree in postorder
  std::vector<int> inverse;  // of it
  std::vector<int> parent;   // of a column; -1 of a root
  std::vector<int> count;    // of a column of the factor: its entries, with the diagonal

  // `pattern` has both triangles.
  EliminationTree(const SparseMatrix& pattern, const std::vector<int>& order);
  double nonzeros() const;  // of the factor
  double flops() const;     // of a factorisation, sum of count^2
};

}  // namespace actio::algebra
