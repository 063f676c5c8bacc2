#pragma once
#include <string>
#include <string_view>

// Which kernels OpenBLAS uses. A release of it knows the processors before it; it takes a later one for the oldest of the family
// (0.3.21 takes Intel's model 207 for a Prescott), and dgemm is then four times slower. It reads OPENBLAS_CORETYPE when it is
// loaded, so a program can only change its mind by starting again.
namespace actio::algebra {

struct Instructions {
  bool avx512 = false, avx2 = false;  // with FMA
};
Instructions instructions();  // of this processor

// The core that serves better than `core`, of OpenBLAS's names, a processor with these instructions; "" where it is well chosen
// or not one of those known here.
std::string better_blas_core(std::string_view core, Instructions have);

// openblas_get_corename(); "" where the BLAS is another
std::string blas_core();

}  // namespace actio::algebra
