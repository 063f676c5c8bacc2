#pragma once
#include <actio/algebra/kkt.hpp>
#include <actio/algebra/sparse.hpp>
#include <memory>

namespace actio::algebra {

using SparseJacobian = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;  // (m x n), a row a constraint

// The KKT solver of large systems on one machine: Jacobians of a constant pattern, compressed. Where K is diagonal, m unknowns
// are left, G1 K^-1 G0', unless that fills up. Else, where each constraint holds one coordinate of its own (a prescribed
// boundary), K is factored as it is without constraints; so it is where there are some others beside, few for what that costs: a
// link between nodes of a large solid. Else all n + m unknowns are. But for K's, factors are L U with partial pivoting (KLU) in
// an order of minimum degree, which for chains and trees of links is of linear cost. Rows that may be redundant: those that
// follow from others, as the first G0 has it, are left out and have no multipliers, until what is left loses rank;
// factor_sharing() regularises all alike, by 1e-11 of the mean diagonal of G1 K^-1 G0', so that of the multipliers it is the
// smallest that solve. A factorisation allocates nothing after the first few, a solve nothing after the first. A copy shares what
// was found out about the pattern, and factors before it solves, unless the last factorisation was of K: that it has as well.
class SparseKkt {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = SparseMatrix;
  using Multipliers = Eigen::VectorXd;
  using Jacobian = SparseJacobian;

  SparseKkt() noexcept = default;
  SparseKkt(const SparseSpace& space, SparseJacobian pattern, bool regularise = false);
  SparseKkt(const SparseKkt&);
  SparseKkt(SparseKkt&&) noexcept;
  SparseKkt& operator=(SparseKkt) noexcept;
  ~SparseKkt();

  bool regularised() const { return regularise_; }
  Multipliers multipliers() const;
  Jacobian jacobian() const;
  static void multiply(const Jacobian& G, const Vector& r, Multipliers& y) { y.noalias() = G * r; }
  static void add_transposed(double w, const Jacobian& G, const Multipliers& g, Vector& x);

  // Leaves of a K that is factored many times only its diagonal, where that is all it has and all that factor() needs: the mass
  // on the pattern of a stiffness.
  void compress(Matrix& K) const;
  bool factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0);
  void solve(const Vector& r, const Multipliers& g, Vector& x, Multipliers& y, Digits digits = Digits::all) const;
  // K, G, G where rows may be redundant: multipliers are then shared.
  bool factor_sharing(const Matrix& K, const Jacobian& G);
  // Which rows follow from others is found out anew. True: they are not those that it was before.
  bool choose_rows(const Matrix& K, const Jacobian& G);

  // What later factorisations depend on beside their own matrices; a factorisation comes before the next solve.
  void archive(core::Archive& a);
  // After archive(): the last factorisation as well, where cost_in_solves() is not 0. False: it cannot be made again.
  bool archive_factor(core::Archive& a);

  bool refactored() const;  // the last call of factor() made a factor: K was not that of the one before
  // A factor of K is at hand that serves this G0, or is made to, which costs much less than a factorisation.
  bool holds(const Jacobian& G0);
  // What the last factorisation cost, in solves; 0 where that is little, and where it was not of K.
  double cost_in_solves() const;
  double nonzeros() const;     // of the factors of the last factorisation
  const char* method() const;  // "K of what is not held", "K, bordered", "G1 K^-1 G0'", "all unknowns": what it was of

 private:
  struct Analysis;
  struct Numbers;
  enum class Rows { all, independent, regularised };
  bool factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0, Rows rows);
  std::shared_ptr<const Analysis> analysis_;
  bool regularise_ = false;
  std::unique_ptr<Numbers> numbers_;
};

static_assert(KktSolver<SparseKkt>);

}  // namespace actio::algebra
