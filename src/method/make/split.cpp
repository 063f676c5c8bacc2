#include <actio/method/integrator_of.hpp>
#include <actio/method/kepler_flow.hpp>
#include <actio/method/linear_flow.hpp>
#include <actio/method/split_stepper.hpp>
#include <actio/system/fast_part.hpp>

#include "with_system.hpp"

namespace actio::method {
namespace {

template <Method M>
std::unique_ptr<Integrator> make_split(const M& method, const system::Model& model, const BuildOptions& options,
                                       std::vector<double> composition) {
  return with_system<Saba>(compiled_for(M::traits, model, options), [&](auto system) {
    const auto with = [&](auto flow) {
      return make_integrator(
          SplitStepper<decltype(system), decltype(flow)>(std::move(system), std::move(flow), scheme_of(method)),
          std::move(composition));
    };
    if (model.fast->kind == system::FastPart::Kind::kepler) return with(KeplerFlow(model));
    return with(LinearFlow(model, options.compile));
  });
}

}  // namespace

template <>
std::unique_ptr<Integrator> make(const WisdomHolman& method, const system::Model& model, const BuildOptions& options,
                                 std::vector<double> composition) {
  return make_split(method, model, options, std::move(composition));
}
template <>
std::unique_ptr<Integrator> make(const Saba& method, const system::Model& model, const BuildOptions& options,
                                 std::vector<double> composition) {
  return make_split(method, model, options, std::move(composition));
}
template <>
std::unique_ptr<Integrator> make(const Sbab& method, const system::Model& model, const BuildOptions& options,
                                 std::vector<double> composition) {
  return make_split(method, model, options, std::move(composition));
}
template <>
std::unique_ptr<Integrator> make(const Aba& method, const system::Model& model, const BuildOptions& options,
                                 std::vector<double> composition) {
  return make_split(method, model, options, std::move(composition));
}

}  // namespace actio::method
