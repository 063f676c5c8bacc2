#pragma once
#include <Eigen/SparseCore>
#include <actio/algebra/vector.hpp>
#include <memory>

// The space of large systems on one machine: dynamic vectors, a sparse matrix whose pattern never changes, and factorisations
// that order it once and allocate nothing afterwards.
namespace actio::algebra {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// x = K^-1 b with K of a fixed pattern, both triangles stored. Symmetric: L D L' without pivoting (AMD ordering), and L U where
// an indefinite K makes a pivot of that unsound. General: L U with partial pivoting (KLU), pivots reused while they stay sound.
class SparseSolver {
 public:
  SparseSolver() noexcept;
  SparseSolver(const SparseMatrix& pattern, bool symmetric);
  ~SparseSolver();
  SparseSolver(const SparseSolver&);  // the symbolic analysis is made again, the numbers are not copied
  SparseSolver(SparseSolver&&) noexcept;
  SparseSolver& operator=(SparseSolver) noexcept;
  bool factor(const SparseMatrix& K);  // false: a zero pivot, or not finite
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;
  bool factor_pivoted(const SparseMatrix& K) { return factor(K); }  // it pivots where it must
  void solve_pivoted(const Eigen::VectorXd& b, Eigen::VectorXd& x) const { solve(b, x); }
  bool positive() const;  // symmetric only: every pivot of D is positive

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

struct SparseSpace {
  using Vector = Eigen::VectorXd;
  using Matrix = SparseMatrix;
  using Solver = SparseSolver;
  static constexpr bool fixed = false;
  long n = 0;
  std::shared_ptr<const SparseMatrix> pattern;  // both triangles and the diagonal; values zero
  bool symmetric = true;

  Vector vector() const { return Vector::Zero(n); }
  Matrix matrix() const { return pattern ? *pattern : Matrix(); }
  Solver solver() const { return pattern ? Solver(*pattern, symmetric) : Solver(); }
  static void clear(Matrix& K) { K.coeffs().setZero(); }
  static void add(double s, const Matrix& H, Matrix& K) { K.coeffs() += s * H.coeffs(); }  // K += s H, of one pattern
  static void multiply(const Matrix& K, const Vector& x, Vector& y) { y.noalias() = K * x; }
};

}  // namespace actio::algebra
