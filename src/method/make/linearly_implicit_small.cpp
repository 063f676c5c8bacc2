#include "linearly_implicit.hpp"
namespace actio::method {
ACTIO_ON_SMALL_SPACES(make_linearly_implicit, const Spec&)
}
