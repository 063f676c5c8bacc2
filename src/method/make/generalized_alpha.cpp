#include <actio/method/acceleration_stepper.hpp>

#include "with_system.hpp"

namespace actio::method {
ACTIO_MAKE(GeneralizedAlpha)
ACTIO_MAKE(Hht)
ACTIO_MAKE(Wbz)
ACTIO_MAKE(Wilson)
}  // namespace actio::method
