#pragma once
#include <actio/algebra/dense.hpp>
#include <cmath>

// The KKT solver of a few coordinates and constraints, all of it in registers.
namespace actio::algebra {

// M rows of N numbers: G(k, i), G[k] the gradient of g_k. Zero when made; from any matrix of Eigen's of that shape.
template <int M, int N>
class SmallRows {
 public:
  constexpr SmallRows() = default;
  template <class D>
  SmallRows(const Eigen::MatrixBase<D>& G) {
    *this = G;
  }
  template <class D>
  SmallRows& operator=(const Eigen::MatrixBase<D>& G) {
    eigen_assert(G.rows() == M && G.cols() == N);
    for (int k = 0; k < M; ++k)
      for (int i = 0; i < N; ++i) (*this)(k, i) = G(k, i);
    return *this;
  }
  static constexpr Eigen::Index rows() { return M; }
  static constexpr Eigen::Index cols() { return N; }
  constexpr double operator()(Eigen::Index k, Eigen::Index i) const { return rows_[k][i]; }
  constexpr double& operator()(Eigen::Index k, Eigen::Index i) { return rows_[k][i]; }
  constexpr const SmallVector<N>& operator[](Eigen::Index k) const { return rows_[k]; }
  constexpr SmallVector<N>& operator[](Eigen::Index k) { return rows_[k]; }
  constexpr void setZero() { *this = SmallRows(); }
  double norm() const {
    double sum = 0;
    for (int k = 0; k < M; ++k) sum += dot(rows_[k], rows_[k]);
    return std::sqrt(sum);
  }

 private:
  SmallVector<N> rows_[M];
};

// A pivot that counts as zero beside the largest.
inline constexpr double singular_pivot = 1e-13;

// b = A^-1 b for an A (size x size, at most 8, by columns), which is overwritten: with full pivoting, or where rows may be
// redundant by a complete orthogonal decomposition. False: singular to `singular_pivot`, or not finite. Allocates
// nothing.
bool solve_small_system(int size, double* A, double* b, bool redundant);

// Where K = M is known to be constant, x is eliminated: A = M^-1 G0' once, by solve(row, column), then for every G1 the matrix
// G1 A alone. Rows from m on are not there. A copy lives in registers.
template <int N, int M>
class EliminatedKkt {
 public:
  using Vector = SmallVector<N>;
  using Multipliers = SmallVector<M>;
  using Jacobian = SmallRows<M, N>;

  explicit EliminatedKkt(long m) {
    for (long k = m; k < M; ++k) absent_[k] = 1;
  }

  template <class Solve>
  [[gnu::always_inline]] void eliminate(Solve&& solve, const Jacobian& G0) {
    for (int k = 0; k < M; ++k) solve(G0[k], A_[k]);
  }
  [[gnu::always_inline]] bool factor_eliminated(const Jacobian& G1) {  // false: G1 A is too ill-conditioned for cofactors
    DenseMatrix<M> S;
    for (int k = 0; k < M; ++k)
      for (int l = 0; l < M; ++l) S(k, l) = product(G1[k], A_[l], k == l ? absent_[k] : 0);
    if constexpr (M > 2) {  // in units in which its diagonal is 1; of two the cofactors need none
      for (int k = 0; k < M; ++k) unit_[k] = 1 / std::sqrt(std::abs(S(k, k)));
      for (int k = 0; k < M; ++k)
        for (int l = 0; l < M; ++l) S(k, l) *= unit_[k] * unit_[l];
    }
    return schur_.factor(S);
  }
  [[gnu::always_inline]] void solve_eliminated(const Multipliers& g, Multipliers& y) const {  // G1 A y = g
    if constexpr (M > 2) {
      schur_.solve(unit_.cwiseProduct(g), y);
      y = unit_.cwiseProduct(y);
    } else {
      schur_.solve(g, y);
    }
  }
  void add_eliminated(const Multipliers& y, Vector& x) const {  // x += A y
    for (int k = 0; k < M; ++k) x += y[k] * A_[k];
  }

 protected:
  // a'b + c, both halves of the sum at once: a step waits for these sums more than for anything else
  [[gnu::always_inline]] static double product(const Vector& a, const Vector& b, double c) {
    double first = c, second = 0;
    for (int i = 0; i < N / 2; ++i) first += a[i] * b[i];
    for (int i = N / 2; i < N; ++i) second += a[i] * b[i];
    return first + second;
  }

