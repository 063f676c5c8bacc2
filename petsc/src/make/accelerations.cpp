#include <actio/method/acceleration_stepper.hpp>

#include "make_on.hpp"

namespace actio::petsc {
ACTIO_MAKE(Newmark)
ACTIO_MAKE(GeneralizedAlpha)
ACTIO_MAKE(Hht)
ACTIO_MAKE(Wbz)
ACTIO_MAKE(Wilson)
ACTIO_MAKE(CentralDifference)
}  // namespace actio::petsc
