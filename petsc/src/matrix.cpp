#include <actio/petsc/matrix.hpp>

namespace actio::petsc {

Matrix& Matrix::operator=(const Matrix& other) {
  if (this == &other) return *this;
  if (!other.A_) {
    A_ = {};
  } else if (!A_) {
    check(MatDuplicate(other.get(), MAT_COPY_VALUES, A_.out()));
  } else {
    check(MatCopy(other.get(), get(), SAME_NONZERO_PATTERN));
  }
  return *this;
}

Matrix zero(MPI_Comm comm, PetscInt rows, PetscInt columns, std::span<const Entry> entries, PetscInt block) {
  Mat mat = nullptr;
  check(MatCreate(comm, &mat));
  Matrix A(mat);
  check(MatSetSizes(mat, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(mat, MATAIJ));
  if (block > 1) check(MatSetBlockSize(mat, block));
  std::vector<PetscInt> i, j;  // PETSc reorders them
  i.reserve(entries.size());
  j.reserve(entries.size());
  for (const Entry& e : entries) {
    i.push_back(e.row);
    j.push_back(e.column);
  }
  check(MatSetPreallocationCOO(mat, static_cast<PetscCount>(i.size()), i.data(), j.data()));
  check(MatZeroEntries(mat));
  check(MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY));
  check(MatSetOption(mat, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
  return A;
}

double squared_norm(const Matrix& A) {
  double norm = 0;
  check(MatNorm(A.get(), NORM_FROBENIUS, &norm));
  return norm * norm;
}

}  // namespace actio::petsc
