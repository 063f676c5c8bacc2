#include "make.hpp"

#include <actio/method/variational.hpp>

#include "integrator_of.hpp"

namespace actio::petsc {

std::unique_ptr<method::Integrator> make_variational(SpreadModel system, const method::Spec& spec) {
  auto nodes = discrete::Nodes::one(0.5);
  if (const auto* m = std::get_if<method::Variational>(&spec.choice))
    nodes = m->symmetric_sum ? discrete::Nodes::symmetric(m->alpha) : discrete::Nodes::one(m->alpha);
  using Ld = discrete::Quadrature<SpreadModel>;
  using Stepper = method::VariationalStepper<Ld>;
  return std::make_unique<method::IntegratorOf<Stepper>>(Stepper(Ld(std::move(system), nodes)));
}

}  // namespace actio::petsc
