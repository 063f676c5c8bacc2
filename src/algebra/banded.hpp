#pragma once
#include <Eigen/Core>
#include <actio/algebra/sparse.hpp>
#include <memory>
#include <vector>

#include "lanes.hpp"

// L D L' of a symmetric matrix whose entries lie within `bandwidth` of the diagonal after a reordering, without pivoting. Small
// bandwidths keep the part of the matrix that still changes in registers.
namespace actio::algebra {

class BandedAnalysis {
 public:
  static constexpr int most = 16;  // of the bandwidth

  // order[k] is the coordinate that comes k-th.
  BandedAnalysis(const SparseMatrix& pattern, std::vector<int> order, int bandwidth);

 private:
  friend class Banded;
  long n_;
  int bandwidth_;
  std::vector<int> order_;
  std::vector<std::int32_t> slots_;  // entry of K that is (r, r - k) in this order, at r (bandwidth + 1) + k; -1: none
};

class Banded {
 public:
  explicit Banded(std::shared_ptr<const BandedAnalysis> analysis, Machine on = machine());
  bool factor(const SparseMatrix& K);  // false: not positive definite or not finite
  using Work = std::vector<double>;
  void solve(const double* b, double* x, Work& work) const;  // (n) each; b may be x
  void pivots(Eigen::VectorXd& d) const;
  double nonzeros() const { return static_cast<double>(factor_.size()); }

 private:
  std::shared_ptr<const BandedAnalysis> analysis_;
  Machine machine_;
  std::vector<double> factor_;  // column j: 1/d, then L below it, at j (bandwidth + 1)
};

}  // namespace actio::algebra
