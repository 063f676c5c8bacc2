#include <actio/method/constrained.hpp>

#include "with_constraints.hpp"

namespace actio::method {
ACTIO_MAKE_CONSTRAINED(Variational)
ACTIO_MAKE_CONSTRAINED(Midpoint)
ACTIO_MAKE(Rattle)
ACTIO_MAKE_CONSTRAINED(Rattle)
ACTIO_MAKE(Shake)
ACTIO_MAKE_CONSTRAINED(Shake)
}  // namespace actio::method
