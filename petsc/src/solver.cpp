#include <actio/petsc/solver.hpp>
#include <algorithm>
#include <cmath>

namespace actio::petsc {
namespace {

// MUMPS's controls
constexpr int operations = 3;  // of an elimination
constexpr int root_by_blocks = 13, extra_memory = 14, find_null_pivots = 24, null_pivots = 28, null_below = 3;
constexpr int most_extra = 3000;  // percent beside MUMPS's estimate: what delayed pivots may ask for

}  // namespace

bool Solver::factor(const Matrix& K) {
  null_pivots_ = 0;
  if (!std::isfinite(squared_norm(K))) return false;  // MUMPS does not look
  ++factorisations_;
  for (int extra = 0; extra < most_extra; extra = 2 * extra + 100) {
    const bool analysed = factor_ && factor_.use_count() == 1;
    if (!analysed) {
      auto fresh = std::make_shared<Factor>();
      check(MatGetFactor(K.get(), MATSOLVERMUMPS, MAT_FACTOR_LU, fresh->mat.out()));
      check(MatMumpsSetIcntl(fresh->mat.get(), root_by_blocks, 1));  // no: null pivots are not found there
      check(MatMumpsSetIcntl(fresh->mat.get(), find_null_pivots, 1));
      check(MatMumpsSetCntl(fresh->mat.get(), null_below, singular_));
      check(MatLUFactorSymbolic(fresh->mat.get(), K.get(), nullptr, nullptr, nullptr));
      MatInfo info;
      check(MatGetInfo(K.get(), MAT_GLOBAL_SUM, &info));
      fresh->entries = info.nz_used;
      factor_ = std::move(fresh);
    }
    Mat F = factor_->mat.get();
    if (extra > 0) check(MatMumpsSetIcntl(F, extra_memory, extra));
    check(MatLUFactorNumeric(F, K.get(), nullptr));
    MatFactorError error = MAT_FACTOR_NOERROR;
    check(MatFactorGetError(F, &error));
    if (error == MAT_FACTOR_OUTMEMORY) continue;
    PetscInt lost = 0;
    check(MatMumpsGetInfog(F, null_pivots, &lost));
    null_pivots_ = error == MAT_FACTOR_NUMERIC_ZEROPIVOT ? std::max<long>(lost, 1) : lost;
    return error == MAT_FACTOR_NOERROR && lost == 0;
  }
  return false;
}

void Solver::solve(const Vector& b, Vector& x) const { check(MatSolve(factor_->mat.get(), b.get(), x.get())); }

double Solver::nonzeros() const {
  if (!factor_) return 0;
  MatInfo info;
  check(MatGetInfo(factor_->mat.get(), MAT_GLOBAL_SUM, &info));
  return info.nz_used;
}

double Solver::cost_in_solves() const {
  // Nanoseconds of one core, within a factor of 1.5 for solids of 15000 to 60000 coordinates. More cores share all of it.
  constexpr double operation = 0.03, entry = 10, solved = 1, assembled = 8, least_operations = 1e6;
  if (!factor_) return 0;
  double count = 0;
  check(MatMumpsGetRinfog(factor_->mat.get(), operations, &count));
  if (!(count >= least_operations)) return 0;
  const double entries = nonzeros();
  return (count * operation + entries * entry) / (entries * solved + factor_->entries * assembled);
}

}  // namespace actio::petsc
