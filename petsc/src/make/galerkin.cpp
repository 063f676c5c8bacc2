#include <actio/method/galerkin.hpp>

#include "make_on.hpp"

namespace actio::petsc {
ACTIO_MAKE(Gauss)
ACTIO_MAKE(Lobatto)
}  // namespace actio::petsc
