#include "constrained.hpp"
namespace actio::method {
ACTIO_ON_LARGE_SPACES(make_constrained, const Spec&)
}
