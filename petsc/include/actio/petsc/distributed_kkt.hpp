#pragma once
#include <actio/algebra/kkt.hpp>
#include <actio/algebra/sparse_kkt.hpp>
#include <actio/petsc/distributed_space.hpp>
#include <actio/petsc/partition.hpp>
#include <memory>

namespace actio::petsc {

// Rows: constraints of this rank. Columns: its coordinates, then its ghosts.
struct DistributedJacobian {
  algebra::SparseJacobian local;
};

// The linear algebra of constrained steps (algebra/kkt.hpp) of a model of which every rank computes a share: both equations as
// one sparse matrix of PETSc's, where the multipliers of a rank follow its coordinates, factored by MUMPS whatever PETSc's
// options say of solvers. Redundant rows of G are reported, not regularised. Copies share the factor until one of them factors
// again.
class DistributedKkt {
 public:
  using Vector = petsc::Vector;
  using Matrix = DistributedMatrix;
  using Multipliers = petsc::Vector;
  using Jacobian = DistributedJacobian;

  // `pattern`: of the Jacobian of this rank. Collective.
  DistributedKkt(const DistributedSpace& space, const Partition& partition, Jacobian pattern);

  static constexpr bool regularised() { return false; }
  Multipliers multipliers() const { return shape_->multipliers; }
  Jacobian jacobian() const { return shape_->jacobian; }
  static void multiply(const Jacobian& G, const Vector& x, Multipliers& y);
  static void add_transposed(double w, const Jacobian& G, const Multipliers& y, Vector& x);

  bool factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0);
  void solve(const Vector& r, const Multipliers& g, Vector& x, Multipliers& y) const;

 private:
  struct Shape {
    DistributedSpace space;
    MPI_Comm comm;
    Multipliers multipliers;
    Jacobian jacobian;                     // zero
    std::vector<PetscInt> of_coordinates;  // row in the matrix of both, of every local coordinate
    std::vector<PetscInt> of_constraints;  // of the constraints of this rank
    PetscInt owned = 0;                    // rows of this rank
  };
  struct System {
    explicit System(const Shape& shape);
    petsc::Matrix A;
    std::vector<double> values;  // of K, G1, -G0'
    Solver solver{1e-13};
    mutable Vector right, solution;
  };
  std::shared_ptr<const Shape> shape_;
  std::shared_ptr<System> system_;
};

static_assert(algebra::KktSolver<DistributedKkt>);

}  // namespace actio::petsc
