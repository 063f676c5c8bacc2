#include "splitting.hpp"
namespace actio::method {
ACTIO_ON_SMALL_SPACES(make_splitting, const Spec&)
}
