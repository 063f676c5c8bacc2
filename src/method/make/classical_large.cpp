#include "classical.hpp"
namespace actio::method {
ACTIO_ON_LARGE_SPACES(make_classical, const Spec&)
}
