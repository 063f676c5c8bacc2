#include <actio/method/acceleration_stepper.hpp>

#include "make_on.hpp"

namespace actio::method {
ACTIO_ON_ALL_SPACES(make_on, Newmark)
ACTIO_ON_ALL_SPACES(make_on, CentralDifference)
ACTIO_ON_LARGE_SPACES(make_on, GeneralizedAlpha)
ACTIO_ON_LARGE_SPACES(make_on, Hht)
ACTIO_ON_LARGE_SPACES(make_on, Wbz)
ACTIO_ON_LARGE_SPACES(make_on, Wilson)
}  // namespace actio::method
