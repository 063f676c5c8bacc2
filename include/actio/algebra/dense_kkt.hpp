#pragma once
#include <Eigen/LU>
#include <actio/algebra/kkt.hpp>
#include <actio/algebra/minimum_norm.hpp>
#include <actio/algebra/small_kkt.hpp>
#include <cmath>

// KKT solvers on dense spaces of fixed sizes N and M, or of sizes known at run time (both Eigen::Dynamic).
namespace actio::algebra {

// L U with partial pivoting of the whole matrix, n + m; where rows may be redundant a complete orthogonal decomposition, which
// gives the smallest multipliers that solve the equations.
template <int N, int M>
class FullKktSolver {
 public:
  static constexpr int size = N == Eigen::Dynamic || M == Eigen::Dynamic ? Eigen::Dynamic : N + M;
  using Vector = DenseVector<N>;
  using Matrix = DenseMatrix<N>;
  using Multipliers = Eigen::Matrix<double, M, 1>;
  using Jacobian = Eigen::Matrix<double, M, N>;

  explicit FullKktSolver(bool regularise = false) requires(size != Eigen::Dynamic) : FullKktSolver(N, M, regularise) {}
  FullKktSolver(long n, long m, bool regularise = false)
      : n_(n),
        m_(m),
        regularise_(regularise),
        A_(Whole::Zero(n + m, n + m)),
        b_(Right::Zero(n + m)),
        x_(b_),
        unit_(b_),
        schur_unit_(Multipliers::Zero(m)),
        lu_(n + m),
        minimum_norm_(n + m),
        row_(Vector::Zero(n)),
        column_(row_),
        products_(n, m),
        schur_(m, m),
        schur_lu_(m) {}

  bool regularised() const { return regularise_; }
  Multipliers multipliers() const { return Multipliers::Zero(m_); }
  Jacobian jacobian() const { return Jacobian::Zero(m_, n_); }
  static void multiply(const Jacobian& G, const Vector& r, Multipliers& y) { y.noalias() = G * eigen(r); }
  static void add_transposed(double w, const Jacobian& G, const Multipliers& g, Vector& x) {
    if constexpr (N >= 1 && N <= 4)
      for (int i = 0; i < N; ++i) x[i] += w * G.col(i).dot(g);
    else
      x.noalias() += w * (G.transpose() * g);
  }

  bool factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0);
  void solve(const Vector& r, const Multipliers& g, Vector& x, Multipliers& y) const;

  // Where K = M is known to be constant, as in small_kkt.hpp.
  template <class Solve>
  void eliminate(Solve&& solve, const Jacobian& G0) {
    for (long k = 0; k < m_; ++k) {
      row_ = G0.row(k).transpose();
      solve(row_, column_);
      products_.col(k) = eigen(column_);
    }
  }
  bool factor_eliminated(const Jacobian& G1);
  void solve_eliminated(const Multipliers& g, Multipliers& y) const;

 private:
  using Whole = Eigen::Matrix<double, size, size>;
  using Right = Eigen::Matrix<double, size, 1>;
  long n_, m_;
  bool regularise_;
  Whole A_;
  mutable Right b_, x_;
  Right unit_;
  Multipliers schur_unit_;
  Eigen::PartialPivLU<Whole> lu_;
  MinimumNorm minimum_norm_;
  Vector row_, column_;
  Eigen::Matrix<double, N, M> products_;  // M^-1 G0'
  Eigen::Matrix<double, M, M> schur_;
  Eigen::PartialPivLU<Eigen::Matrix<double, M, M>> schur_lu_;
};

