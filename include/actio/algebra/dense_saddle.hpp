#pragma once
#include <Eigen/LU>
#include <Eigen/QR>
#include <actio/algebra/saddle.hpp>
#include <actio/algebra/small_saddle.hpp>
#include <cmath>

// Saddles on dense spaces of fixed sizes N and M, or of sizes known at run time (both Eigen::Dynamic).
namespace actio::algebra {

// L U with partial pivoting of the whole matrix, n + m; where rows may be redundant a complete orthogonal decomposition, which
// gives the smallest multipliers that solve the equations.
template <int N, int M>
class WholeSaddle {
 public:
  static constexpr int size = N == Eigen::Dynamic || M == Eigen::Dynamic ? Eigen::Dynamic : N + M;
  using Vector = DenseVector<N>;
  using Matrix = DenseMatrix<N>;
  using Multipliers = Eigen::Matrix<double, M, 1>;
  using Jacobian = Eigen::Matrix<double, M, N>;

  explicit WholeSaddle(bool relax = false) requires(size != Eigen::Dynamic) : WholeSaddle(N, M, relax) {}
  WholeSaddle(long n, long m, bool relax = false)
      : n_(n),
        m_(m),
        relax_(relax),
        A_(Whole::Zero(n + m, n + m)),
        b_(Right::Zero(n + m)),
        x_(b_),
        lu_(n + m),
        decomposition_(n + m, n + m),
        row_(Vector::Zero(n)),
        column_(row_),
        products_(n, m),
        schur_(m, m),
        schur_lu_(m) {
    decomposition_.setThreshold(singular);
  }

  bool relaxed() const { return relax_; }
  Multipliers multipliers() const { return Multipliers::Zero(m_); }
  Jacobian jacobian() const { return Jacobian::Zero(m_, n_); }
  static void multiply(const Jacobian& G, const Vector& r, Multipliers& y) { y.noalias() = G * eigen(r); }
  static void add_transposed(double w, const Jacobian& G, const Multipliers& g, Vector& x) {
    if constexpr (N >= 1 && N <= 4)
      for (int i = 0; i < N; ++i) x[i] += w * G.col(i).dot(g);
    else
      x.noalias() += w * (G.transpose() * g);
  }

  bool factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0) {
    for (long j = 0; j < n_; ++j)
      for (long i = 0; i < n_; ++i) A_(i, j) = K(i, j);
    const double size_of_K = A_.topLeftCorner(n_, n_).norm(), size_of_G = std::sqrt((G1.squaredNorm() + G0.squaredNorm()) / 2);
    scale_ = size_of_G > 0 && size_of_K > 0 ? size_of_K / size_of_G : 1;  // multipliers in units that make G as large as K
    A_.bottomLeftCorner(m_, n_) = scale_ * G1;
    A_.topRightCorner(n_, m_) = -scale_ * G0.transpose();
    if (!A_.allFinite()) return false;
    if (relax_) {
      decomposition_.compute(A_);
      return true;
    }
    lu_.compute(A_);
    const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
    return pivots.minCoeff() > singular * pivots.maxCoeff();
  }
  void solve(const Vector& r, const Multipliers& g, Vector& x, Multipliers& y) const {
    for (long i = 0; i < n_; ++i) b_[i] = r[i];
    b_.tail(m_) = scale_ * g;
    if (relax_) {
      x_ = decomposition_.solve(b_);
    } else {
      x_.noalias() = lu_.permutationP() * b_;
      lu_.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(x_);
      lu_.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(x_);
    }
    for (long i = 0; i < n_; ++i) x[i] = x_[i];
    y = scale_ * x_.tail(m_);
  }

  // Where K = M is known to be constant, as in small_saddle.hpp.
  template <class Solve>
  void eliminate(Solve&& solve, const Jacobian& G0) {
    for (long k = 0; k < m_; ++k) {
      row_ = G0.row(k).transpose();
      solve(row_, column_);
      products_.col(k) = eigen(column_);
    }
  }
  bool factor_eliminated(const Jacobian& G1) {
    schur_.noalias() = G1 * products_;
    if (!schur_.allFinite()) return false;
    schur_lu_.compute(schur_);
    const auto pivots = schur_lu_.matrixLU().diagonal().cwiseAbs();
    return pivots.minCoeff() > singular * pivots.maxCoeff();
  }
  void solve_eliminated(const Multipliers& g, Multipliers& y) const {
    y.noalias() = schur_lu_.permutationP() * g;
    schur_lu_.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(y);
    schur_lu_.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(y);
  }

 private:
  using Whole = Eigen::Matrix<double, size, size>;
  using Right = Eigen::Matrix<double, size, 1>;
  using Decomposition = Eigen::CompleteOrthogonalDecomposition<Whole>;
  static constexpr double singular = 1e-13;  // a pivot beside the largest
  long n_, m_;
  bool relax_;
  double scale_ = 1;
  Whole A_;
  mutable Right b_, x_;
  Eigen::PartialPivLU<Whole> lu_;
  Decomposition decomposition_;
  Vector row_, column_;
  Eigen::Matrix<double, N, M> products_;  // M^-1 G0'
  Eigen::Matrix<double, M, M> schur_;
  Eigen::PartialPivLU<Eigen::Matrix<double, M, M>> schur_lu_;
};

template <int N, int M>
struct DenseSaddleOf {
  using type = WholeSaddle<N, M>;
};
template <int N, int M>
requires(N >= 1 && N <= 4 && M >= 1 && M <= N) struct DenseSaddleOf<N, M> {
  using type = SmallSaddle<N, M>;
};
// The saddle of m = M constraints on DenseSpace<N>.
template <int N, int M>
using DenseSaddle = typename DenseSaddleOf<N, M>::type;

// That of at most N constraints, their number known at run time: BoundedSaddle<N>(m). Its multipliers have N entries, those from
// m on zero.
template <int N>
requires(N >= 1 && N <= 4) using BoundedSaddle = SmallSaddle<N, N>;

static_assert(Saddle<DenseSaddle<4, 2>> && Saddle<DenseSaddle<6, 2>> && Saddle<DenseSaddle<Eigen::Dynamic, Eigen::Dynamic>>);

}  // namespace actio::algebra
