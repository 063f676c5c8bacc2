#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/algebra/vector.hpp>
#include <cmath>

// x = K^-1 b for a symmetric K, if and only if it is positive definite: Cholesky's factorisation, which ends at the first pivot
// that is not positive. Both triangles of K are given; the dense ones read the lower.
namespace actio::algebra {

// Of a space whose solver has `factor_positive`.
template <class Space>
class DefiniteSolver {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  explicit DefiniteSolver(const Space& space) : solver_(symmetric(space).solver()) {}
  bool factor(const Matrix& K) { return solver_.factor_positive(K); }  // false: not positive definite, or not finite
  void solve(const Vector& b, Vector& x) const { solver_.solve(b, x); }

 private:
  // A system whose other matrices are general has symmetric ones too.
  static Space symmetric(Space space) {
    space.symmetric = true;
    return space;
  }
  typename Space::Solver solver_;
};

template <int N>
requires(N >= 1 && N <= 4) class DefiniteSolver<DenseSpace<N>> {
 public:
  using Vector = DenseVector<N>;
  using Matrix = DenseMatrix<N>;
  explicit DefiniteSolver(const DenseSpace<N>&) {}
  bool factor(const Matrix& K) {
    for (int j = 0; j < N; ++j) {
      double d = K(j, j);
      for (int k = 0; k < j; ++k) d -= L_(j, k) * L_(j, k);
      if (!(d > 0) || !std::isfinite(d)) return false;
      L_(j, j) = std::sqrt(d);
      for (int i = j + 1; i < N; ++i) {
        double l = K(i, j);
        for (int k = 0; k < j; ++k) l -= L_(i, k) * L_(j, k);
        L_(i, j) = l / L_(j, j);
      }
    }
    return true;
  }
  void solve(const Vector& b, Vector& x) const {
    Vector y = b;
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) y[i] -= L_(i, k) * y[k];
      y[i] /= L_(i, i);
    }
    for (int i = N - 1; i >= 0; --i) {
      for (int k = i + 1; k < N; ++k) y[i] -= L_(k, i) * y[k];
      y[i] /= L_(i, i);
    }
    x = y;
  }

 private:
  Matrix L_;
};

template <int N>
requires(N > 4 || N == Eigen::Dynamic) class DefiniteSolver<DenseSpace<N>> {
 public:
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;
  explicit DefiniteSolver(const DenseSpace<N>&) {}
  bool factor(const Matrix& K) {
    cholesky_.compute(K);
    return cholesky_.info() == Eigen::Success && cholesky_.matrixLLT().diagonal().allFinite();
  }
  void solve(const Vector& b, Vector& x) const {
    x = b;
    cholesky_.solveInPlace(x);
  }

 private:
  Eigen::LLT<Matrix> cholesky_;
};

}  // namespace actio::algebra
