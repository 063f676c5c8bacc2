#include "hash.hpp"

#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace actio::expr {
namespace {

constexpr std::uint64_t c1 = 0x87C37B91114253D5ULL, c2 = 0x4CF5AD432745937FULL;

std::uint64_t finish(std::uint64_t k) {
  k ^= k >> 33U;
  k *= 0xFF51AFD7ED558CCDULL;
  k ^= k >> 33U;
  k *= 0xC4CEB9FE1A85EC53ULL;
  return k ^ (k >> 33U);
}
std::uint64_t scramble(std::uint64_t k, std::uint64_t first, int turn, std::uint64_t second) {
  return std::rotl(k * first, turn) * second;
}

}  // namespace

Hash128 hash128(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t h1 = seed, h2 = seed;
  const std::size_t blocks = bytes.size() / 16;
  for (std::size_t i = 0; i < blocks; ++i) {
    std::uint64_t k[2];
    std::memcpy(k, bytes.data() + 16 * i, 16);
    h1 = (std::rotl(h1 ^ scramble(k[0], c1, 31, c2), 27) + h2) * 5 + 0x52DCE729;
    h2 = (std::rotl(h2 ^ scramble(k[1], c2, 33, c1), 31) + h1) * 5 + 0x38495AB5;
  }
  std::uint64_t tail[2] = {0, 0};
  std::memcpy(tail, bytes.data() + 16 * blocks, bytes.size() % 16);
  h2 ^= scramble(tail[1], c2, 33, c1);
  h1 ^= scramble(tail[0], c1, 31, c2);
  h1 ^= bytes.size(), h2 ^= bytes.size();
  h1 += h2, h2 += h1;
  h1 = finish(h1), h2 = finish(h2);
  h1 += h2, h2 += h1;
  return {h1, h2};
}

std::string hexadecimal(const Hash128& hash) { return fmt::format("{:016x}{:016x}", hash[0], hash[1]); }

}  // namespace actio::expr
