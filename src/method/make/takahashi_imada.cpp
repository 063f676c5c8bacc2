#include <actio/method/takahashi_imada.hpp>

#include "with_system.hpp"

namespace actio::method {
ACTIO_MAKE(TakahashiImada)
}  // namespace actio::method
