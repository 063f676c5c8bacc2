#include "minimising.hpp"
namespace actio::method {
ACTIO_ON_LARGE_SPACES(make_minimising, const Spec&)
}
