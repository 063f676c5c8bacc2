#include <actio/method/splitting.hpp>

#include "make_on.hpp"

namespace actio::method {
ACTIO_ON_ALL_SPACES(make_on, Verlet)
ACTIO_ON_ALL_SPACES(make_on, SymplecticEuler)
ACTIO_ON_ALL_SPACES(make_on, McLachlanAtela)
}  // namespace actio::method
