#include "splitting.hpp"
namespace actio::method {
ACTIO_ON_LARGE_SPACES(make_splitting, const Spec&)
}
