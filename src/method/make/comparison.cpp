#include <actio/method/cvode.hpp>
#include <actio/method/runge_kutta.hpp>

#include "with_system.hpp"

namespace actio::method {
ACTIO_MAKE(RungeKutta4)
ACTIO_MAKE(CvodeAdams)
}  // namespace actio::method
