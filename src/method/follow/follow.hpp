#pragma once
#include <actio/method/integrator.hpp>
#include <actio/method/spec.hpp>
#include <actio/method/step_control.hpp>

// Integrators whose steps follow the motion (step_control.hpp).
namespace actio::method {

// As spec.control says.
std::unique_ptr<Integrator> with_control(const system::Model& model, const Spec& spec, const BuildOptions& options);
std::unique_ptr<Integrator> reversible_steps(const system::Model& model, const Spec& spec, const BuildOptions& options);
std::unique_ptr<Integrator> poincare_steps(const system::Model& model, const Spec& spec, const BuildOptions& options);

// The same method with steps of one size.
Spec without_control(const Spec& spec);

}  // namespace actio::method
