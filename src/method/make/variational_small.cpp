#include "variational.hpp"
namespace actio::method {
ACTIO_ON_SMALL_SPACES(make_variational, const Spec&)
}