template <int N, int M>
bool FullKktSolver<N, M>::factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0) {
  // Positions are scaled so that the diagonal of K is 1, and rows of G to the same size: the pivots then show the rank.
  for (long i = 0; i < n_; ++i) unit_[i] = K(i, i) != 0 ? 1 / std::sqrt(std::abs(K(i, i))) : 1;
  for (long j = 0; j < n_; ++j)
    for (long i = 0; i < n_; ++i) A_(i, j) = unit_[i] * unit_[j] * K(i, j);
  double mean = 0;
  for (long k = 0; k < m_; ++k) {
    double square = 0;
    for (long i = 0; i < n_; ++i) square += unit_[i] * unit_[i] * (G1(k, i) * G1(k, i) + G0(k, i) * G0(k, i)) / 2;
    mean += square / static_cast<double>(m_);
    unit_[n_ + k] = square > 0 ? 1 / std::sqrt(square) : 1;
  }
  if (regularise_) unit_.tail(m_).setConstant(mean > 0 ? 1 / std::sqrt(mean) : 1);  // one unit: of the multipliers the smallest
  for (long k = 0; k < m_; ++k)
    for (long i = 0; i < n_; ++i) {
      A_(n_ + k, i) = unit_[n_ + k] * unit_[i] * G1(k, i);
      A_(i, n_ + k) = -unit_[n_ + k] * unit_[i] * G0(k, i);
    }
  if (!A_.allFinite()) return false;
  if (regularise_) {
    minimum_norm_.factor(A_.data());
    return true;
  }
  lu_.compute(A_);
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() > singular_pivot * pivots.maxCoeff();
}
template <int N, int M>
void FullKktSolver<N, M>::solve(const Vector& r, const Multipliers& g, Vector& x, Multipliers& y) const {
  for (long i = 0; i < n_; ++i) b_[i] = unit_[i] * r[i];
  for (long k = 0; k < m_; ++k) b_[n_ + k] = unit_[n_ + k] * g[k];
  if (regularise_) {
    x_ = b_;
    minimum_norm_.solve(x_.data());
  } else {
    x_.noalias() = lu_.permutationP() * b_;
    lu_.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(x_);
    lu_.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(x_);
  }
  for (long i = 0; i < n_; ++i) x[i] = unit_[i] * x_[i];
  for (long k = 0; k < m_; ++k) y[k] = unit_[n_ + k] * x_[n_ + k];
}
template <int N, int M>
bool FullKktSolver<N, M>::factor_eliminated(const Jacobian& G1) {
  schur_.noalias() = G1 * products_;
  if (!schur_.allFinite()) return false;
  for (long k = 0; k < m_; ++k) schur_unit_[k] = schur_(k, k) != 0 ? 1 / std::sqrt(std::abs(schur_(k, k))) : 1;
  for (long l = 0; l < m_; ++l)
    for (long k = 0; k < m_; ++k) schur_(k, l) *= schur_unit_[k] * schur_unit_[l];
  schur_lu_.compute(schur_);
  const auto pivots = schur_lu_.matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() > singular_pivot * pivots.maxCoeff();
}
template <int N, int M>
void FullKktSolver<N, M>::solve_eliminated(const Multipliers& g, Multipliers& y) const {
  for (long k = 0; k < m_; ++k) x_[k] = schur_unit_[k] * g[k];
  y.noalias() = schur_lu_.permutationP() * x_.head(m_);
  schur_lu_.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(y);
  schur_lu_.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(y);
  for (long k = 0; k < m_; ++k) y[k] *= schur_unit_[k];
}
extern template class FullKktSolver<Eigen::Dynamic, Eigen::Dynamic>;

template <int N, int M>
struct DenseKktOf {
  using type = FullKktSolver<N, M>;
};
template <int N, int M>
requires(N >= 1 && N <= 4 && M >= 1 && M <= N) struct DenseKktOf<N, M> {
  using type = SmallKkt<N, M>;
};
// The KKT solver of m = M constraints on DenseSpace<N>.
template <int N, int M>
using DenseKkt = typename DenseKktOf<N, M>::type;

// That of at most N constraints, their number known at run time: BoundedKkt<N>(m). Its multipliers have N entries, those from
// m on zero.
template <int N>
requires(N >= 1 && N <= 4) using BoundedKkt = SmallKkt<N, N>;

static_assert(KktSolver<DenseKkt<4, 2>> && KktSolver<DenseKkt<6, 2>> && KktSolver<DenseKkt<Eigen::Dynamic, Eigen::Dynamic>>);

}  // namespace actio::algebra
