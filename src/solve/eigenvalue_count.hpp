#pragma once
#include <actio/algebra/sparse.hpp>
#include <string>

namespace actio::solve {

// How many eigenvalues of K x = lambda M x lie below s: the negative pivots of K - s M = L D L' (Sylvester's law of inertia).
struct EigenvalueCount {
  long below = -1;      // -1: not known
  std::string why_not;  // "", or why it is not known
};
// K and M of one pattern. Not counted where the factorisation would take more than `most` operations.
EigenvalueCount count_eigenvalues(const algebra::SparseMatrix& K, const algebra::SparseMatrix& M, double s, double most);

}  // namespace actio::solve
