#pragma once
#include <petscksp.h>

#include <actio/petsc/matrix.hpp>
#include <memory>
#include <string>

namespace actio::petsc {

// What solvers have done, and what went wrong last.
struct SolverLog {
  long solves = 0, iterations = 0;  // of iterative solvers
  std::string failure;              // "" where nothing did
};

// Options of PETSc name an iterative solver: -ksp_type or -pc_type, with the prefix before the name.
bool iterative(const char* prefix);

// x = K^-1 b as PETSc's options say, to a relative residual of 1e-12 unless they say otherwise (-ksp_rtol). Copies share the
// preconditioner until one of them factors again. All members are collective and say the same on all ranks.
class Krylov {
 public:
  // `fallback`, `preconditioner`: types where the options name none.
  Krylov(std::string prefix, const char* fallback, const char* preconditioner, std::shared_ptr<SolverLog> log)
      : prefix_(std::move(prefix)), fallback_(fallback), preconditioner_(preconditioner), log_(std::move(log)) {}
  bool factor(const Matrix& K);  // makes the preconditioner; false: it cannot be made, or K is not finite. K lives as long
  void solve(const Vector& b, Vector& x) const;  // x is NaN where the iteration does not converge: a step with it fails

 private:
  static PetscErrorCode destroy(KSP* ksp) { return KSPDestroy(ksp); }
  std::string prefix_;
  const char *fallback_, *preconditioner_;
  std::shared_ptr<SolverLog> log_;
  std::shared_ptr<Handle<KSP, &Krylov::destroy>> ksp_;
};

}  // namespace actio::petsc
