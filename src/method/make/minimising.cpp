#include <actio/method/minimising_newmark.hpp>
#include <actio/method/two_step.hpp>

#include "with_system.hpp"

namespace actio::method {
ACTIO_MAKE(MinimisingNewmark)
ACTIO_MAKE(TwoStep)
}  // namespace actio::method
