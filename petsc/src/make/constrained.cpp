#include <actio/method/constrained.hpp>
#include <actio/method/integrator_of.hpp>
#include <actio/petsc/distributed_constrained.hpp>

#include "make.hpp"

namespace actio::petsc {

template <method::Method M>
std::unique_ptr<method::Integrator> make_constrained(const M& method, DistributedModel system) {
  return with_constrained_stepper(method, DistributedConstrained(std::move(system)),
                                  []<class S>(S stepper) -> std::unique_ptr<method::Integrator> {
                                    return std::make_unique<method::IntegratorOf<S>>(std::move(stepper));
                                  });
}

template std::unique_ptr<method::Integrator> make_constrained(const method::Variational&, DistributedModel);
template std::unique_ptr<method::Integrator> make_constrained(const method::Midpoint&, DistributedModel);
template std::unique_ptr<method::Integrator> make_constrained(const method::Rattle&, DistributedModel);
template std::unique_ptr<method::Integrator> make_constrained(const method::Shake&, DistributedModel);

}  // namespace actio::petsc
