#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace actio::io {

// The whole file. Throws core::InputError when it cannot be read or has more than `most` bytes. What is read first is shown to
// `look`, which may throw too: before a large file of another kind has been read.
std::string read_text(const std::string& path, std::size_t most,
                      void (*look)(std::string_view begin, const std::string& path) = nullptr);
// Its first `most` bytes at most.
std::string read_head(const std::string& path, std::size_t most);

// Fit for a terminal: control characters, and bytes that are not UTF-8, become question marks.
std::string printable(std::string_view text);

}  // namespace actio::io
