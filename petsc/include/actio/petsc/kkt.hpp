#pragma once
#include <actio/algebra/kkt.hpp>
#include <actio/petsc/space.hpp>

namespace actio::petsc {

// The linear algebra of constrained steps (algebra/kkt.hpp): multipliers and the rows of G distributed over processes; both
// equations as one sparse matrix, where the multipliers of a rank follow its coordinates, factored by MUMPS. Redundant
// rows of G are reported, not regularised. Copies share the factor until one of them factors again.
class KktSolver {
 public:
  using Vector = petsc::Vector;
  using Matrix = petsc::Matrix;
  using Multipliers = petsc::Vector;
  using Jacobian = petsc::Matrix;

  // `owned` constraints on this rank; `places` of G (constraint, coordinate) that this rank adds to. Collective.
  KktSolver(const Space& space, PetscInt owned, std::span<const Entry> places);

  static constexpr bool regularised() { return false; }
  Multipliers multipliers() const { return shape_->multipliers; }
  Jacobian jacobian() const { return shape_->jacobian; }
  static void multiply(const Jacobian& G, const Vector& x, Multipliers& y) { check(MatMult(G.get(), x.get(), y.get())); }
  static void add_transposed(double w, const Jacobian& G, const Multipliers& y, Vector& x);

  bool factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0);
  void solve(const Vector& r, const Multipliers& g, Vector& x, Multipliers& y) const;
  double nonzeros() const { return system_ ? system_->solver.nonzeros() : 0; }

 private:
  struct Shape {
    Multipliers multipliers;
    Jacobian jacobian;
  };
  struct System {
    System(const Matrix& K, const Jacobian& G);
    void set(const Matrix& K, const Jacobian& G1, const Jacobian& G0);
    PetscInt coordinates = 0, constraints = 0;  // of this rank
    Matrix A;
    std::vector<double> values;
    Solver solver{1e-13};
    mutable Vector right, solution;
  };
  std::shared_ptr<const Shape> shape_;
  std::shared_ptr<System> system_;
};

static_assert(algebra::KktSolver<KktSolver>);

}  // namespace actio::petsc
