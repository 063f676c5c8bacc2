#pragma once
#include <vector>

namespace actio::algebra {

// Of the x that make |A x - b| least the one of least norm, for a square A whose rows may depend on one another: a complete
// orthogonal decomposition A = Q [T 0; 0 0] Z P', where an entry on the diagonal below `singular_pivot` (small_kkt.hpp) of the
// largest counts as zero. Memory is taken when it is made.
class MinimumNorm {
 public:
  explicit MinimumNorm(long n);
  void factor(const double* A);  // (n x n) by columns, all finite
  void solve(double* b) const;   // (n), which becomes x

 private:
  int n_, rank_ = 0;
  std::vector<double> A_, tau_, tau_z_;
  mutable std::vector<double> work_;
  std::vector<int> columns_;
};

}  // namespace actio::algebra
