#include <actio/method/constrained.hpp>

#include <actio/petsc/spread_constrained.hpp>

#include "integrator_of.hpp"
#include "make.hpp"

namespace actio::petsc {

std::unique_ptr<method::Integrator> make_constrained(SpreadModel system, const method::Spec& spec) {
  auto nodes = discrete::Nodes::symmetric(0);
  if (std::holds_alternative<method::Midpoint>(spec.choice)) nodes = discrete::Nodes::one(0.5);
  if (const auto* m = std::get_if<method::Variational>(&spec.choice))
    nodes = m->symmetric_sum ? discrete::Nodes::symmetric(m->alpha) : discrete::Nodes::one(m->alpha);
  using Ld = discrete::Quadrature<SpreadConstrained>;
  using Stepper = method::ConstrainedStepper<Ld>;
  return std::make_unique<method::IntegratorOf<Stepper>>(
      Stepper(Ld(SpreadConstrained(std::move(system)), nodes), !std::holds_alternative<method::Shake>(spec.choice)));
}

}  // namespace actio::petsc
