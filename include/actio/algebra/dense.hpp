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

// x = K^-1 b for a general K: factor and solve by cofactors up to N = 4 (Eigen's general factorisations cost 130 ns and more even
// at n = 2; its inverses read packets of numbers that were just stored one by one, which wait for memory), where false says that
// K is singular, not finite, or so ill-conditioned that cofactors would leave a large residual; factor_pivoted and solve_pivoted
// by elimination with partial pivoting for those. Above N = 4 both are that.
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
      return most_condition * std::abs(det) > std::abs(K(0, 0) * K(1, 1));  // what cancels, if anything does
    } else if constexpr (N == 3) {
      const double c0 = K(1, 1) * K(2, 2) - K(1, 2) * K(2, 1), c1 = K(1, 2) * K(2, 0) - K(1, 0) * K(2, 2),
                   c2 = K(1, 0) * K(2, 1) - K(1, 1) * K(2, 0);
      scale_ = 1 / (K(0, 0) * c0 + K(0, 1) * c1 + K(0, 2) * c2);
      inverse_(0, 0) = c0, inverse_(1, 0) = c1, inverse_(2, 0) = c2;
      inverse_(0, 1) = K(0, 2) * K(2, 1) - K(0, 1) * K(2, 2);
      inverse_(1, 1) = K(0, 0) * K(2, 2) - K(0, 2) * K(2, 0);
      inverse_(2, 1) = K(0, 1) * K(2, 0) - K(0, 0) * K(2, 1);
      inverse_(0, 2) = K(0, 1) * K(1, 2) - K(0, 2) * K(1, 1);
      inverse_(1, 2) = K(0, 2) * K(1, 0) - K(0, 0) * K(1, 2);
      inverse_(2, 2) = K(0, 0) * K(1, 1) - K(0, 1) * K(1, 0);
      return scale_adjugate(K);
    } else {
      // minors of the upper two rows, u_jk, and of the lower two, l_jk
      const auto u = [&](int j, int k) { return K(0, j) * K(1, k) - K(0, k) * K(1, j); };
      const auto l = [&](int j, int k) { return K(2, j) * K(3, k) - K(2, k) * K(3, j); };
      const double u01 = u(0, 1), u02 = u(0, 2), u03 = u(0, 3), u12 = u(1, 2), u13 = u(1, 3), u23 = u(2, 3);
      const double l01 = l(0, 1), l02 = l(0, 2), l03 = l(0, 3), l12 = l(1, 2), l13 = l(1, 3), l23 = l(2, 3);
      scale_ = 1 / (u01 * l23 - u02 * l13 + u03 * l12 + u12 * l03 - u13 * l02 + u23 * l01);
      inverse_(0, 0) = K(1, 1) * l23 - K(1, 2) * l13 + K(1, 3) * l12;
      inverse_(0, 1) = K(0, 2) * l13 - K(0, 1) * l23 - K(0, 3) * l12;
      inverse_(0, 2) = K(3, 1) * u23 - K(3, 2) * u13 + K(3, 3) * u12;
      inverse_(0, 3) = K(2, 2) * u13 - K(2, 1) * u23 - K(2, 3) * u12;
      inverse_(1, 0) = K(1, 2) * l03 - K(1, 0) * l23 - K(1, 3) * l02;
      inverse_(1, 1) = K(0, 0) * l23 - K(0, 2) * l03 + K(0, 3) * l02;
      inverse_(1, 2) = K(3, 2) * u03 - K(3, 0) * u23 - K(3, 3) * u02;
      inverse_(1, 3) = K(2, 0) * u23 - K(2, 2) * u03 + K(2, 3) * u02;
      inverse_(2, 0) = K(1, 0) * l13 - K(1, 1) * l03 + K(1, 3) * l01;
      inverse_(2, 1) = K(0, 1) * l03 - K(0, 0) * l13 - K(0, 3) * l01;
      inverse_(2, 2) = K(3, 0) * u13 - K(3, 1) * u03 + K(3, 3) * u01;
      inverse_(2, 3) = K(2, 1) * u03 - K(2, 0) * u13 - K(2, 3) * u01;
      inverse_(3, 0) = K(1, 1) * l02 - K(1, 0) * l12 - K(1, 2) * l01;
      inverse_(3, 1) = K(0, 0) * l12 - K(0, 1) * l02 + K(0, 2) * l01;
      inverse_(3, 2) = K(3, 1) * u02 - K(3, 0) * u12 - K(3, 2) * u01;
      inverse_(3, 3) = K(2, 0) * u12 - K(2, 1) * u02 + K(2, 2) * u01;
      return scale_adjugate(K);
    }
  }
  void solve(const Vector& b, Vector& x) const {
    if constexpr (N == 1)
      x = scale_ * b;
    else if constexpr (N == 2)
      x = scale_ * (inverse_ * b);
    else
      x = inverse_ * b;
  }

  bool factor_pivoted(const Matrix& K) {
    inverse_ = K;
    Vector b;
    return eliminate(K, b);
  }
  void solve_pivoted(const Vector& b, Vector& x) const {
    Vector y = b;
    eliminate(inverse_, y);
    x = y;
  }

 private:
  static constexpr double most_condition = 1e6;

  // The adjugate becomes the inverse; false where |K| |K^-1| is above most_condition, or not finite.
  bool scale_adjugate(const Matrix& K) {
    inverse_ *= scale_;
    return most_condition * most_condition > K.squaredNorm() * inverse_.squaredNorm();
  }

  // b = A^-1 b; false when A is singular or not finite
  [[gnu::noinline, gnu::cold]] static bool eliminate(Matrix A, Vector& b) {
    for (int k = 0; k < N; ++k) {
      int p = k;
      for (int i = k + 1; i < N; ++i)
        if (std::abs(A(i, k)) > std::abs(A(p, k))) p = i;
      for (int j = k; j < N; ++j) std::swap(A(k, j), A(p, j));
      std::swap(b[k], b[p]);
      if (A(k, k) == 0 || !std::isfinite(A(k, k))) return false;
      for (int i = k + 1; i < N; ++i) {
        const double l = A(i, k) / A(k, k);
        for (int j = k + 1; j < N; ++j) A(i, j) -= l * A(k, j);
        b[i] -= l * b[k];
      }
    }
    for (int i = N - 1; i >= 0; --i) {
      for (int j = i + 1; j < N; ++j) b[i] -= A(i, j) * b[j];
      b[i] /= A(i, i);
    }
    return true;
  }

  Matrix inverse_;    // or, at n = 2, the adjugate; or K itself where it is eliminated
  double scale_ = 0;  // one over the determinant
};

