#include <actio/petsc/krylov.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace actio::petsc {
namespace {

MPI_Comm comm_of(const Matrix& K) { return PetscObjectComm(reinterpret_cast<PetscObject>(K.get())); }

// Operations of all ranks so far, as PETSc counts them.
double operations(const Matrix& K) {
  double mine = 0, all = 0;
  check(PetscGetFlops(&mine));
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm_of(K));
  return all;
}

bool direct(KSP ksp) {
  PetscBool only = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ksp), KSPPREONLY, &only));
  return only;
}

Matrix copy(const Matrix& K) {
  Matrix out = K;
  MatNullSpace rigid = nullptr;
  check(MatGetNearNullSpace(K.get(), &rigid));
  if (rigid) check(MatSetNearNullSpace(out.get(), rigid));
  return out;
}

// |b - K x| / |b|
double rest(const Matrix& K, const Vector& b, const Vector& x) {
  Vector r = like(b);
  check(MatMult(K.get(), x.get(), r.get()));
  r -= b;
  const double size = dot(b, b);
  return size > 0 ? std::sqrt(dot(r, r) / size) : 0;
}

// f(numbers) of the blocks of this rank's rows
template <class F>
void for_each_block(Mat A, F&& f) {
  Mat diagonal = A, off = nullptr;
  PetscBool parallel = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(A), MATMPIAIJ, &parallel));
  if (parallel) check(MatMPIAIJGetSeqAIJ(A, &diagonal, &off, nullptr));
  for (Mat part : {diagonal, off}) {
    if (!part) continue;
    MatInfo info;
    double* data = nullptr;
    check(MatGetInfo(part, MAT_LOCAL, &info));
    check(MatSeqAIJGetArray(part, &data));
    std::span<double> numbers(data, static_cast<std::size_t>(info.nz_used));
    f(numbers);
    check(MatSeqAIJRestoreArray(part, &data));
  }
}

}  // namespace

bool iterative(const char* prefix) {
  PetscBool ksp = PETSC_FALSE, pc = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, prefix, "-ksp_type", &ksp));
  check(PetscOptionsHasName(nullptr, prefix, "-pc_type", &pc));
  return ksp || pc;
}

void Krylov::create(const Matrix& K) const {
  Made& m = *made_;
  check(KSPCreate(comm_of(K), m.ksp.out()));
  KSP ksp = m.ksp.get();
  PC pc = nullptr;
  check(KSPSetOptionsPrefix(ksp, prefix_.c_str()));
  check(KSPSetType(ksp, fallback_));
  check(KSPGetPC(ksp, &pc));
  if (preconditioner_) check(PCSetType(pc, preconditioner_));
  check(KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
  check(KSPSetOperators(ksp, K.get(), K.get()));
  check(KSPSetFromOptions(ksp));
  check(KSPSetResidualHistory(ksp, nullptr, PETSC_DECIDE, PETSC_TRUE));
  check(KSPGetTolerances(ksp, &m.rtol, nullptr, nullptr, &m.most));
  // Of one matrix, and so that it can be made again of that: nothing of it is older.
  PetscBool listed = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, prefix_.c_str(), "-pc_gamg_reuse_interpolation", &listed));
  if (!listed) check(PCGAMGSetReuseInterpolation(pc, PETSC_FALSE));
}

// The preconditioner, of m.of where that says something, else of K.
bool Krylov::make(const Matrix& K) const {
  Made& m = *made_;
  const double before = operations(K);
  Mat of = m.of.get() ? m.of.get() : K.get();
  PC pc = nullptr;
  PCFailedReason reason = PC_NOERROR;
  check(KSPGetPC(m.ksp.get(), &pc));
  check(PCSetFailedReason(pc, PC_NOERROR));  // of an earlier matrix: one of blocks does not take it back
  check(KSPSetOperators(m.ksp.get(), K.get(), of));
  check(KSPSetUp(m.ksp.get()));
  check(KSPSetUpOnBlocks(m.ksp.get()));
  check(PCGetFailedReason(pc, &reason));
  const bool failed = on_any(comm_of(K), reason != PC_NOERROR);
  if (failed && log_) log_->failure = "PETSc cannot compute the preconditioner of the step's matrix";
  m.made_with = operations(K) - before;
  m.is_made = !failed;
  m.archived = false;
  return !failed;
}

