#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace actio::core {

// The first character of a text that is not empty: UTF-8, or one byte that is none.
struct Character {
  std::size_t bytes = 1;
  std::uint32_t code = 0;  // of Unicode, or the byte
  bool sound = false;
};

inline Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])); };
  const std::uint32_t c = byte(0);
  if (c < 0x80) return {1, c, true};
  const std::size_t n = c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
  if (n == 0 || n > text.size()) return {1, c, false};
  std::uint32_t code = c & (0x7FU >> n);
  for (std::size_t k = 1; k < n; ++k) {
    if ((byte(k) & 0xC0U) != 0x80U) return {1, c, false};
    code = (code << 6U) | (byte(k) & 0x3FU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[n] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {1, c, false};
  return {n, code, true};
}

// Controls of C0 and C1: what a terminal acts on.
inline bool is_control(const Character& c) { return c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0); }

// Characters that turn the direction of a text, so that it reads otherwise than it is, and ends of lines beside "\n".
inline bool misleads(const Character& c) {
  return (c.code >= 0x202A && c.code <= 0x202E) || (c.code >= 0x2066 && c.code <= 0x2069) || c.code == 0x2028 || c.code == 0x2029;
}

}  // namespace actio::core
