#pragma once
#include <Eigen/Core>
#include <actio/algebra/sparse.hpp>
#include <memory>
#include <vector>

// L D L' of a symmetric matrix without pivoting, column by column, in memory that the analysis sized.
//   T. A. Davis, Algorithm 849: a concise sparse Cholesky factorization package, ACM TOMS 31 (2005) 587.
namespace actio::algebra {

// A fill-reducing order (AMD), and bounds on the factor it leads to.
struct MinimumDegree {
  explicit MinimumDegree(const SparseMatrix& pattern);
  std::vector<int> order;
  double nonzeros = 0, flops = 0;  // of L, diagonal included; of L L'
};

class LdlAnalysis {
 public:
  // Throws core::InputError when the factor would have more than 2e9 entries.
  LdlAnalysis(const SparseMatrix& pattern, const MinimumDegree& order);

 private:
  friend class Ldl;
  int n_;
  std::vector<int> order_, inverse_order_, parent_, column_starts_;
};

class Ldl {
 public:
  explicit Ldl(std::shared_ptr<const LdlAnalysis> analysis);
  bool factor(const SparseMatrix& K);                          // false: a pivot is zero, not finite, or unsound
  void solve(const double* b, double* x, double* work) const;  // (n) each
  bool positive() const;
  void pivots(Eigen::VectorXd& d) const;
  double nonzeros() const { return static_cast<double>(values_.size() + diagonal_.size()); }

 private:
  bool well_conditioned(const SparseMatrix& K) const;
  std::shared_ptr<const LdlAnalysis> analysis_;
  std::vector<int> row_count_, flags_, pattern_work_, rows_;
  std::vector<double> values_, diagonal_, work_;
};

}  // namespace actio::algebra
