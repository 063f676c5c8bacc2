#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/method/acceleration_stepper.hpp>

#include "../integrator_of.hpp"
#include "make.hpp"

namespace actio::method {

template <class Space>
std::unique_ptr<Integrator> make_accelerations(System<Space> system, const AccelerationCoefficients& c, const Spec& spec) {
  if (c.at_end()) return integrator_of(AccelerationStepper<System<Space>, true>(std::move(system), c), spec);
  return integrator_of(AccelerationStepper<System<Space>, false>(std::move(system), c), spec);
}

}  // namespace actio::method
