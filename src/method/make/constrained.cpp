#include <actio/method/constrained.hpp>

#include "make_on.hpp"

namespace actio::method {
ACTIO_ON_ALL_SPACES(make_constrained_on, Variational)
ACTIO_ON_ALL_SPACES(make_constrained_on, Midpoint)
ACTIO_ON_ALL_SPACES(make_constrained_on, Rattle)
ACTIO_ON_ALL_SPACES(make_constrained_on, Shake)
}  // namespace actio::method
