#include <actio/method/energy_momentum.hpp>
#include <actio/system/conserving_model.hpp>

#include "../integrator_of.hpp"
#include "make.hpp"

namespace actio::method {
namespace {

template <class Space>
std::unique_ptr<Integrator> make_on(std::shared_ptr<const system::DiscreteGradients> of, const Spec& spec) {
  using S = system::ConservingModel<Space>;
  return integrator_of(EnergyMomentumStepper<S>(S(std::move(of))), spec);
}

}  // namespace

std::unique_ptr<Integrator> make_energy_momentum(const system::Model& model, const Spec& spec, const BuildOptions& options) {
  auto of = system::discrete_gradients(model, options.compile, std::get<EnergyMomentum>(spec.choice).equivariant);
  const bool sparse = options.space == BuildOptions::Space::sparse ||
                      (options.space == BuildOptions::Space::automatic && of->model->n > largest_dense);
  if (sparse) return make_on<algebra::SparseSpace>(std::move(of), spec);
  return make_on<algebra::DenseSpace<Eigen::Dynamic>>(std::move(of), spec);
}

}  // namespace actio::method
