#include <actio/core/crc32.hpp>

#include <array>
#include <bit>
#include <cstring>

namespace actio::core {

namespace {

// table[k][b]: the sum of the byte b with k zeros behind it. Eight bytes are taken at once (Kounavis and Berry 2005).
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables tables = [] {
  Tables t{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t c = b;
    for (int k = 0; k < 8; ++k) c = (c >> 1) ^ ((c & 1U) != 0 ? 0x82F63B78U : 0U);
    t[0][b] = c;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t b = 0; b < 256; ++b) t[k][b] = (t[k - 1][b] >> 8) ^ t[0][t[k - 1][b] & 0xFFU];
  return t;
}();

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  static_assert(std::endian::native == std::endian::little);
  std::uint32_t c = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    word ^= c;
    c = 0;
    for (std::size_t k = 0; k < 8; ++k) c ^= tables[7 - k][(word >> (8 * k)) & 0xFFU];
  }
  for (; left > 0; --left, ++at) c = (c >> 8) ^ tables[0][(c ^ static_cast<unsigned char>(*at)) & 0xFFU];
  return ~c;
}

}  // namespace actio::core
