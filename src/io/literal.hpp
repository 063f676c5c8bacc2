#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// TOML string literals as they stand in a text.
namespace actio::io {

// One past the literal that begins with the quote at `begin`; where it is not closed, the end of its line or of the text.
std::size_t literal_end(std::string_view text, std::size_t begin);

// For the literal at `begin` that decodes to `decoded`: where each byte of `decoded` stands in `text`, and one past the last.
// A text without a quote stands for itself. Empty when the two do not match.
std::vector<std::uint32_t> literal_map(std::string_view text, std::size_t begin, std::string_view decoded);

}  // namespace actio::io
