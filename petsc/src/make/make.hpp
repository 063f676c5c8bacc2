#pragma once
#include <actio/method/acceleration_coefficients.hpp>
#include <actio/method/integrator.hpp>
#include <actio/petsc/spread_model.hpp>
#include <memory>

// Integrators of a spread model, a file for each: they take long to compile.
namespace actio::petsc {

std::unique_ptr<method::Integrator> make_newmark(SpreadModel system, const method::AccelerationCoefficients& c);
std::unique_ptr<method::Integrator> make_accelerations(SpreadModel system, const method::AccelerationCoefficients& c);
std::unique_ptr<method::Integrator> make_variational(SpreadModel system, const method::Spec& spec);
std::unique_ptr<method::Integrator> make_constrained(SpreadModel system, const method::Spec& spec);
std::unique_ptr<method::Integrator> make_energy_momentum(SpreadConserving system);
std::unique_ptr<method::Integrator> make_explicit(SpreadModel system, const method::Spec& spec);

}  // namespace actio::petsc
