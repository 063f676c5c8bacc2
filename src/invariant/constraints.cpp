#include <actio/invariant/constraints.hpp>

#include <actio/discrete/projection.hpp>
#include <algorithm>
#include <cmath>

namespace actio::invariant {

ConstraintMap::ConstraintMap(const system::Model& model, const expr::CompileOptions& options) {
  if (model.constraints.empty() && model.penalised.empty()) return;
  system_ = system::constraints_alone(model, options);
  m_ = system_->constraints();
  moving_ = system_->moving();
  penalised_ = model.constraints.empty();
  least_squares_ = model.least_squares;
  bodies_ = model.bodies;
  g_ = g_t_ = Eigen::VectorXd::Zero(m_);
  G_ = system_->kkt_solver().jacobian();
}

const algebra::SparseJacobian& ConstraintMap::jacobian(double t, const Eigen::VectorXd& q) {
  if (system_) system_->constraint_tangent(t, q, g_, g_t_, G_);
  return G_;
}

discrete::StartReport ConstraintMap::project(double t, Eigen::VectorXd& q, Eigen::VectorXd& v) const {
  if (!system_) return {};
  auto system = *system_;
  return discrete::project(system, t, q, v);
}

void ConstraintMap::sizes(const Eigen::VectorXd& x, Eigen::VectorXd& out) const {
  out.setZero(m_);
  for (int k = 0; k < G_.outerSize(); ++k)
    for (algebra::SparseJacobian::InnerIterator it(G_, k); it; ++it) out[k] = std::max(out[k], std::abs(x[it.col()]));
}

void ConstraintMap::operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& g,
                               Eigen::VectorXd& rate, Eigen::VectorXd& slope) {
  jacobian(t, q);
  g = g_;
  rate = g_t_ + G_ * v;
  slope.resize(m_);
  for (int k = 0; k < G_.outerSize(); ++k) slope[k] = G_.row(k).norm();
}

}  // namespace actio::invariant
