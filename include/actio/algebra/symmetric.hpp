#pragma once
#include <Eigen/Cholesky>
#include <actio/algebra/dense.hpp>
#include <cmath>
#include <type_traits>

// x = K^-1 b for a symmetric K that is mostly positive definite, of a dense space: L D L' up to N = 4, in scalars without a loop
// or a root, above that Cholesky's. factor is false at a pivot that is not positive or not finite; factor_pivoted and
// solve_pivoted, by elimination with partial pivoting, are for those. Both triangles of K are given; all but elimination read the
// lower.
namespace actio::algebra {

namespace detail {
// f(begin), ..., f(end - 1), each with a constant
template <int begin, int end, class F>
[[gnu::always_inline]] inline void unrolled(F&& f) {
  if constexpr (begin < end) {
    f(std::integral_constant<int, begin>{});
    unrolled<begin + 1, end>(f);
  }
}
}  // namespace detail

template <class Space>
class SymmetricSolver;

template <int N>
requires(N >= 1 && N <= 4) class SymmetricSolver<DenseSpace<N>> {
 public:
  using Vector = DenseVector<N>;
  using Matrix = DenseMatrix<N>;
  SymmetricSolver() = default;
  explicit SymmetricSolver(const DenseSpace<N>&) {}

  [[gnu::always_inline]] bool factor(const Matrix& K) {
    using detail::unrolled;
    Matrix LD;
    bool positive = true;
    unrolled<0, N>([&](auto j) {
      double d = K(j, j);  // D_j = K_jj - sum L_jk (LD)_jk
      unrolled<0, j>([&](auto k) { d -= L_(j, k) * LD(j, k); });
      positive = positive && d > 0;
      inverse_[j] = 1 / d;
      unrolled<j + 1, N>([&](auto i) {
        double l = K(i, j);  // (LD)_ij = K_ij - sum (LD)_ik L_jk
        unrolled<0, j>([&](auto k) { l -= LD(i, k) * L_(j, k); });
        LD(i, j) = l;
        L_(i, j) = l * inverse_[j];
      });
    });
    return positive && std::isfinite(inverse_.squaredNorm());
  }
  // b and x may be the same
  [[gnu::always_inline]] void solve(const Vector& b, Vector& x) const {
    using detail::unrolled;
    Vector y = b;
    unrolled<1, N>([&](auto i) { unrolled<0, i>([&](auto k) { y[i] -= L_(i, k) * y[k]; }); });
    y = y.cwiseProduct(inverse_);
    unrolled<1, N>([&](auto j) {
      constexpr int i = N - 1 - j;
      unrolled<i + 1, N>([&](auto k) { y[i] -= L_(k, i) * y[k]; });
    });
    x = y;
  }

  bool factor_pivoted(const Matrix& K) { return pivoted_.factor_pivoted(K); }
  void solve_pivoted(const Vector& b, Vector& x) const { pivoted_.solve_pivoted(b, x); }

 private:
  Matrix L_;        // below the diagonal
  Vector inverse_;  // 1 / D
  DenseSolver<N> pivoted_;
};

template <int N>
requires(N > 4 || N == Eigen::Dynamic) class SymmetricSolver<DenseSpace<N>> {
 public:
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;
  SymmetricSolver() = default;
  explicit SymmetricSolver(const DenseSpace<N>&) {}

  bool factor(const Matrix& K) {
    cholesky_.compute(K);
    return cholesky_.info() == Eigen::Success && cholesky_.matrixLLT().diagonal().allFinite();
  }
  void solve(const Vector& b, Vector& x) const {
    x = b;
    cholesky_.solveInPlace(x);
  }

  bool factor_pivoted(const Matrix& K) { return pivoted_.factor_pivoted(K); }
  void solve_pivoted(const Vector& b, Vector& x) const { pivoted_.solve_pivoted(b, x); }

 private:
  Eigen::LLT<Matrix> cholesky_;
  DenseSolver<N> pivoted_;
};

}  // namespace actio::algebra
