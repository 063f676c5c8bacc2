#include <actio/method/energy_momentum.hpp>

#include "make_on.hpp"

namespace actio::petsc {
ACTIO_MAKE(EnergyMomentum)
}  // namespace actio::petsc
