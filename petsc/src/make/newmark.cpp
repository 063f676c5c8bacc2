#include "make.hpp"

#include <actio/method/acceleration_stepper.hpp>

#include "integrator_of.hpp"

namespace actio::petsc {

std::unique_ptr<method::Integrator> make_newmark(SpreadModel system, const method::AccelerationCoefficients& c) {
  using Stepper = method::AccelerationStepper<SpreadModel, true>;
  return std::make_unique<method::IntegratorOf<Stepper>>(Stepper(std::move(system), c));
}

}  // namespace actio::petsc
