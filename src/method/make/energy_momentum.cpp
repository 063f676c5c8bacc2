#include <actio/method/energy_momentum.hpp>
#include <actio/method/integrator_of.hpp>
#include <actio/system/discrete_gradient_model.hpp>

#include "../shared.hpp"
#include "make.hpp"

namespace actio::method {

template <>
std::unique_ptr<Integrator> make(const EnergyMomentum& method, const system::Model& model, const BuildOptions& options,
                                 std::vector<double> composition) {
  auto of = system::discrete_gradients(model, options.compile, method.equivariant);
  const auto integrator = [&](auto stepper) { return make_integrator(std::move(stepper), std::move(composition)); };
  const bool sparse = options.space == BuildOptions::Space::sparse ||
                      (options.space == BuildOptions::Space::automatic && of->model->n > largest_dense);
  if (sparse) return with_stepper(method, system::DiscreteGradientModel<algebra::SparseSpace>(std::move(of)), integrator);
  return with_stepper(method, system::DiscreteGradientModel<algebra::DenseSpace<Eigen::Dynamic>>(std::move(of)), integrator);
}

}  // namespace actio::method
