#pragma once
#include <Eigen/Dense>
#include <actio/algebra/small.hpp>
#include <actio/algebra/vector.hpp>
#include <cmath>
#include <type_traits>
#include <utility>

// Spaces of small systems: vectors and full matrices of fixed size N, or of a size known at run time (N = Eigen::Dynamic). Up to
// N = 4 vectors and matrices are our own (small.hpp), else Eigen's.
namespace actio::algebra {

template <int N>
using DenseVector = std::conditional_t<(N >= 1 && N <= 4), SmallVector<N>, Eigen::Matrix<double, N, 1>>;
template <int N>
using DenseMatrix = std::conditional_t<(N >= 1 && N <= 4), SmallMatrix<N>, Eigen::Matrix<double, N, N>>;

// x = K^-1 b for a general K. factor returns false when K is singular or not finite. Cofactors up to 4 where K is well
// conditioned (Eigen's general factorisations cost 130 ns and more even at n = 2), elimination with partial pivoting elsewhere:
// the residual of cofactors grows with the condition number, that of elimination does not.
template <int N>
class DenseSolver {
 public:
  using Vector = DenseVector<N>;
  using Matrix = DenseMatrix<N>;
  bool factor(const Matrix& K) {
    if constexpr (N == 1) {
      scale_ = 1 / K(0, 0);
      return std::isfinite(scale_);
    } else if constexpr (N == 2) {  // K^-1 = scale adj K, multiplied out only with the right side: the division overlaps
      const double det = K(0, 0) * K(1, 1) - K(0, 1) * K(1, 0);
      scale_ = 1 / det;
      inverse_ = {K(1, 1), -K(0, 1), -K(1, 0), K(0, 0)};
      eliminated_ = !(most_condition * std::abs(det) > K.squaredNorm());
    } else {
      inverse_ = K.eigen().inverse();
      eliminated_ = !(most_condition * most_condition > K.squaredNorm() * inverse_.squaredNorm());
    }
    if (!eliminated_) [[likely]]
      return true;
    return eliminate(K);
  }
  void solve(const Vector& b, Vector& x) const {
    if constexpr (N == 1) {
      x = scale_ * b;
    } else {
      if (eliminated_) [[unlikely]]
        substitute(b, x);
      else if constexpr (N == 2)
        x = scale_ * (inverse_ * b);
      else
        x = inverse_ * b;
    }
  }

 private:
  static constexpr double most_condition = 1e6;  // in the Frobenius norm

  // P K = L U, in inverse_
  [[gnu::noinline, gnu::cold]] bool eliminate(const Matrix& K) {
    Matrix& A = inverse_;
    A = K;
    for (int k = 0; k < N; ++k) {
      int p = k;
      for (int i = k + 1; i < N; ++i)
        if (std::abs(A(i, k)) > std::abs(A(p, k))) p = i;
      pivot_[k] = p;
      for (int j = 0; j < N; ++j) std::swap(A(k, j), A(p, j));
      if (A(k, k) == 0 || !std::isfinite(A(k, k))) return false;
      for (int i = k + 1; i < N; ++i) {
        A(i, k) /= A(k, k);
        for (int j = k + 1; j < N; ++j) A(i, j) -= A(i, k) * A(k, j);
      }
    }
    return true;
  }
  [[gnu::noinline, gnu::cold]] void substitute(const Vector& b, Vector& x) const {
    x = b;
    for (int k = 0; k < N; ++k) std::swap(x[k], x[pivot_[k]]);
    for (int i = 1; i < N; ++i)
      for (int j = 0; j < i; ++j) x[i] -= inverse_(i, j) * x[j];
    for (int i = N - 1; i >= 0; --i) {
      for (int j = i + 1; j < N; ++j) x[i] -= inverse_(i, j) * x[j];
      x[i] /= inverse_(i, i);
    }
  }

  Matrix inverse_;  // or the adjugate, or the factors
  double scale_ = 0;
  bool eliminated_ = false;
  int pivot_[N] = {};
};

template <int N>
requires(N > 4 || N == Eigen::Dynamic) class DenseSolver<N> {
 public:
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;
  bool factor(const Matrix& K) {
    lu_.compute(K);
    const auto diagonal = lu_.matrixLU().diagonal();
    return diagonal.allFinite() && (diagonal.array() != 0).all();
  }
  void solve(const Vector& b, Vector& x) const {
    x.noalias() = lu_.permutationP() * b;
    lu_.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(x);
    lu_.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(x);
  }

 private:
  Eigen::PartialPivLU<Matrix> lu_;
};

template <int N>
struct DenseSpace {
  using Vector = DenseVector<N>;
  using Matrix = DenseMatrix<N>;
  using Solver = DenseSolver<N>;
  static constexpr bool fixed = N != Eigen::Dynamic;
  static constexpr int size = N;  // when fixed
  long n = N;

  Vector vector() const { return Vector::Zero(n); }
  Matrix matrix() const { return Matrix::Zero(n, n); }
  Solver solver() const { return {}; }
  static void clear(Matrix& K) { K.setZero(); }
  static void add(double s, const Matrix& H, Matrix& K) { K += s * H; }
  static void multiply(const Matrix& K, const Vector& x, Vector& y) {
    if constexpr (N >= 1 && N <= 4)
      y = K * x;
    else
      y.noalias() = K * x;
  }
};

// Eigen's types of the size of a dense space; of a sparse one too, which has nothing else.
template <class Space>
struct EigenTypes {
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
};
template <int N>
struct EigenTypes<DenseSpace<N>> {
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;
};
template <class Space>
using EigenVector = typename EigenTypes<Space>::Vector;
template <class Space>
using EigenMatrix = typename EigenTypes<Space>::Matrix;

}  // namespace actio::algebra
