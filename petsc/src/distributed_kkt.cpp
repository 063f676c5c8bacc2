#include <actio/petsc/distributed_kkt.hpp>
#include <actio/petsc/order.hpp>
#include <algorithm>
#include <utility>

namespace actio::petsc {

DistributedKkt::DistributedKkt(const DistributedSpace& space, const Partition& p, Jacobian pattern) {
  Shape shape{space, p.comm, zero(p.comm, p.constraints()), std::move(pattern), {}, {}, p.owned() + p.constraints()};
  keep_order(shape.multipliers, p.constraint);
  shape.jacobian.local.makeCompressed();
  shape.jacobian.local.coeffs().setZero();
  for (const PetscInt k : space.shape().number)
    shape.of_coordinates.push_back(k + p.first_constraint[static_cast<std::size_t>(p.owner(k))]);
  const std::size_t rank = static_cast<std::size_t>(p.rank);
  for (PetscInt k = 0; k < p.constraints(); ++k) shape.of_constraints.push_back(p.first_constraint[rank] + p.first[rank + 1] + k);
  shape_ = std::make_shared<const Shape>(std::move(shape));
}

void DistributedKkt::multiply(const Jacobian& G, const Vector& x, Multipliers& y) {
  update_ghosts(x);
  const LocalForm from(x), to(y);
  (*to).noalias() = G.local * *from;
}

void DistributedKkt::add_transposed(double w, const Jacobian& G, const Multipliers& y, Vector& x) {
  {
    const LocalForm from(y), to(x);
    (*to).tail((*to).size() - local_size(x)).setZero();
    (*to).noalias() += w * (G.local.transpose() * *from);
  }
  send_ghosts_home(x);
}

bool DistributedKkt::factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0) {
  if (!system_ || system_.use_count() > 1) system_ = std::make_shared<System>(*shape_);
  double* next = system_->values.data();
  next = std::copy_n(K.local.valuePtr(), K.local.nonZeros(), next);
  next = std::copy_n(G1.local.valuePtr(), G1.local.nonZeros(), next);
  std::transform(G0.local.valuePtr(), G0.local.valuePtr() + G0.local.nonZeros(), next, std::negate<>());
  check(MatSetValuesCOO(system_->A.get(), system_->values.data(), INSERT_VALUES));
  return system_->solver.factor(system_->A);
}

// The places of [K, -G'; G, .], in the order of `factor`
DistributedKkt::System::System(const Shape& shape) {
  const algebra::SparseMatrix& K = *shape.space.shape().pattern;
  const algebra::SparseJacobian& G = shape.jacobian.local;
  const auto coordinate = [&](auto i) { return shape.of_coordinates[static_cast<std::size_t>(i)]; };
  const auto constraint = [&](auto k) { return shape.of_constraints[static_cast<std::size_t>(k)]; };
  std::vector<Entry> places;
  places.reserve(static_cast<std::size_t>(K.nonZeros() + 2 * G.nonZeros()));
  for (int j = 0; j < K.outerSize(); ++j)
    for (algebra::SparseMatrix::InnerIterator it(K, j); it; ++it) places.push_back({coordinate(it.row()), coordinate(j)});
  for (int k = 0; k < G.outerSize(); ++k)
    for (algebra::SparseJacobian::InnerIterator it(G, k); it; ++it) places.push_back({constraint(k), coordinate(it.col())});
  for (int k = 0; k < G.outerSize(); ++k)
    for (algebra::SparseJacobian::InnerIterator it(G, k); it; ++it) places.push_back({coordinate(it.col()), constraint(k)});
  A = zero(shape.comm, shape.owned, shape.owned, places);
  right = zero(shape.comm, shape.owned);
  solution = right;
  values.resize(places.size());
}

void DistributedKkt::solve(const Vector& r, const Multipliers& g, Vector& x, Multipliers& y) const {
  stack(r, g, system_->right);
  system_->solver.solve(system_->right, system_->solution);
  unstack(system_->solution, x, y);
}

}  // namespace actio::petsc
