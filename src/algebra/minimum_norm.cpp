#include <actio/algebra/minimum_norm.hpp>
#include <actio/algebra/small_kkt.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lapack.hpp"
#include "minimum_norm_kernel.hpp"

namespace actio::algebra {

int minimum_norm_factor(int n, double* A, int* columns, double* tau, double* tau_z, double* work) {
  if (n == 0) return 0;
  const int size = minimum_norm_workspace(n);
  int info = 0, rank = 0;
  std::fill(columns, columns + n, 0);  // any column may come first
  dgeqp3_(&n, &n, A, &n, columns, tau, work, &size, &info);
  const auto diagonal = [&](int i) { return std::abs(A[static_cast<std::ptrdiff_t>(i) * (n + 1)]); };
  while (rank < n && diagonal(rank) > singular_pivot * diagonal(0)) ++rank;  // they decrease
  if (rank > 0 && rank < n) dtzrzf_(&rank, &n, A, &n, tau_z, work, &size, &info);
  return rank;
}

void minimum_norm_solve(int n, int rank, const double* A, const int* columns, const double* tau, const double* tau_z, double* b,
                        double* x, double* work) {
  const int size = minimum_norm_workspace(n), one = 1, rest = n - rank;
  int info = 0;
  if (rank > 0) {
    dormqr_("L", "T", &n, &one, &n, A, &n, tau, b, &n, work, &size, &info, 1, 1);
    dtrtrs_("U", "N", "N", &rank, &one, A, &n, b, &n, &info, 1, 1, 1);
  }
  std::fill(b + rank, b + n, 0.0);
  if (rank > 0 && rest > 0) dormrz_("L", "T", &n, &one, &rank, &rest, A, &n, tau_z, b, &n, work, &size, &info, 1, 1);
  std::copy(b, b + n, x);
  for (int i = 0; i < n; ++i) b[columns[i] - 1] = x[i];
}

MinimumNorm::MinimumNorm(long n) : n_(static_cast<int>(n)) {
  const auto size = static_cast<std::size_t>(n);
  A_.resize(size * size);
  tau_.resize(size);
  tau_z_.resize(size);
  columns_.resize(size);
  work_.resize(size + static_cast<std::size_t>(minimum_norm_workspace(n_)));
}

void MinimumNorm::factor(const double* A) {
  std::copy_n(A, A_.size(), A_.begin());
  rank_ = minimum_norm_factor(n_, A_.data(), columns_.data(), tau_.data(), tau_z_.data(), work_.data());
}

void MinimumNorm::solve(double* b) const {
  minimum_norm_solve(n_, rank_, A_.data(), columns_.data(), tau_.data(), tau_z_.data(), b, work_.data(), work_.data() + n_);
}

}  // namespace actio::algebra
