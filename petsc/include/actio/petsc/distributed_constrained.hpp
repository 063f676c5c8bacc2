#pragma once
#include <actio/petsc/distributed_kkt.hpp>
#include <actio/petsc/distributed_model.hpp>
#include <actio/system/constrained.hpp>

namespace actio::petsc {

// A model with holonomic constraints distributed over processes: a constraint is computed by the rank of its first coordinate,
// which owns its multiplier too.
class DistributedConstrained : public DistributedModel {
 public:
  using KktSolver = DistributedKkt;
  using Multipliers = KktSolver::Multipliers;
  using Jacobian = KktSolver::Jacobian;

  // Collective.
  explicit DistributedConstrained(DistributedModel model);

  static constexpr bool linear() { return false; }
  long constraints() const { return static_cast<long>(model().partition.constraint.size()); }
  bool moving() const { return here().moving(); }
  KktSolver kkt_solver() const { return kkt_; }
  void constraint(double t, const Vector& q, Multipliers& g);
  void constraint_tangent(double t, const Vector& q, Multipliers& g, Multipliers& g_t, Jacobian& G);

  // All multipliers in the model's own order, on every rank. Collective.
  void gather_multipliers(const Multipliers& y, Eigen::VectorXd& all) const;

 private:
  KktSolver kkt_;
  Eigen::VectorXd x_, g_, g_t_;  // of this rank, x with ghosts
};

static_assert(system::Constrained<DistributedConstrained>);

}  // namespace actio::petsc