 private:
  DenseSolver<M> schur_;
  Vector A_[M];
  Multipliers unit_;    // of the rows of G1 A
  Multipliers absent_;  // 1 for rows that are not there, which makes their diagonal 1
};

// n = N, and m = M; or, where it is made with a number m <= M known at run time, rows from m on that are not there: their
// multipliers and their Jacobian are zero. K and G1 K^-1 G0' by cofactors (dense.hpp); where one of them is no good for that,
// the whole matrix with full pivoting; where rows may be redundant, by a complete orthogonal decomposition: of the multipliers
// that solve the equations the smallest.
template <int N, int M>
class SmallKkt : public EliminatedKkt<N, M> {
 public:
  using Vector = SmallVector<N>;
  using Matrix = SmallMatrix<N>;
  using Multipliers = SmallVector<M>;
  using Jacobian = SmallRows<M, N>;

  using Eliminated = EliminatedKkt<N, M>;

  explicit SmallKkt(long m = M, bool regularise = false) : Eliminated(m), m_(static_cast<int>(m)), regularise_(regularise) {}

  bool regularised() const { return regularise_; }
  Multipliers multipliers() const { return {}; }
  Jacobian jacobian() const { return {}; }
  [[gnu::always_inline]] static void multiply(const Jacobian& G, const Vector& r, Multipliers& y) {
    for (int k = 0; k < M; ++k) y[k] = Eliminated::product(G[k], r, 0);
  }
  [[gnu::always_inline]] static void add_transposed(double w, const Jacobian& G, const Multipliers& g, Vector& x) {
    for (int k = 0; k < M; ++k) x += (w * g[k]) * G[k];
  }

  bool factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0) {
    G1_ = G1;
    whole_ = regularise_ || !mass_.factor(K);
    if (!whole_) [[likely]] {
      this->eliminate([this](const Vector& g, Vector& a) { mass_.solve(g, a); }, G0);
      whole_ = !this->factor_eliminated(G1);
    }
    if (!whole_) [[likely]]
      return true;
    K_ = K;
    G0_ = G0;
    Vector x;
    Multipliers y;
    return solve_whole(x, y);
  }
  void solve(const Vector& r, const Multipliers& g, Vector& x, Multipliers& y) const {
    if (whole_) [[unlikely]] {
      Vector x_whole = r;
      Multipliers y_whole = g;
      solve_whole(x_whole, y_whole);
      x = x_whole;
      y = y_whole;
      return;
    }
    mass_.solve(r, x);
    Multipliers rest;
    multiply(G1_, x, rest);
    rest = g - rest;
    this->solve_eliminated(rest, y);  // G1 K^-1 G0' y = g - G1 K^-1 r
    this->add_eliminated(y, x);       // x = K^-1 (r + G0' y)
  }

 private:
  // (x, y) = the solution for the right sides that they hold; false: singular, or not finite
  [[gnu::noinline, gnu::cold]] bool solve_whole(Vector& x, Multipliers& y) const {
    constexpr int size = N + M;
    double A[size * size] = {}, b[size], s[M];
    const auto at = [&A](int i, int j) -> double& { return A[j * size + i]; };
    // Positions are scaled so that the diagonal of K is 1, and rows of G to the same size: the pivots then show the rank.
    Vector unit;
    for (int i = 0; i < N; ++i) unit[i] = K_(i, i) != 0 ? 1 / std::sqrt(std::abs(K_(i, i))) : 1;
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) at(i, j) = unit[i] * unit[j] * K_(i, j);
      b[i] = unit[i] * x[i];
    }
    double mean = 0;
    for (int k = 0; k < M; ++k) {
      double square = 0;
      for (int i = 0; i < N; ++i) square += unit[i] * unit[i] * (G1_(k, i) * G1_(k, i) + G0_(k, i) * G0_(k, i)) / 2;
      mean += square / m_;
      s[k] = square > 0 ? 1 / std::sqrt(square) : 1;
    }
    for (int k = 0; k < M; ++k) {
      if (regularise_) s[k] = mean > 0 ? 1 / std::sqrt(mean) : 1;  // one unit: of the multipliers the smallest
      for (int i = 0; i < N; ++i) {
        at(N + k, i) = s[k] * unit[i] * G1_(k, i);
        at(i, N + k) = -s[k] * unit[i] * G0_(k, i);
      }
      if (k >= m_) at(N + k, N + k) = 1;
      b[N + k] = s[k] * y[k];
    }
    if (!solve_small_system(size, A, b, regularise_)) return false;
    for (int i = 0; i < N; ++i) x[i] = unit[i] * b[i];
    for (int k = 0; k < M; ++k) y[k] = s[k] * b[N + k];
    return true;
  }

  DenseSolver<N> mass_;
  Jacobian G1_, G0_;
  Matrix K_;
  int m_;
  bool regularise_, whole_ = false;
};

}  // namespace actio::algebra
