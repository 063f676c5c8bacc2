#include <actio/method/energy_momentum.hpp>

#include "integrator_of.hpp"
#include "make.hpp"

namespace actio::petsc {

std::unique_ptr<method::Integrator> make_energy_momentum(SpreadConserving system) {
  using Stepper = method::EnergyMomentumStepper<SpreadConserving>;
  return std::make_unique<method::IntegratorOf<Stepper>>(Stepper(std::move(system)));
}

}  // namespace actio::petsc
