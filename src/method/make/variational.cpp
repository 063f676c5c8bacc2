#include <actio/method/variational.hpp>

#include "make_on.hpp"

namespace actio::method {
ACTIO_ON_ALL_SPACES(make_on, Variational)
ACTIO_ON_ALL_SPACES(make_on, Midpoint)
}  // namespace actio::method
