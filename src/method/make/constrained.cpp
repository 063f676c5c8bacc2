#include <actio/method/constrained.hpp>

#include "with_system.hpp"

namespace actio::method {

template <Method M>
std::unique_ptr<Integrator> make_constrained(const M& method, const Compiled& compiled, std::vector<double> composition) {
  return with_system<M>(compiled, [&](auto system) {
    return with_constrained_stepper(method, std::move(system),
                                    [&](auto stepper) { return make_integrator(std::move(stepper), std::move(composition)); });
  });
}

ACTIO_MAKE_CONSTRAINED(Variational)
ACTIO_MAKE_CONSTRAINED(Midpoint)
ACTIO_MAKE(Rattle)
ACTIO_MAKE_CONSTRAINED(Rattle)
ACTIO_MAKE(Shake)
ACTIO_MAKE_CONSTRAINED(Shake)
}  // namespace actio::method
