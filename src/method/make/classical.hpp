#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/method/cvode.hpp>
#include <actio/method/runge_kutta.hpp>

#include "../integrator_of.hpp"
#include "make.hpp"

namespace actio::method {

template <class Space>
std::unique_ptr<Integrator> make_classical(System<Space> system, const Spec& spec) {
  if (const auto* m = std::get_if<CvodeAdams>(&spec.choice))
    return std::make_unique<IntegratorOf<CvodeAdamsStepper<System<Space>>>>(
        CvodeAdamsStepper<System<Space>>(std::move(system), *m));
  return std::make_unique<IntegratorOf<RungeKutta4Stepper<System<Space>>>>(RungeKutta4Stepper<System<Space>>(std::move(system)));
}

}  // namespace actio::method
