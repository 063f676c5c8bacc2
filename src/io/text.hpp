#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace actio::io {

// The whole file. Throws core::InputError when it cannot be read or has more than `most` bytes.
std::string read_text(const std::string& path, std::size_t most);
// Its first `most` bytes at most.
std::string read_head(const std::string& path, std::size_t most);

// Fit for a terminal: control characters, and bytes that are not UTF-8, become question marks.
std::string printable(std::string_view text);

}  // namespace actio::io
