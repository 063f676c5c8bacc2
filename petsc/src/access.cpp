#include <actio/petsc/access.hpp>
#include <algorithm>
#include <string>

namespace actio::petsc {

Local::Local(const Vector& x) : whole_(x.get()) {
  check(VecGetOwnershipRange(whole_, &first_, &end_));
  ISLocalToGlobalMapping numbers = nullptr;
  check(VecGetLocalToGlobalMapping(whole_, &numbers));
  PetscInt size = 0;
  check(ISLocalToGlobalMappingGetSize(numbers, &size));
  check(ISLocalToGlobalMappingGetIndices(numbers, &numbers_));
  ghosts_ = size - (end_ - first_);
  check(VecGhostGetLocalForm(whole_, &local_));
  check(VecGetArray(local_, &data_));
}

Local::~Local() {
  ISLocalToGlobalMapping numbers = nullptr;
  (void)VecRestoreArray(local_, &data_);
  (void)VecGhostRestoreLocalForm(whole_, &local_);
  (void)VecGetLocalToGlobalMapping(whole_, &numbers);
  (void)ISLocalToGlobalMappingRestoreIndices(numbers, &numbers_);
}

double& Local::ghost(long i) const {
  const PetscInt owned = end_ - first_;
  const PetscInt *begin = numbers_ + owned, *end = begin + ghosts_;
  const PetscInt* found = std::lower_bound(begin, end, i);
  if (found == end || *found != i)
    throw Error("coordinate " + std::to_string(i) + " is neither owned by this rank nor one of its ghosts");
  return data_[owned + (found - begin)];
}

void Local::clear_ghosts() const { std::fill_n(data_ + (end_ - first_), ghosts_, 0.0); }

const Vector& Reader::updated(const Vector& x) {
  check(VecGhostUpdateBegin(x.get(), INSERT_VALUES, SCATTER_FORWARD));
  check(VecGhostUpdateEnd(x.get(), INSERT_VALUES, SCATTER_FORWARD));
  return x;
}

void send_ghosts_home(Vector& y) {
  check(VecGhostUpdateBegin(y.get(), ADD_VALUES, SCATTER_REVERSE));
  check(VecGhostUpdateEnd(y.get(), ADD_VALUES, SCATTER_REVERSE));
}

void finish(Matrix& A) {
  check(MatAssemblyBegin(A.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(A.get(), MAT_FINAL_ASSEMBLY));
}

std::vector<double> gathered(const Vector& x) {
  Handle<Vec, VecDestroy> all;
  Handle<VecScatter, VecScatterDestroy> scatter;
  check(VecScatterCreateToAll(x.get(), scatter.out(), all.out()));
  check(VecScatterBegin(scatter.get(), x.get(), all.get(), INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(scatter.get(), x.get(), all.get(), INSERT_VALUES, SCATTER_FORWARD));
  PetscInt n = 0;
  const double* data = nullptr;
  check(VecGetSize(all.get(), &n));
  check(VecGetArrayRead(all.get(), &data));
  const std::vector<double> values(data, data + n);
  check(VecRestoreArrayRead(all.get(), &data));
  return values;
}

}  // namespace actio::petsc
