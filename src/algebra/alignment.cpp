#include <Eigen/Core>

// The symbol that every file refers to which includes actio/algebra/alignment.hpp. That header is not included here: what it
// refers to may not be specialised afterwards.
namespace actio::algebra {

template <int bytes>
struct AlignedTo {
  static const char compile_with_the_march_of_the_library;
};
template <>
const char AlignedTo<EIGEN_MAX_STATIC_ALIGN_BYTES>::compile_with_the_march_of_the_library = 0;

}  // namespace actio::algebra
