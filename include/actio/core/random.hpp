#pragma once
#include <array>
#include <cstdint>
#include <span>

// Random numbers that depend on nothing but (seed, stream, counter): the same file gives the same state on every machine.
namespace actio::core {

// Philox 4x32 with ten rounds: Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
struct PhiloxKey {
  std::uint32_t low, high;
  [[gnu::always_inline]] void next() {
    low += 0x9E3779B9;
    high += 0xBB67AE85;
  }
};
constexpr int philox_rounds = 10;
[[gnu::always_inline]] inline void philox_round(PhiloxKey key, std::uint32_t& x0, std::uint32_t& x1, std::uint32_t& x2,
                                                std::uint32_t& x3) {
  const std::uint64_t a = std::uint64_t{0xD2511F53} * x0, b = std::uint64_t{0xCD9E8D57} * x2;
  x0 = static_cast<std::uint32_t>(b >> 32) ^ x1 ^ key.low;
  x1 = static_cast<std::uint32_t>(b);
  x2 = static_cast<std::uint32_t>(a >> 32) ^ x3 ^ key.high;
  x3 = static_cast<std::uint32_t>(a);
}
inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, PhiloxKey key) {
  for (int round = 0; round < philox_rounds; ++round, key.next())
    philox_round(key, counter[0], counter[1], counter[2], counter[3]);
  return counter;
}

struct Draw {
  double uniform, normal;  // in (0, 1); mean 0, deviation 1
};

// `key`: 0, but for members of an ensemble.
Draw draw(std::uint64_t seed, std::uint32_t stream, std::uint64_t counter, std::uint32_t key = 0);

// The noise of a run: independent normal numbers of mean 0 and deviation 1, one for each (step, coordinate, draw, member). A
// number depends on these and the seed alone, to the bit: not on which thread asks, nor on what was asked before.
//
// Philox with the key (seed, stream) and the counter (step, coordinate / 2, draw, member) gives two uniform numbers, of which
// Box and Muller make those of two neighbouring coordinates.
class Noise {
 public:
  explicit Noise(std::uint64_t seed, std::uint32_t member = 0);

  // Of the steps step, step + 1, ... and the coordinates first, first + 1, ...: out (steps x count), by steps. draw < 256.
  void normals(std::uint64_t step, long steps, std::uint32_t draw, long first, long count, double* out) const;
  // Of one step and of some coordinates, which ascend.
  void normals(std::uint64_t step, std::uint32_t draw, std::span<const std::int32_t> coordinates, double* out) const;
  // +1 or -1, each as often, of a coordinate.
  double sign(std::uint64_t step, std::uint32_t draw, long coordinate) const;

  static constexpr std::uint32_t stream = 0x6E6F6973;  // beside the streams of [initial], of the same seed

 private:
  PhiloxKey key_;
  std::uint32_t member_;
};

}  // namespace actio::core
