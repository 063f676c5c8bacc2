#include <actio/petsc/access.hpp>
#include <actio/petsc/distributed_constrained.hpp>
#include <utility>

namespace actio::petsc {
namespace {

DistributedJacobian jacobian_of(const system::Assembled<algebra::SparseSpace>& here) {
  if (here.constraints() == 0) return {algebra::SparseJacobian(0, here.space().n)};  // this rank has none
  return {here.kkt_solver().jacobian()};
}

}  // namespace

DistributedConstrained::DistributedConstrained(DistributedModel model)
    : DistributedModel(std::move(model)),
      kkt_(space(), this->model().partition, jacobian_of(here())),
      x_(here().space().n),
      g_(here().constraints()),
      g_t_(g_) {}

void DistributedConstrained::constraint(double t, const Vector& q, Multipliers& g) {
  update_ghosts(q);
  x_ = *LocalForm(q);
  here().constraint(t, x_, g_);
  *LocalForm(g) = g_;
}

void DistributedConstrained::constraint_tangent(double t, const Vector& q, Multipliers& g, Multipliers& g_t, Jacobian& G) {
  update_ghosts(q);
  x_ = *LocalForm(q);
  here().constraint_tangent(t, x_, g_, g_t_, G.local);
  *LocalForm(g) = g_;
  *LocalForm(g_t) = g_t_;
}

void DistributedConstrained::gather_multipliers(const Multipliers& y, Eigen::VectorXd& all) const {
  const std::vector<double> by_rank = gathered(y);
  const std::vector<PetscInt>& number = model().partition.constraint;
  all.resize(static_cast<Eigen::Index>(number.size()));
  for (std::size_t k = 0; k < number.size(); ++k)
    all[static_cast<Eigen::Index>(k)] = by_rank[static_cast<std::size_t>(number[k])];
}

}  // namespace actio::petsc
