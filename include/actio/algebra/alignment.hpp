#pragma once
#include <Eigen/Core>

// Eigen aligns memory by the instructions that the compiler may use (-march), so a program and the library it links must agree in
// them. Every file refers to a symbol of its own alignment, and the library has the one it was compiled for. Where they differ,
// the linker reports AlignedTo<16>::compile_with_the_march_of_the_library as an undefined reference.
namespace actio::algebra {

template <int bytes>
struct AlignedTo {
  static const char compile_with_the_march_of_the_library;
};

#if defined(__GNUC__)
[[gnu::used]]
#endif
static const char* const alignment = &AlignedTo<EIGEN_MAX_STATIC_ALIGN_BYTES>::compile_with_the_march_of_the_library;

}  // namespace actio::algebra
