#include <actio/method/acceleration_stepper.hpp>

#include "with_system.hpp"

namespace actio::method {
ACTIO_MAKE(CentralDifference)
}  // namespace actio::method
