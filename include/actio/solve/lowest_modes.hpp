#pragma once
#include <actio/algebra/sparse.hpp>
#include <actio/solve/extreme_eigenvalues.hpp>
#include <string>

namespace actio::solve {

// The lowest eigenvalues of K x = lambda M x, with their vectors.
struct LowestModes {
  std::string why_not;     // "", or why they were not found; the rest is then empty
  Eigen::VectorXd lambda;  // (k) increasing
  Eigen::VectorXd error;   // (k) an eigenvalue is this near to lambda
  Eigen::MatrixXd x;       // (n x k) x'Mx = 1; the entry of largest size is positive
  double zero = 0;         // |lambda| up to here is 0 to round-off: 1e-13 of the highest
  // "" where it is shown that no lower one is missing, by decomposition or by the pivots of K - s M; else why that is not known.
  std::string not_proved;

  bool found() const { return why_not.empty(); }
};

struct LowestModesOptions {
  long decomposed = largest_decomposed;  // systems up to this size are decomposed as full matrices
  double most_to_count = 5e10;           // operations that the factorisation of K - s M may take: some 25 s
};

// Many of a system that is larger than largest_decomposed are found by its decomposition too.
inline constexpr long largest_decomposed_for_many = 4000;

// The lowest `count` of 1 <= count <= n. K symmetric, M symmetric positive definite (n x n), both triangles stored and both of
// one pattern. Small systems are decomposed. Others: block Lanczos with (K + s M)^-1 M (Golub and Underwood 1977), s such that K
// + s M is positive definite and its lowest eigenvalue not far from that of a motion that is not rigid. A mode is accepted when
// (K + s M)^-1 M x is mu x to 1e-6 mu, computed again from the vector: then |lambda - eigenvalue| <= error. By Sylvester's law
// of inertia the negative pivots of K - s M = L D L' count the eigenvalues below s, which must be those found.
// Throws core::InputError when a factor would have more than 2e9 entries.
LowestModes lowest_modes(const algebra::SparseMatrix& K, const algebra::SparseMatrix& M, long count,
                         const LowestModesOptions& options = {});

}  // namespace actio::solve
