#include <actio/method/variational.hpp>

#include "with_system.hpp"

namespace actio::method {
ACTIO_MAKE(Variational)
ACTIO_MAKE(Midpoint)
}  // namespace actio::method
