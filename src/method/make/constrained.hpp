#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/method/constrained.hpp>

#include "../integrator_of.hpp"
#include "make.hpp"

namespace actio::method {

template <class Space>
std::unique_ptr<Integrator> make_constrained(System<Space> system, const Spec& spec) {
  auto nodes = discrete::Nodes::symmetric(0);
  if (std::holds_alternative<Midpoint>(spec.choice)) nodes = discrete::Nodes::one(0.5);
  if (const auto* m = std::get_if<Variational>(&spec.choice))
    nodes = m->symmetric_sum ? discrete::Nodes::symmetric(m->alpha) : discrete::Nodes::one(m->alpha);
  using Ld = discrete::Quadrature<System<Space>>;
  return integrator_of(ConstrainedStepper<Ld>(Ld(std::move(system), nodes), !std::holds_alternative<Shake>(spec.choice)), spec);
}

}  // namespace actio::method
