#include <actio/method/linearly_implicit.hpp>

#include "make_on.hpp"

namespace actio::method {
ACTIO_ON_ALL_SPACES(make_on, ZhangSkeel)
ACTIO_ON_LARGE_SPACES(make_on, ZhangSkeelSimplified)
ACTIO_ON_LARGE_SPACES(make_on, ZhangSkeelStiff)
ACTIO_ON_LARGE_SPACES(make_on, PushForwardNewmark)
}  // namespace actio::method
