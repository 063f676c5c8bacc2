#include <actio/method/takahashi_imada.hpp>

#include "make_on.hpp"

namespace actio::method {
ACTIO_ON_LARGE_SPACES(make_on, TakahashiImada)
}  // namespace actio::method
