#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/core/error.hpp>
#include <actio/method/integrator_of.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/constrained.hpp>
#include <actio/system/motion.hpp>

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

// The stepper on the space that the model was compiled for.
template <Method M>
std::unique_ptr<Integrator> make_on_space(const M& method, const Compiled& compiled, std::vector<double> composition) {
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

// with_steps.hpp; of methods with Traits::generated_steps
template <Method M>
std::unique_ptr<Integrator> make_with_steps(const M& method, const system::Model& model, const BuildOptions& options,
                                            std::vector<double> composition);

template <Method M>
std::unique_ptr<Integrator> make(const M& method, const system::Model& model, const BuildOptions& options,
                                 std::vector<double> composition) {
  if constexpr (M::traits.generated_steps)
    return make_with_steps(method, model, options, std::move(composition));
  else
    return make_on_space(method, compiled_for(M::traits, model, options), std::move(composition));
}

}  // namespace actio::method
