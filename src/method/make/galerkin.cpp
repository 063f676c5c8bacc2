#include <actio/method/constrained_galerkin.hpp>
#include <actio/method/galerkin.hpp>

#include "with_constraints.hpp"

namespace actio::method {
ACTIO_MAKE(Gauss)
ACTIO_MAKE(Lobatto)
ACTIO_MAKE_CONSTRAINED(Lobatto)
}  // namespace actio::method
