#include "make.hpp"

#include <actio/method/acceleration_stepper.hpp>

#include "integrator_of.hpp"

namespace actio::petsc {

std::unique_ptr<method::Integrator> make_accelerations(SpreadModel system, const method::AccelerationCoefficients& c) {
  using Stepper = method::AccelerationStepper<SpreadModel, false>;
  return std::make_unique<method::IntegratorOf<Stepper>>(Stepper(std::move(system), c));
}

}  // namespace actio::petsc
