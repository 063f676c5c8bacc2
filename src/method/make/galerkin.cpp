#include <actio/method/galerkin.hpp>

#include "with_system.hpp"

namespace actio::method {
ACTIO_MAKE(Gauss)
ACTIO_MAKE(Lobatto)
}  // namespace actio::method
