#include <actio/method/linearly_implicit.hpp>

#include "with_system.hpp"

namespace actio::method {
ACTIO_MAKE(ZhangSkeel)
ACTIO_MAKE(ZhangSkeelSimplified)
ACTIO_MAKE(ZhangSkeelStiff)
ACTIO_MAKE(PushForwardNewmark)
}  // namespace actio::method
