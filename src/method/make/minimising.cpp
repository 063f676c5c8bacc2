#include <actio/method/minimising_newmark.hpp>
#include <actio/method/two_step.hpp>

#include "make_on.hpp"

namespace actio::method {
ACTIO_ON_LARGE_SPACES(make_on, MinimisingNewmark)
ACTIO_ON_LARGE_SPACES(make_on, TwoStep)
}  // namespace actio::method
