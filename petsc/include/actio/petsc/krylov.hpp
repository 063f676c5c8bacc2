#pragma once
#include <petscksp.h>

#include <actio/petsc/matrix.hpp>
#include <actio/petsc/preconditioner_reuse.hpp>
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

// x = K^-1 b as PETSc's options say, to a relative residual of 1e-12 unless they say otherwise (-ksp_rtol), in the norm of
// PETSc's solver. A preconditioner that costs several iterations serves later matrices as well (preconditioner_reuse.hpp), as it
// was made of a copy of an earlier one; the products are with K. Where it leads nowhere it is made anew. Copies share it until
// one of them factors again. All members are collective and say the same on all ranks.
class Krylov {
 public:
  // `fallback`, `preconditioner`: types where the options name none.
  Krylov(std::string prefix, const char* fallback, const char* preconditioner, std::shared_ptr<SolverLog> log)
      : prefix_(std::move(prefix)), fallback_(fallback), preconditioner_(preconditioner), log_(std::move(log)) {}
  // False: a preconditioner cannot be made, or K is not finite. K is the same matrix each time, and lives as long.
  bool factor(const Matrix& K);
  void solve(const Vector& b, Vector& x) const;  // x is NaN where the iteration does not converge: a step with it fails
  // solve/forcing.hpp; no more exactly than -ksp_rtol. What K is solved by direct means leaves eta = 0.
  bool solve(const Vector& b, Vector& x, double& eta) const;
  long reused() const { return reused_; }  // calls of factor that needed nothing new
  // The preconditioner as the matrix it was made of; `like` has its pattern.
  void archive(core::Archive& a, const Matrix& like);

 private:
  static PetscErrorCode destroy(KSP* ksp) { return KSPDestroy(ksp); }
  struct Made {
    Handle<KSP, &Krylov::destroy> ksp;
    Matrix of;              // what the preconditioner was made of; empty: of K itself
    bool is_made = false;   // of that
    bool archived = false;  // to be made of that
    bool old = false;       // made of another matrix than K
    double rtol = 0;        // -ksp_rtol
    PetscInt most = 0;      // -ksp_max_it
    double made_with = 0;   // operations, all ranks together
    PreconditionerReuse reuse;
  };
  void create(const Matrix& K) const;
  bool make(const Matrix& K) const;
  bool run(const Vector& b, Vector& x, double& eta) const;
  std::string prefix_;
  const char *fallback_, *preconditioner_;
  std::shared_ptr<SolverLog> log_;
  std::shared_ptr<Made> made_;
  const Matrix* K_ = nullptr;
  mutable long reused_ = 0;
};

}  // namespace actio::petsc
