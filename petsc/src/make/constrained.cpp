#include <actio/method/constrained.hpp>
#include <actio/method/integrator_of.hpp>
#include <actio/petsc/spread_constrained.hpp>

#include "make.hpp"

namespace actio::petsc {

template <method::Method M>
std::unique_ptr<method::Integrator> make_constrained(const M& method, SpreadModel system) {
  return with_constrained_stepper(method, SpreadConstrained(std::move(system)),
                                  []<class S>(S stepper) -> std::unique_ptr<method::Integrator> {
                                    return std::make_unique<method::IntegratorOf<S>>(std::move(stepper));
                                  });
}

template std::unique_ptr<method::Integrator> make_constrained(const method::Variational&, SpreadModel);
template std::unique_ptr<method::Integrator> make_constrained(const method::Midpoint&, SpreadModel);
template std::unique_ptr<method::Integrator> make_constrained(const method::Rattle&, SpreadModel);
template std::unique_ptr<method::Integrator> make_constrained(const method::Shake&, SpreadModel);

}  // namespace actio::petsc
