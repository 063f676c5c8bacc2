#include "classical.hpp"
namespace actio::method {
ACTIO_ON_SMALL_SPACES(make_classical, const Spec&)
}
