#include <actio/method/variational.hpp>

#include "make_on.hpp"

namespace actio::petsc {
ACTIO_MAKE(Variational)
ACTIO_MAKE(Midpoint)
}  // namespace actio::petsc
