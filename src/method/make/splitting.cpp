#include <actio/method/splitting.hpp>

#include "with_system.hpp"

namespace actio::method {
ACTIO_MAKE(Verlet)
ACTIO_MAKE(SymplecticEuler)
ACTIO_MAKE(McLachlanAtela)
}  // namespace actio::method
