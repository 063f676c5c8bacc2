#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

// Random numbers that depend on nothing but (seed, stream, counter): the same file gives the same state on every machine.
namespace actio::io {

// Philox 4x32 with ten rounds: Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0], b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

struct Draw {
  double uniform, normal;  // in (0, 1); mean 0, deviation 1
};

// `key`: 0, but for members of an ensemble.
inline Draw draw(std::uint64_t seed, std::uint32_t stream, std::uint64_t counter, std::uint32_t key = 0) {
  const auto bits = philox({static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), stream, key},
                           {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  const auto unit = [](std::uint32_t high, std::uint32_t low) {  // 52 bits, never 0 or 1
    return (static_cast<double>((std::uint64_t{high} << 20) | (low >> 12)) + 0.5) * 0x1p-52;
  };
  const double u = unit(bits[0], bits[1]);
  const double r = std::sqrt(-2 * std::log(u));  // Box and Muller
  return {u, r * std::cos(2 * std::numbers::pi * unit(bits[2], bits[3]))};
}

}  // namespace actio::io
