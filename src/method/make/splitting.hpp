#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/method/splitting.hpp>
#include <actio/method/verlet.hpp>

#include "../integrator_of.hpp"
#include "make.hpp"

namespace actio::method {

template <class Space>
std::unique_ptr<Integrator> make_splitting(System<Space> system, const Spec& spec) {
  const auto split = [&](const SplittingCoefficients& c) {
    return std::make_unique<IntegratorOf<SplittingStepper<System<Space>>>>(SplittingStepper<System<Space>>(std::move(system), c));
  };
  if (std::holds_alternative<SymplecticEuler>(spec.choice)) return split(symplectic_euler());
  if (const auto* m = std::get_if<McLachlanAtela>(&spec.choice)) return split(mclachlan_atela(m->stages_order));
  if (std::get<Verlet>(spec.choice).form == "position")
    return integrator_of(SplittingStepper<System<Space>>(std::move(system), position_verlet()), spec);
  return integrator_of(VerletStepper<System<Space>>(std::move(system)), spec);
}

}  // namespace actio::method
