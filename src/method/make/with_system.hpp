#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/core/error.hpp>
#include <actio/method/explicit_steps.hpp>
#include <actio/method/integrator_of.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/constrained.hpp>
#include <actio/system/motion.hpp>
#include <future>
#include <optional>
#include <system_error>

#include "../shared.hpp"
#include "make.hpp"

// From a method's with_stepper to its integrator, on the spaces for which it is compiled: sparse matrices, full ones, and where
// Traits::static_sizes vectors of 1 to 4 coordinates.
namespace actio::method {

template <Method M>
system::Entries entries(const system::CompiledModel& model) {
  switch (M::traits.matrices) {
    case Matrices::potential:
      return system::Entries::potential;
    case Matrices::stiff:
      return system::Entries::stiff;
    case Matrices::mass:
      return model.separable && !model.forced() ? system::Entries::mass : system::Entries::all;
    case Matrices::none:
      return model.separable ? system::Entries::none : system::Entries::all;
    case Matrices::all:
      break;
  }
  return system::Entries::all;
}

// use(the system on its space)
template <Method M, class Use>
std::unique_ptr<Integrator> with_system(const Compiled& compiled, Use&& use) {
  const auto on = [&]<class Space>(std::type_identity<Space>) {
    return use(system::Assembled<Space>(compiled.model, system::layout<Space>(*compiled.model, entries<M>(*compiled.model))));
  };
  using namespace algebra;
  if (compiled.space == BuildOptions::Space::sparse) return on(std::type_identity<SparseSpace>());
  if constexpr (M::traits.static_sizes)
    if (compiled.space == BuildOptions::Space::fixed) switch (compiled.model->n) {
        case 1:
          return on(std::type_identity<DenseSpace<1>>());
        case 2:
          return on(std::type_identity<DenseSpace<2>>());
        case 3:
          return on(std::type_identity<DenseSpace<3>>());
        case 4:
          return on(std::type_identity<DenseSpace<4>>());
      }
  return on(std::type_identity<DenseSpace<Eigen::Dynamic>>());
}

// f() by a thread of its own, or, where none can be had, when it is asked for
template <class F>
auto beside(F f) {
  try {
    return std::async(std::launch::async, f);
  } catch (const std::system_error&) { return std::async(std::launch::deferred, f); }
}

template <Method M>
std::unique_ptr<Integrator> make(const M& method, const system::Model& model, const BuildOptions& options,
                                 std::vector<double> composition) {
  std::future<std::optional<ExplicitSteps>> generated;  // its compiler runs beside that of the kernels
  if constexpr (M::traits.generated_steps)
    if (options.space == BuildOptions::Space::automatic && model.size() <= largest_dense)
      generated = beside([&] { return ExplicitSteps::make(model, coefficients_of(method), composition, options.compile); });
  const Compiled compiled = compiled_for(M::traits, model, options);
  if constexpr (M::traits.generated_steps) {
    using System = system::Assembled<algebra::DenseSpace<Eigen::Dynamic>>;
    if (auto steps = generated.valid() ? generated.get() : std::nullopt) {
      System system(compiled.model, system::layout<System::Space>(*compiled.model, entries<M>(*compiled.model)));
      if (steps->carries_force()) return make_integrator(ExplicitStepper<System, true>(std::move(system), std::move(*steps)));
      return make_integrator(ExplicitStepper<System, false>(std::move(system), std::move(*steps)));
    }
  }
  if constexpr (M::traits.constraints == Constraints::kept)
    if (compiled.model->constraints.count > 0) return make_constrained(method, compiled, std::move(composition));
  if constexpr (M::traits.needs_constraints)
    throw core::InputError("rattle and shake need constraints, and the system has none: take verlet");
  else
    return with_system<M>(compiled, [&](auto system) {
      return with_stepper(method, std::move(system),
                          [&](auto stepper) { return make_integrator(std::move(stepper), std::move(composition)); });
    });
}

}  // namespace actio::method
