#include <actio/method/cvode.hpp>
#include <actio/method/runge_kutta.hpp>

#include "make_on.hpp"

namespace actio::method {
ACTIO_ON_ALL_SPACES(make_on, RungeKutta4)
ACTIO_ON_LARGE_SPACES(make_on, CvodeAdams)
}  // namespace actio::method
