#include <actio/method/constrained_galerkin.hpp>
#include <actio/method/galerkin.hpp>

#include "with_constraints.hpp"
#include "with_steps.hpp"

namespace actio::method {
ACTIO_MAKE(Lobatto)
ACTIO_MAKE_CONSTRAINED(Lobatto)

template <>
std::unique_ptr<Integrator> make(const Gauss& method, const system::Model& model, const BuildOptions& options,
                                 std::vector<double> composition) {
  const discrete::Galerkin rule = discrete::Galerkin::gauss(method.stages);
  std::future<std::optional<GalerkinSteps>> generated;  // its compiler runs beside that of the kernels
  if (options.space == BuildOptions::Space::automatic && model.size() <= largest_dense)
    generated = beside([&] { return GalerkinSteps::make(model, rule, options.compile); });
  const Compiled compiled = compiled_for(Gauss::traits, model, options);
  std::optional<GalerkinSteps> steps;
  if (generated.valid()) steps = generated.get();
  return with_system<Gauss>(compiled, [&](auto system) {
    using Stepper = GalerkinStepper<decltype(system)>;
    return make_integrator(Stepper(std::move(system), rule, std::move(steps)), std::move(composition));
  });
}
}  // namespace actio::method
