#include <actio/petsc/access.hpp>
#include <actio/petsc/distributed_space.hpp>
#include <actio/petsc/rigid_motions.hpp>
#include <optional>

namespace actio::petsc {

LocalForm::LocalForm(const Vector& x) : whole_(x.get()) {
  check(VecGhostGetLocalForm(whole_, &local_));
  check(VecGetLocalSize(local_, &size_));
  check(VecGetArray(local_, &data_));
}
LocalForm::~LocalForm() {
  (void)VecRestoreArray(local_, &data_);
  (void)VecGhostRestoreLocalForm(whole_, &local_);
}

void update_ghosts(const Vector& x) {
  check(VecGhostUpdateBegin(x.get(), INSERT_VALUES, SCATTER_FORWARD));
  check(VecGhostUpdateEnd(x.get(), INSERT_VALUES, SCATTER_FORWARD));
}

void DistributedSpace::multiply(const Matrix& K, const Vector& x, Vector& y) {
  update_ghosts(x);
  {
    const LocalForm from(x), to(y);
    (*to).noalias() = K.local * *from;
  }
  send_ghosts_home(y);
}

namespace {

constexpr double free_motion = 1e-15;  // energy beside that of its numbers each for itself

// Fixed coordinates have rows and columns of their own; what a preconditioner mixes into them is not theirs. On all ranks,
// whether they have such or not: PETSc counts who has written to a vector.
void hold(const DistributedShape& shape, const Vector& b, Vector& x) {
  const double* right = nullptr;
  double* data = nullptr;
  check(VecGetArrayRead(b.get(), &right));
  check(VecGetArray(x.get(), &data));
  for (const PetscInt i : shape.fixed_dofs)
    if (right[i] == 0) data[i] = 0;
  check(VecRestoreArray(x.get(), &data));
  check(VecRestoreArrayRead(b.get(), &right));
}

}  // namespace

// K of PETSc, and its factor or preconditioner.
struct DistributedSolver::Numbers {
  Numbers(const DistributedShape& shape, bool of_mass, double singular);
  Matrix K;
  Solver direct;
  std::optional<Krylov> krylov;
};

DistributedSolver::Numbers::Numbers(const DistributedShape& shape, bool of_mass, double singular) : direct(singular) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(shape.vector.get()));
  const algebra::SparseMatrix& pattern = *shape.pattern;
  {
    std::vector<Entry> entries;
    entries.reserve(static_cast<std::size_t>(pattern.nonZeros()));
    for (int j = 0; j < pattern.outerSize(); ++j)
      for (algebra::SparseMatrix::InnerIterator it(pattern, j); it; ++it)
        entries.push_back({shape.number[static_cast<std::size_t>(it.row())], shape.number[static_cast<std::size_t>(j)]});
    K = zero(comm, shape.owned, shape.owned, entries, shape.places.get() ? 3 : 1);
  }
  const bool listed = iterative(nullptr);
  if (of_mass ? !listed && !iterative("mass_") : !listed) return;
  if (of_mass)
    krylov.emplace("mass_", KSPCG, PCJACOBI, shape.log);
  else
    krylov.emplace("", KSPGMRES, nullptr, shape.log);
  if (shape.places.get() == nullptr) return;
  check(MatSetNearNullSpace(K.get(), rigid_motions(shape.places, shape.fixed_dofs).get()));
}

bool DistributedSolver::factor(const DistributedMatrix& K) {
  if (!numbers_ || numbers_.use_count() > 1) numbers_ = std::make_shared<Numbers>(*shape_, of_mass_, null_below_);
  check(MatSetValuesCOO(numbers_->K.get(), K.local.valuePtr(), INSERT_VALUES));
  return numbers_->krylov ? numbers_->krylov->factor(numbers_->K) : numbers_->direct.factor(numbers_->K);
}

void DistributedSolver::solve(const Vector& b, Vector& x) const {
  if (!numbers_->krylov) return numbers_->direct.solve(b, x);
  numbers_->krylov->solve(b, x);
  hold(*shape_, b, x);
}

bool DistributedSolver::solve(const Vector& b, Vector& x, double& eta) const {
  if (numbers_->krylov) {
    const bool solved = numbers_->krylov->solve(b, x, eta);
    hold(*shape_, b, x);
    return solved;
  }
  numbers_->direct.solve(b, x);
  eta = 0;
  return true;
}

bool DistributedSolver::singular() const {
  if (!numbers_) return false;
  return numbers_->krylov ? least_energy(numbers_->K) < free_motion : numbers_->direct.singular();
}

bool DistributedSolver::singular(const Vector& x) const {
  return singular() || (numbers_ && numbers_->krylov && least_energy(numbers_->K, x) < free_motion);
}

double DistributedSolver::cost_in_solves() const { return numbers_ && !numbers_->krylov ? numbers_->direct.cost_in_solves() : 0; }

long DistributedSolver::reused() const { return numbers_ && numbers_->krylov ? numbers_->krylov->reused() : 0; }

void DistributedSolver::archive(core::Archive& a) {
  bool iterates = numbers_ && numbers_->krylov;
  a(iterates);
  if (a.reading()) numbers_ = iterates ? std::make_shared<Numbers>(*shape_, of_mass_, null_below_) : nullptr;
  if (iterates && !numbers_->krylov)
    throw core::InputError("the checkpoint is of a run with an iterative solver",
                           "resume with the PETSc options of that run, after --");
  if (!iterates) return;
  shape_->partition_checksum->archive(a);
  numbers_->krylov->archive(a, numbers_->K);
}

double DistributedSolver::nonzeros() const {
  if (!numbers_) return 0;
  if (!numbers_->krylov) return numbers_->direct.nonzeros();
  MatInfo info;
  check(MatGetInfo(numbers_->K.get(), MAT_GLOBAL_SUM, &info));
  return info.nz_used;
}

}  // namespace actio::petsc
