#include "accelerations.hpp"
namespace actio::method {
ACTIO_ON_LARGE_SPACES(make_accelerations, const AccelerationCoefficients&, const Spec&)
}
