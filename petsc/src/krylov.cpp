#include <actio/petsc/krylov.hpp>
#include <cmath>
#include <limits>

namespace actio::petsc {

bool iterative(const char* prefix) {
  PetscBool ksp = PETSC_FALSE, pc = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, prefix, "-ksp_type", &ksp));
  check(PetscOptionsHasName(nullptr, prefix, "-pc_type", &pc));
  return ksp || pc;
}

bool Krylov::factor(const Matrix& K) {
  if (!std::isfinite(squared_norm(K))) return false;
  if (!ksp_ || ksp_.use_count() > 1) {
    ksp_ = std::make_shared<Handle<KSP, &Krylov::destroy>>();
    check(KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(K.get())), ksp_->out()));
    KSP ksp = ksp_->get();
    PC pc = nullptr;
    check(KSPSetOptionsPrefix(ksp, prefix_.c_str()));
    check(KSPSetType(ksp, fallback_));
    check(KSPGetPC(ksp, &pc));
    if (preconditioner_) check(PCSetType(pc, preconditioner_));
    check(KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
    check(KSPSetOperators(ksp, K.get(), K.get()));
    check(KSPSetFromOptions(ksp));
  }
  check(KSPSetOperators(ksp_->get(), K.get(), K.get()));
  check(KSPSetUp(ksp_->get()));
  PC pc = nullptr;
  PCFailedReason reason = PC_NOERROR;
  check(KSPGetPC(ksp_->get(), &pc));
  check(PCGetFailedReason(pc, &reason));
  int mine = reason != PC_NOERROR, any = 0;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, PetscObjectComm(reinterpret_cast<PetscObject>(K.get())));
  if (any && log_) log_->failure = "PETSc cannot make its preconditioner of the step's matrix";
  return !any;
}

void Krylov::solve(const Vector& b, Vector& x) const {
  KSP ksp = ksp_->get();
  check(KSPSolve(ksp, b.get(), x.get()));
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  check(KSPGetConvergedReason(ksp, &reason));
  check(KSPGetIterationNumber(ksp, &iterations));
  if (log_) {
    ++log_->solves;
    log_->iterations += iterations;
  }
  if (reason > 0) return;
  if (log_) {
    const char *words = "", *type = "";
    check(KSPGetConvergedReasonString(ksp, &words));
    check(KSPGetType(ksp, &type));
    log_->failure =
        std::string("PETSc's ") + type + " did not converge in " + std::to_string(iterations) + " iterations (" + words + ")";
  }
  check(VecSet(x.get(), std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace actio::petsc
