#include <actio/method/splitting.hpp>

#include "with_steps.hpp"

namespace actio::method {
ACTIO_MAKE(Verlet)
ACTIO_MAKE(SymplecticEuler)
ACTIO_MAKE(McLachlanAtela)
}  // namespace actio::method
