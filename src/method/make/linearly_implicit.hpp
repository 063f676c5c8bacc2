#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/method/linearly_implicit.hpp>

#include "../integrator_of.hpp"
#include "make.hpp"

namespace actio::method {

template <class Space>
std::unique_ptr<Integrator> make_linearly_implicit(System<Space> system, const Spec& spec) {
  using S = System<Space>;
  if (const auto* m = std::get_if<ZhangSkeel>(&spec.choice))
    return integrator_of(ZhangSkeelStepper<S>(std::move(system), *m), spec);
  if (const auto* m = std::get_if<ZhangSkeelSimplified>(&spec.choice))
    return integrator_of(ZhangSkeelSimplifiedStepper<S>(std::move(system), *m), spec);
  if (const auto* m = std::get_if<ZhangSkeelStiff>(&spec.choice))
    return integrator_of(ZhangSkeelStiffStepper<S>(std::move(system), *m), spec);
  return integrator_of(PushForwardNewmarkStepper<S>(std::move(system), std::get<PushForwardNewmark>(spec.choice)), spec);
}

}  // namespace actio::method
