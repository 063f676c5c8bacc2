#pragma once
#include <petscmat.h>

#include <actio/petsc/vector.hpp>
#include <span>

namespace actio::petsc {

// A place of a matrix, in numbers of the whole matrix.
struct Entry {
  PetscInt row = 0, column = 0;
};

// A sparse matrix whose rows are distributed over processes and whose pattern never changes. Square, or a Jacobian.
class Matrix {
 public:
  Matrix() = default;  // of no shape: takes that of what is assigned to it
  explicit Matrix(Mat owned) noexcept : A_(owned) {}
  Matrix(const Matrix& other) { *this = other; }
  Matrix(Matrix&&) noexcept = default;
  Matrix& operator=(const Matrix& other);
  Matrix& operator=(Matrix&&) noexcept = default;
  Matrix& operator*=(double s) {
    check(MatScale(get(), s));
    return *this;
  }
  Mat get() const { return A_.get(); }

 private:
  Handle<Mat, MatDestroy> A_;
};

// Zero, with `rows` rows and as many entries of a vector it is multiplied with as `columns` on this rank, and places for these
// entries: those this rank adds to, in rows of any rank; none is repeated for nothing. Its rows come in
// blocks of that size. Collective.
Matrix zero(MPI_Comm comm, PetscInt rows, PetscInt columns, std::span<const Entry> entries, PetscInt block = 1);
// The sum of squares of all entries: not finite if one of them is not.
double squared_norm(const Matrix& A);

}  // namespace actio::petsc
