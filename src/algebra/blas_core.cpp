#include <actio/algebra/blas_core.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace actio::algebra {
namespace {

// Cores whose kernels use neither AVX2 nor AVX-512.
constexpr std::array old_cores{"Katmai",     "Coppermine", "Northwood",   "Prescott",  "Banias",       "Core2",      "Penryn",
                               "Dunnington", "Nehalem",    "Athlon",      "Opteron",   "Opteron_SSE3", "Barcelona",  "Bobcat",
                               "Atom",       "Nano",       "Sandybridge", "Bulldozer", "Piledriver",   "Steamroller"};

}  // namespace

Instructions instructions() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return {__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512vl"),
          __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")};
#else
  return {};
#endif
}

std::string better_blas_core(std::string_view core, Instructions have) {
  const bool old = std::any_of(old_cores.begin(), old_cores.end(), [&](std::string_view name) { return name == core; });
  if (!old) return "";
  return have.avx512 ? "SkylakeX" : have.avx2 ? "Haswell" : "";
}

std::string blas_core() {
  const auto name = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return name ? name() : "";
}

}  // namespace actio::algebra
