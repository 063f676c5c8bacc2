#pragma once
#include <Eigen/Dense>
#include <actio/algebra/vector.hpp>
#include <cmath>

// Spaces of small systems: vectors and full matrices of fixed size N, or of a size known at run time (N = Eigen::Dynamic).
namespace actio::algebra {

// x = K^-1 b for a general K. factor returns false when K is singular or not finite. Cofactors up to 4 (Eigen's general
// factorisations cost 130 ns and more even at n = 2), partial pivoting above. Newton corrects what cofactors lose.
template <int N>
class DenseSolver {
 public:
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;
  bool factor(const Matrix& K) {
    if constexpr (N == 1) {
      scale_ = 1 / K(0, 0);
    } else if constexpr (N == 2) {  // K^-1 = scale adj K, multiplied out only with the right side: the division overlaps
      scale_ = 1 / (K(0, 0) * K(1, 1) - K(0, 1) * K(1, 0));
      inverse_(0, 0) = K(1, 1);
      inverse_(0, 1) = -K(0, 1);
      inverse_(1, 0) = -K(1, 0);
      inverse_(1, 1) = K(0, 0);
    } else {
      inverse_.noalias() = K.inverse();
      scale_ = inverse_(0, 0);
    }
    return std::isfinite(scale_);
  }
  void solve(const Vector& b, Vector& x) const {
    if constexpr (N == 1)
      x[0] = scale_ * b[0];
    else if constexpr (N == 2)
      x = Vector(scale_ * (inverse_(0, 0) * b[0] + inverse_(0, 1) * b[1]),
                 scale_ * (inverse_(1, 0) * b[0] + inverse_(1, 1) * b[1]));
    else
      x.noalias() = inverse_ * b;
  }

 private:
  Matrix inverse_;
  double scale_ = 0;
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
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;
  using Solver = DenseSolver<N>;
  static constexpr bool fixed = N != Eigen::Dynamic;
  long n = N;

  Vector vector() const { return Vector::Zero(n); }
  Matrix matrix() const { return Matrix::Zero(n, n); }
  Solver solver() const { return {}; }
  static void clear(Matrix& K) { K.setZero(); }
  static void multiply(const Matrix& K, const Vector& x, Vector& y) { y.noalias() = K * x; }
};

}  // namespace actio::algebra
