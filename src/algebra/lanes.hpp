#pragma once
#include <cstdint>

// Eight numbers worked on at once. Kernels on them are compiled for plain, 256-bit and 512-bit vectors (each_machine.hpp), and a
// program takes what its machine has: the library need not be built for one machine.
namespace actio::algebra {

constexpr int lanes = 8;
using Lanes [[gnu::vector_size(64), gnu::aligned(64)]] = double;
using LaneMask [[gnu::vector_size(64), gnu::aligned(64)]] = std::int64_t;
struct alignas(64) StoredLanes {  // for std::vector
  Lanes value;
};
struct LaneSlots {
  std::int32_t at[lanes];
};

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__AVX512F__)
#define ACTIO_SEVERAL_MACHINES 1
#endif

enum class Machine { plain, wide, widest };
Machine machine();  // the one we are on

}  // namespace actio::algebra
