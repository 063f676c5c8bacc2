#include <actio/system/mass_factor.hpp>

#include <actio/system/mechanical.hpp>
#include <algorithm>

namespace actio::system {

namespace {

bool same(const algebra::SparseMatrix& A, const algebra::SparseMatrix& B) {
  const auto equal = [](const auto* a, const auto* b, Eigen::Index count) { return std::equal(a, a + count, b); };
  return A.rows() == B.rows() && A.nonZeros() == B.nonZeros() && equal(A.outerIndexPtr(), B.outerIndexPtr(), A.cols() + 1) &&
         equal(A.innerIndexPtr(), B.innerIndexPtr(), A.nonZeros()) && equal(A.valuePtr(), B.valuePtr(), A.nonZeros());
}

}  // namespace

algebra::SparseSolver MassFactor::of(const algebra::SparseMatrix& M) {
  const std::scoped_lock lock(one_at_a_time_);
  if (!of_ || !same(*of_, M)) factor(M);
  return solver_;
}

void MassFactor::factor(const algebra::SparseMatrix& M) {
  const algebra::SparsePattern pattern(std::make_shared<const algebra::SparseMatrix>(M));
  algebra::SparseSolver solver(pattern, true);
  const bool positive = solver.factor_positive(M);
  Eigen::VectorXd pivots;
  solver.pivots(pivots);
  for (long i = 0; i < pivots.size(); ++i)
    if (pivots[i] <= 1e-14 * M.coeff(static_cast<int>(i), static_cast<int>(i))) {  // what round-off leaves of a singular mass
      if (refuse_) refuse_(i, pivots[i]);
      throw_not_positive_definite();
    }
  if (!positive) {
    if (refuse_) refuse_(-1, 0);
    throw_not_positive_definite();
  }
  of_ = pattern;
  solver_ = std::move(solver);
}

}  // namespace actio::system
