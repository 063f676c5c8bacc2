#include <actio/method/splitting.hpp>

#include "make_on.hpp"

namespace actio::petsc {
ACTIO_MAKE(Verlet)
ACTIO_MAKE(SymplecticEuler)
ACTIO_MAKE(McLachlanAtela)
}  // namespace actio::petsc
