#pragma once
#include "with_system.hpp"

// From a method's with_constrained_stepper to its integrator, for ACTIO_MAKE_CONSTRAINED.
namespace actio::method {

template <Method M>
std::unique_ptr<Integrator> make_constrained(const M& method, const Compiled& compiled, std::vector<double> composition) {
  return with_system<M>(compiled, [&](auto system) {
    return with_constrained_stepper(method, std::move(system),
                                    [&](auto stepper) { return make_integrator(std::move(stepper), std::move(composition)); });
  });
}

}  // namespace actio::method