template <int N>
class PivotedSolver {
 public:
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;
  bool factor(const Matrix& K);
  void solve(const Vector& b, Vector& x) const;

  bool factor_pivoted(const Matrix& K) { return factor(K); }
  void solve_pivoted(const Vector& b, Vector& x) const { solve(b, x); }

 private:
  Eigen::PartialPivLU<Matrix> lu_;
};

template <int N>
bool PivotedSolver<N>::factor(const Matrix& K) {
  lu_.compute(K);
  const auto diagonal = lu_.matrixLU().diagonal();
  return diagonal.allFinite() && (diagonal.array() != 0).all();
}
template <int N>
void PivotedSolver<N>::solve(const Vector& b, Vector& x) const {
  x.noalias() = lu_.permutationP() * b;
  lu_.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(x);
  lu_.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(x);
}
extern template class PivotedSolver<Eigen::Dynamic>;

template <int N>
requires(N > 4 || N == Eigen::Dynamic) class DenseSolver<N> : public PivotedSolver<N> {
};

// M^-1, symmetric; false where M is not positive definite.
bool invert_positive_definite(const Eigen::MatrixXd& M, Eigen::MatrixXd& inverse);

template <int N>
struct DenseSpace {
  using Vector = DenseVector<N>;
  using Matrix = DenseMatrix<N>;
  using Solver = DenseSolver<N>;
  static constexpr bool static_size = N != Eigen::Dynamic;
  static constexpr int size = N;  // when fixed
  long n = N;

  Vector vector() const { return Vector::Zero(n); }
  Matrix matrix() const { return Matrix::Zero(n, n); }
  Solver solver() const { return {}; }
  static void clear(Matrix& K) { K.setZero(); }
  static void add(double s, const Matrix& H, Matrix& K) { K += s * H; }
  // d = the diagonal of K; false where K has more than that
  static bool diagonal(const Matrix& K, Vector& d) {
    for (Eigen::Index j = 0; j < K.cols(); ++j)
      for (Eigen::Index i = 0; i < K.rows(); ++i)
        if (i != j && K(i, j) != 0) return false;
    d = K.diagonal();
    return true;
  }
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
