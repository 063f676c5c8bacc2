#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/method/minimising_newmark.hpp>
#include <actio/method/two_step.hpp>

#include "../integrator_of.hpp"
#include "make.hpp"

namespace actio::method {

template <class Space>
std::unique_ptr<Integrator> make_minimising(System<Space> system, const Spec& spec) {
  if (const auto* m = std::get_if<MinimisingNewmark>(&spec.choice))
    return integrator_of(MinimisingNewmarkStepper<System<Space>>(std::move(system), *m), spec);
  const auto& m = std::get<TwoStep>(spec.choice);
  const auto nodes = m.symmetric_sum ? discrete::Nodes::symmetric(m.alpha) : discrete::Nodes::one(m.alpha);
  return integrator_of(TwoStepStepper<System<Space>>(std::move(system), nodes), spec);
}

}  // namespace actio::method
