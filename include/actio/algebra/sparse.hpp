#pragma once
#include <Eigen/SparseCore>
#include <actio/algebra/digits.hpp>
#include <actio/algebra/vector.hpp>
#include <actio/core/archive.hpp>
#include <memory>
#include <span>

// The space of large systems on one machine: dynamic vectors, a sparse matrix whose pattern never changes, and factorisations
// that order it once.
namespace actio::algebra {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// Where a matrix may have entries (both triangles and the diagonal), with what the solvers find out about it: orderings and the
// layout of factors, made when a factorisation first needs them. Copies, and the solvers made from them, share all of it.
class SparsePattern {
 public:
  SparsePattern() noexcept = default;
  SparsePattern(std::shared_ptr<const SparseMatrix> matrix);  // NOLINT: what it is made of is what it stands for
  SparsePattern(std::shared_ptr<SparseMatrix> matrix) : SparsePattern(std::shared_ptr<const SparseMatrix>(std::move(matrix))) {}
  explicit operator bool() const { return analysis_ != nullptr; }
  const SparseMatrix& operator*() const;
  const SparseMatrix* operator->() const { return &**this; }

 private:
  friend class SparseSolver;
  struct Analysis;
  std::shared_ptr<Analysis> analysis_;
};

// x = K^-1 b with K of a fixed pattern, both triangles stored.
//   symmetric  L D L' written for what the pattern is after reordering: blocks of up to 16 coordinates, a long chain or ring
//              (tridiagonal, with corners), a band of up to 16 entries beside the diagonal; else L L' by supernodes (METIS)
//              where the factor has enough work per entry, else L D L' without pivoting (AMD ordering). Where K is not positive
//              definite: L D L', and L U where a pivot of that is unsound
//   general    L U with partial pivoting (KLU), pivots reused while they stay sound
// A solve allocates nothing after the first; a factorisation allocates nothing after the first but by supernodes. Copies share
// the numbers until one of them factors again, and may be used by different threads. Throws core::InputError when a factor would
// have more than 2e9 entries.
class SparseSolver {
 public:
  SparseSolver() noexcept;
  SparseSolver(SparsePattern pattern, bool symmetric);
  SparseSolver(const SparseMatrix& pattern, bool symmetric);
  ~SparseSolver();
  SparseSolver(const SparseSolver&);
  SparseSolver(SparseSolver&&) noexcept;
  SparseSolver& operator=(SparseSolver) noexcept;

  bool factor(const SparseMatrix& K);                               // false: a zero pivot, or not finite
  bool factor_pivoted(const SparseMatrix& K) { return factor(K); }  // it pivots where it must
  bool factor_positive(const SparseMatrix& K);  // symmetric only. False: not positive definite, and nothing else is tried
  // Digits::few: a large factor by supernodes is read in single precision, where that is exact enough, in half the time. It is
  // kept beside the other, in half of its memory, from the first such call on.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x, Digits digits = Digits::all) const;
  void solve_pivoted(const Eigen::VectorXd& b, Eigen::VectorXd& x) const { solve(b, x); }
  bool factor_and_solve(const SparseMatrix& K, const Eigen::VectorXd& b, Eigen::VectorXd& x);  // a chain or ring in one pass

  bool positive() const;  // symmetric only: every pivot is positive
  // D_i of L D L' (or L_ii^2) of each coordinate, after a symmetric factorisation; a factorisation by supernodes that failed
  // leaves 0 at the coordinate it failed at and NaN at those behind it and some before.
  void pivots(Eigen::VectorXd& d) const;
  // What later factorisations depend on beside their own matrix; a factorisation comes before the next solve.
  void archive(core::Archive& a);
  double nonzeros() const;  // of L (and U), diagonal included; what explicit zeros the supernodes add are not counted
  // What the last factorisation cost, in solves, each with the assembly of another K; 0 where that is little. From counts of
  // operations and entries: it is the same wherever it is asked.
  double cost_in_solves() const;
  long factorisations() const { return factorisations_; }  // made by this solver, and by the one it is a copy of until then
  const char* method() const;                              // "banded L D L'", "supernodal L L'", "L U", ...: the last

 private:
  struct Numbers;
  struct Work;
  Numbers& own();
  Numbers* own_structured();  // ready to factor; null where the pattern is nothing of the kind
  bool factor_indefinite(const SparseMatrix& K);
  SparsePattern pattern_;
  bool symmetric_ = true;
  long factorisations_ = 0;
  std::shared_ptr<Numbers> numbers_;
  std::unique_ptr<Work> work_;
};

// y += s K x for a symmetric K with both triangles stored, row by row: nothing is scattered. This and the next two by several
// threads where K is large, to the same bits.
void add_symmetric_product(double s, const SparseMatrix& K, const Eigen::VectorXd& x, Eigen::VectorXd& y);
void clear_entries(SparseMatrix& K);                                 // K = 0, with its pattern
void add_entries(double s, const SparseMatrix& H, SparseMatrix& K);  // K += s H, of one pattern

struct SparseSpace {
  using Vector = Eigen::VectorXd;
  using Matrix = SparseMatrix;
  using Solver = SparseSolver;
  static constexpr bool static_size = false;
  long n = 0;
  SparsePattern pattern;  // values zero
  bool symmetric = true;

  Vector vector() const { return Vector::Zero(n); }
  Matrix matrix() const { return pattern ? *pattern : Matrix(); }
  Solver solver() const { return pattern ? Solver(pattern, symmetric) : Solver(); }
  static void clear(Matrix& K) { clear_entries(K); }
  static void archive(core::Archive& a, Matrix& K) {
    std::span<double> values(K.valuePtr(), static_cast<std::size_t>(K.nonZeros()));
    a(values);
  }
  static void add(double s, const Matrix& H, Matrix& K) { add_entries(s, H, K); }
  // d = the diagonal of K; false where K has more than that
  static bool diagonal(const Matrix& K, Vector& d) {
    d.setZero(K.rows());
    for (Eigen::Index j = 0; j < K.outerSize(); ++j)
      for (Matrix::InnerIterator it(K, j); it; ++it)
        if (it.row() == j)
          d[j] = it.value();
        else if (it.value() != 0)
          return false;
    return true;
  }
  static void multiply(const Matrix& K, const Vector& x, Vector& y) { y.noalias() = K * x; }
  static void multiply_symmetric(const Matrix& K, const Vector& x, Vector& y) {
    y.setZero();
    add_symmetric_product(1, K, x, y);
  }
};

}  // namespace actio::algebra
