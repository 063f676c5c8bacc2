#pragma once
#include <actio/method/integrator_of.hpp>

#include "make.hpp"

namespace actio::petsc {

template <method::Method M>
std::unique_ptr<method::Integrator> make(const M& method, SystemOf<M> system, std::vector<double> composition) {
  return with_stepper(method, std::move(system), [&]<class S>(S stepper) -> std::unique_ptr<method::Integrator> {
    return std::make_unique<method::IntegratorOf<S>>(std::move(stepper), std::move(composition));
  });
}

}  // namespace actio::petsc

// In a file of instantiations: ACTIO_MAKE(Verlet)
#define ACTIO_MAKE(Name) \
  template std::unique_ptr<method::Integrator> make(const method::Name&, SystemOf<method::Name>, std::vector<double>);
