#pragma once
#include <actio/method/explicit_steps.hpp>
#include <actio/system/thermostat.hpp>
#include <future>
#include <optional>
#include <system_error>

#include "with_system.hpp"

// Steps that are generated where they can be, else the method's stepper.
namespace actio::method {

// f() by a thread of its own, or, where none can be had, when it is asked for
template <class F>
auto beside(F f) {
  try {
    return std::async(std::launch::async, f);
  } catch (const std::system_error&) { return std::async(std::launch::deferred, f); }
}

template <Method M>
std::unique_ptr<Integrator> make_with_steps(const M& method, const system::Model& model, const BuildOptions& options,
                                            std::vector<double> composition) {
  std::future<std::optional<ExplicitSteps>> generated;  // its compiler runs beside that of the kernels
  const bool in_halves =
      model.thermostat && model.thermostat->acts() && model.thermostat->scheme == system::Thermostat::Scheme::baoab;
  if (options.space == BuildOptions::Space::automatic && model.size() <= largest_dense && !in_halves)
    generated = beside([&] { return ExplicitSteps::make(model, coefficients_of(method), composition, options.compile); });
  const Compiled compiled = compiled_for(M::traits, model, options);
  auto steps = generated.valid() ? generated.get() : std::nullopt;
  if (!steps) return make_on_space(method, compiled, std::move(composition));
  using System = system::Assembled<algebra::DenseSpace<Eigen::Dynamic>>;
  System system(compiled.model, system::layout<System::Space>(*compiled.model, entries<M>(*compiled.model)));
  if (steps->carries_force()) return make_integrator(ExplicitStepper<System, true>(std::move(system), std::move(*steps)));
  return make_integrator(ExplicitStepper<System, false>(std::move(system), std::move(*steps)));
}

}  // namespace actio::method
