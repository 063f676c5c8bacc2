#include "constrained.hpp"
namespace actio::method {
ACTIO_ON_SMALL_SPACES(make_constrained, const Spec&)
}
