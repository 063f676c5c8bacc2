#include <actio/algebra/alignment.hpp>

namespace actio::algebra {

template <>
const char AlignedTo<EIGEN_MAX_STATIC_ALIGN_BYTES>::compile_with_the_march_of_the_library = 0;

}  // namespace actio::algebra
