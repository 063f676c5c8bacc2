#include "minimising.hpp"
namespace actio::method {
ACTIO_ON_SMALL_SPACES(make_minimising, const Spec&)
}
