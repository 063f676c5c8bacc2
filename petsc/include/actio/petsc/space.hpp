#pragma once
#include <actio/petsc/solver.hpp>
#include <memory>

namespace actio::petsc {

// The space of systems distributed over processes. Copies share its shape.
//
//   const Range mine = range(comm, 2 * nodes);                        // coordinates first to end - 1 are of this rank
//   Space space(comm, 2 * nodes, {mine.end, mine.end + 1}, places);   // two ghosts; places of the Hessian
//   Vector q = space.vector();
class Space {
 public:
  using Vector = petsc::Vector;
  using Matrix = petsc::Matrix;
  using Solver = petsc::Solver;
  static constexpr bool static_size = false;
  long n = 0;  // coordinates, on all ranks together

  // `owned` coordinates on this rank. ghosts: those of other ranks that this one reads and adds to. places: of a matrix, diagonal
  // included, those that this rank adds to, in any row. Collective.
  Space(MPI_Comm comm, PetscInt owned, std::vector<PetscInt> ghosts, std::span<const Entry> places)
      : shape_(std::make_shared<const Shape>(Shape{zero(comm, owned, std::move(ghosts)), zero(comm, owned, owned, places)})) {
    n = shape_->vector.size();
  }

  Vector vector() const { return shape_->vector; }
  Matrix matrix() const { return shape_->matrix; }
  Solver solver() const { return Solver(); }
  static void clear(Matrix& K) { check(MatZeroEntries(K.get())); }
  // K += s H, of one pattern
  static void add(double s, const Matrix& H, Matrix& K) { check(MatAXPY(K.get(), s, H.get(), SAME_NONZERO_PATTERN)); }
  static void multiply(const Matrix& K, const Vector& x, Vector& y) { check(MatMult(K.get(), x.get(), y.get())); }

 private:
  struct Shape {
    Vector vector;
    Matrix matrix;
  };
  std::shared_ptr<const Shape> shape_;
};

}  // namespace actio::petsc
