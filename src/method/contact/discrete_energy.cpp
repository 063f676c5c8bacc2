#include "discrete_energy.hpp"

#include <actio/method/discrete_nodes.hpp>
#include <cmath>
#include <limits>

namespace actio::method {

DiscreteEnergy::DiscreteEnergy(const Spec& spec) {
  if (const auto* gauss = std::get_if<Gauss>(&spec.choice))
    rule_ = discrete::Galerkin::gauss(gauss->stages);
  else if (const auto* lobatto = std::get_if<Lobatto>(&spec.choice))
    rule_ = discrete::Galerkin::lobatto(lobatto->degree);
  else
    nodes_ = discrete_nodes(spec);
}

double DiscreteEnergy::operator()(Integrator& steps, const Snapshot& start, const Snapshot& end, double tau, bool path) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  double E = 0;
  const auto add = [&](double weight, double c) {
    steps.start(start.t + c * tau, q_, v_);
    E += weight * steps.energy();
  };
  if (rule_ && path && steps.path(at_, W_)) {
    for (std::size_t k = 0; k < rule_->nodes.size(); ++k) {
      q_ = start.q;
      v_.setZero(start.q.size());
      for (Eigen::Index j = 0; j < W_.cols(); ++j) {
        q_ += tau * rule_->A[k][static_cast<std::size_t>(j)] * W_.col(j);
        v_ += rule_->values[k][static_cast<std::size_t>(j)] * W_.col(j);
      }
      add(rule_->weights[k], rule_->nodes[k]);
    }
    return E;
  }
  // w = (q1 - q0)/tau, which rounds as |q|/tau: what is off the mean velocity by no more than that is that.
  w_ = 0.5 * (start.v + end.v);
  for (Eigen::Index i = 0; i < w_.size(); ++i) {
    const double w = (end.q[i] - start.q[i]) / tau, blur = 4 * eps * (std::abs(start.q[i]) + std::abs(end.q[i])) / std::abs(tau);
    if (std::abs(w - w_[i]) > blur) w_[i] = w;
  }
  const discrete::Nodes nodes = nodes_ ? *nodes_ : discrete::Nodes::one(0.5);
  for (int j = 0; j < nodes.count; ++j) {
    const auto at = static_cast<std::size_t>(j);
    q_ = start.q + nodes.c[at] * tau * w_;
    v_ = w_;
    add(nodes.b[at], nodes.c[at]);
  }
  return E;
}

}  // namespace actio::method
