#include "fixed_reactions.hpp"

namespace actio::run {
namespace {

using Assembled = system::Assembled<algebra::SparseSpace>;

Assembled nothing_fixed(system::Model model, const expr::CompileOptions& options) {
  model.fixed_dofs.clear();
  model.symmetries.clear();
  const auto compiled = system::compile(model, options, false);
  return {compiled, system::layout<algebra::SparseSpace>(*compiled, true)};
}

}  // namespace

FixedReactions::FixedReactions(const system::Model& model, const expr::CompileOptions& options)
    : fixed_(model.fixed_dofs), mass_(model.mass), system_(nothing_fixed(model, options)) {
  if (!system_.separable()) K_ = system_.space().matrix();
}

void FixedReactions::operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                                Eigen::VectorXd& r) {
  using Space = algebra::SparseSpace;
  residual_.resize(q.size());
  term_.resize(q.size());
  ignored_.resize(q.size());
  if (system_.separable()) {
    system_.force(t, q, term_);
    residual_ = -term_;
    if (mass_.kind == system::MassMatrix::Kind::full)
      residual_ += mass_.full * a;
    else
      residual_ += mass_.diagonal.cwiseProduct(a);
  } else {  // Lvv a + Lvq v - Lq
    Space::clear(K_);
    system_.tangent(t, q, v, {.vq = 1}, term_, ignored_, K_);
    residual_ = -term_;
    Space::multiply(K_, v, term_);
    residual_ += term_;
    Space::clear(K_);
    system_.tangent(t, q, v, {.vv = 1}, ignored_, term_, K_);
    Space::multiply(K_, a, term_);
    residual_ += term_;
  }
  if (system_.forced()) {
    system_.applied(t, q, v, term_);
    residual_ -= term_;
  }
  r.setZero(q.size());
  for (const std::int32_t i : fixed_) r[i] = residual_[i];
}

}  // namespace actio::run