bool Krylov::factor(const Matrix& K) {
  if (!std::isfinite(squared_norm(K))) return false;
  if (!made_ || made_.use_count() > 1) made_ = std::make_shared<Made>();
  Made& m = *made_;
  K_ = &K;
  if (!m.ksp) create(K);
  const bool keeps = !direct(m.ksp.get()) && (!m.reuse.known() || m.reuse.worth_reusing());
  if (keeps && m.of.get() && (m.is_made || m.archived) && !m.reuse.should_rebuild()) {
    m.old = true;
    if (m.is_made)
      check(KSPSetOperators(m.ksp.get(), K.get(), m.of.get()));
    else if (!make(K))
      return false;
    ++reused_;
    return true;
  }
  if (keeps && m.of.get()) {
    check(MatCopy(K.get(), m.of.get(), SAME_NONZERO_PATTERN));
  } else if (keeps) {
    m.of = copy(K);
  } else {
    m.of = {};
  }
  m.old = false;
  m.reuse.made();
  return make(K);
}

// One run of PETSc's solver; eta becomes the reduction that it reached, in its own norm. It ignores -ksp_atol, because no
// residual is small in itself.
bool Krylov::run(const Vector& b, Vector& x, double& eta) const {
  Made& m = *made_;
  KSP ksp = m.ksp.get();
  const double wanted = std::max(eta, m.rtol), digits = std::min(16.0, -std::log10(wanted));
  const double most = m.old ? std::min<double>(m.most, m.reuse.patience(digits)) : m.most;
  check(KSPSetTolerances(ksp, wanted, 0, PETSC_DEFAULT, static_cast<PetscInt>(most)));
  const double before = m.reuse.known() ? 0 : operations(*K_);
  check(KSPSolve(ksp, b.get(), x.get()));
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  check(KSPGetConvergedReason(ksp, &reason));
  check(KSPGetIterationNumber(ksp, &iterations));
  if (log_) {
    ++log_->solves;
    log_->iterations += iterations;
  }
  if (reason <= 0) return false;
  if (direct(ksp)) {
    eta = 0;
    return true;
  }
  KSPNormType norm = KSP_NORM_DEFAULT;
  const double* history = nullptr;  // of so many iterations
  PetscInt count = 0;
  double norm_left = 0;
  check(KSPGetNormType(ksp, &norm));
  check(KSPGetResidualHistory(ksp, &history, &count));
  check(KSPGetResidualNorm(ksp, &norm_left));
  if (norm == KSP_NORM_NONE || count == 0)
    eta = rest(*K_, b, x);
  else
    eta = history[0] > 0 ? norm_left / history[0] : 0;
  if (iterations == 0) return eta == 0;                                                                   // x = 0
  if (!m.reuse.known()) m.reuse.set_cost(1.5 * m.made_with / ((operations(*K_) - before) / iterations));  // they take longer each
  m.reuse.solved(iterations, eta > 0 ? -std::log10(eta) : digits);
  return true;
}

bool Krylov::solve(const Vector& b, Vector& x, double& eta) const {
  Made& m = *made_;
  const double wanted = eta;
  if (!std::isfinite(dot(b, b))) return false;
  if (run(b, x, eta)) return true;
  if (m.old) {  // again with one of this matrix
    --reused_;
    m.old = false;
    m.reuse.made();
    check(MatCopy(K_->get(), m.of.get(), SAME_NONZERO_PATTERN));
    eta = wanted;
    if (!make(*K_)) return false;
    if (run(b, x, eta)) return true;
  }
  if (!log_) return false;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  const char *words = "", *type = "";
  check(KSPGetConvergedReason(m.ksp.get(), &reason));
  check(KSPGetIterationNumber(m.ksp.get(), &iterations));
  check(KSPGetConvergedReasonString(m.ksp.get(), &words));
  check(KSPGetType(m.ksp.get(), &type));
  log_->failure =
      std::string("PETSc's ") + type + " did not converge in " + std::to_string(iterations) + " iterations (" + words + ")";
  return false;
}

void Krylov::solve(const Vector& b, Vector& x) const {
  double eta = 0;
  if (!solve(b, x, eta)) check(VecSet(x.get(), std::numeric_limits<double>::quiet_NaN()));
}

void Krylov::archive(core::Archive& a, const Matrix& like) {
  bool keeps = made_ && made_->of.get();
  a(reused_, keeps);
  if (a.reading()) made_ = keeps ? std::make_shared<Made>() : nullptr;
  if (!keeps) return;
  a(made_->reuse);
  if (a.reading()) {
    made_->of = copy(like);
    made_->archived = true;
  }
  for_each_block(made_->of.get(), [&](std::span<double> numbers) { a(numbers); });
  if (!a.reading()) return;
  check(MatAssemblyBegin(made_->of.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(made_->of.get(), MAT_FINAL_ASSEMBLY));
}

}  // namespace actio::petsc
