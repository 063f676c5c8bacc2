#pragma once
#include <actio/method/integrator_of.hpp>

#include "../shared.hpp"
#include "make.hpp"

namespace actio::method {

template <Method M, class Space>
std::unique_ptr<Integrator> make_on(const M& method, System<Space> system, std::vector<double> composition) {
  return with_stepper(method, std::move(system), [&]<class S>(S stepper) -> std::unique_ptr<Integrator> {
    return std::make_unique<IntegratorOf<S>>(std::move(stepper), std::move(composition));
  });
}

template <Method M, class Space>
std::unique_ptr<Integrator> make_constrained_on(const M& method, System<Space> system, std::vector<double> composition) {
  return with_constrained_stepper(method, std::move(system), [&]<class S>(S stepper) -> std::unique_ptr<Integrator> {
    return std::make_unique<IntegratorOf<S>>(std::move(stepper), std::move(composition));
  });
}

}  // namespace actio::method

// In a file of instantiations: those of a method of which all sizes are compiled (Traits::static_sizes), and of others.
#define ACTIO_MAKE_ON(make, method, ...) \
  template std::unique_ptr<Integrator> make<method, __VA_ARGS__>(const method&, System<__VA_ARGS__>, std::vector<double>);
#define ACTIO_ON_LARGE_SPACES(make, method)                        \
  ACTIO_MAKE_ON(make, method, algebra::DenseSpace<Eigen::Dynamic>) \
  ACTIO_MAKE_ON(make, method, algebra::SparseSpace)
#define ACTIO_ON_ALL_SPACES(make, method)             \
  static_assert(method::traits.static_sizes);         \
  ACTIO_MAKE_ON(make, method, algebra::DenseSpace<1>) \
  ACTIO_MAKE_ON(make, method, algebra::DenseSpace<2>) \
  ACTIO_MAKE_ON(make, method, algebra::DenseSpace<3>) \
  ACTIO_MAKE_ON(make, method, algebra::DenseSpace<4>) \
  ACTIO_ON_LARGE_SPACES(make, method)
