#pragma once
#include <actio/algebra/sparse.hpp>
#include <actio/petsc/krylov.hpp>
#include <actio/petsc/partition.hpp>
#include <actio/petsc/solver.hpp>
#include <actio/petsc/vector.hpp>
#include <memory>
#include <span>
#include <vector>

// The space of a model of which every rank computes a share (local_model.hpp): vectors are PETSc's, with ghosts; a matrix is what
// this rank adds to it, by its own coordinates, and becomes one of PETSc's where it is factored.
namespace actio::petsc {

struct DistributedMatrix {
  algebra::SparseMatrix local;  // rows and columns: owned coordinates, then ghosts
  std::shared_ptr<const PartitionChecksum> partition_checksum{};
};

// A vector's numbers on this rank, owned ones and ghosts.
class LocalForm {
 public:
  explicit LocalForm(const Vector& x);
  ~LocalForm();
  LocalForm(const LocalForm&) = delete;
  LocalForm& operator=(const LocalForm&) = delete;
  Eigen::Map<Eigen::VectorXd> operator*() const { return {data_, size_}; }

 private:
  Vec whole_, local_ = nullptr;
  double* data_ = nullptr;
  PetscInt size_ = 0;
};
void update_ghosts(const Vector& x);  // as their owners have them
void send_ghosts_home(Vector& y);     // what is in ghosts is added to their owners

// What every matrix of a space has in common.
struct DistributedShape {
  Vector vector;
  std::shared_ptr<const algebra::SparseMatrix> pattern;  // of the local matrices, zero; null where none is asked for
  std::vector<PetscInt> number;                          // of every local coordinate
  PetscInt owned = 0;
  Vector places;  // [m] rest places of nodes, where every coordinate is one of a solid's: for the near null space; else empty
  std::vector<PetscInt> fixed_dofs;  // of the coordinates that this rank owns, 0 the first
  std::shared_ptr<SolverLog> log;
  std::shared_ptr<const PartitionChecksum> partition_checksum;
};

// x = K^-1 b: by MUMPS, or as PETSc's options say where they name a solver. Copies share the factor until one of them factors
// again.
class DistributedSolver {
 public:
  DistributedSolver() = default;
  // The prefix of its options; those of a mass are easily solved for, and by default Jacobi's preconditioner is. `singular`: of
  // MUMPS (solver.hpp).
  DistributedSolver(std::shared_ptr<const DistributedShape> shape, bool of_mass, double singular = 0)
      : shape_(std::move(shape)), of_mass_(of_mass), null_below_(singular) {}
  bool factor(const DistributedMatrix& K);
  bool factor_pivoted(const DistributedMatrix& K) { return factor(K); }
  void solve(const Vector& b, Vector& x) const;
  void solve(const Vector& b, Vector& x, algebra::Digits) const { solve(b, x); }
  void solve_pivoted(const Vector& b, Vector& x) const { solve(b, x); }
  bool solve(const Vector& b, Vector& x, double& eta) const;  // solve/forcing.hpp
  // The last K is singular, as far as is known: MUMPS came upon a pivot that is none; or a solid that moves as a whole, or a
  // motion x, which an iteration that failed has left, costs no energy.
  bool singular() const;
  bool singular(const Vector& x) const;
  double nonzeros() const;
  // The cost of a factorisation by MUMPS; 0 for a preconditioner, whose reuse krylov.hpp decides by its own count.
  double cost_in_solves() const;
  long reused() const;  // such that were not made anew
  void archive(core::Archive& a);

 private:
  struct Numbers;
  std::shared_ptr<const DistributedShape> shape_;
  std::shared_ptr<Numbers> numbers_;
  bool of_mass_ = false;
  double null_below_ = 0;
};

class DistributedSpace {
 public:
  using Vector = petsc::Vector;
  using Matrix = DistributedMatrix;
  using Solver = DistributedSolver;
  static constexpr bool static_size = false;
  long n = 0;  // coordinates, on all ranks together

  explicit DistributedSpace(std::shared_ptr<const DistributedShape> shape) : n(shape->vector.size()), shape_(std::move(shape)) {}
  Vector vector() const { return shape_->vector; }
  Matrix matrix() const { return shape_->pattern ? Matrix{*shape_->pattern, shape_->partition_checksum} : Matrix{}; }
  Solver solver(double singular = 0) const { return Solver(shape_, false, singular); }
  const DistributedShape& shape() const { return *shape_; }
  static void clear(Matrix& K) { K.local.coeffs().setZero(); }
  static void add(double s, const Matrix& H, Matrix& K) { K.local.coeffs() += s * H.local.coeffs(); }
  static void multiply(const Matrix& K, const Vector& x, Vector& y);
  // What this rank adds to K.
  static void archive(core::Archive& a, Matrix& K) {
    K.partition_checksum->archive(a);
    std::span<double> values(K.local.valuePtr(), static_cast<std::size_t>(K.local.nonZeros()));
    a(values);
  }

 private:
  std::shared_ptr<const DistributedShape> shape_;
};

}  // namespace actio::petsc
