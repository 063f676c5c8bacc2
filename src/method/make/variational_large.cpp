#include "variational.hpp"
namespace actio::method {
ACTIO_ON_LARGE_SPACES(make_variational, const Spec&)
}
