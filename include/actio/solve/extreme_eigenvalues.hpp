#pragma once
#include <actio/algebra/sparse.hpp>
#include <limits>

namespace actio::solve {

// The ends of the spectrum of K x = lambda M x. Eigenvalues with |lambda| <= 1e-13 highest are 0 to round-off.
struct ExtremeEigenvalues {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double highest = unknown;          // 0 where K is 0
  double lowest_positive = unknown;  // NaN too where none is positive
  double lowest = unknown;           // the most negative one; 0 where none is negative
  long zeros = 0, negatives = 0;     // how many
  bool at_least = false;             // there may be more of them than that
};

// Largest system that is not decomposed as a full matrix.
inline constexpr long largest_decomposed = 200;

// K symmetric, M symmetric positive definite (n x n), both triangles stored and both of one pattern. What could not be shown to
// be right is NaN. To n = largest_decomposed by decomposition of full matrices, to round-off; above that
//   highest          Lanczos with M^-1 K, from below, to 1e-3; accepted when theta (1 + 1e-3) M - K is positive definite
//   lowest_positive  block Lanczos with (K + s M)^-1 M, s just beyond the lowest eigenvalue, to 1e-3; not looked for where
//                    some are negative
// Throws core::InputError when a factor would have more than 2e9 entries.
ExtremeEigenvalues extreme_eigenvalues(const algebra::SparseMatrix& K, const algebra::SparseMatrix& M);

// The highest alone, from below and without factoring K: to n = 60 by decomposition, above by 30 products of Lanczos, which most
// often come within 1 %. 0 where none is positive, NaN where M has no factor or numbers overflow.
double highest_eigenvalue(const algebra::SparseMatrix& K, const algebra::SparseMatrix& M);

}  // namespace actio::solve
