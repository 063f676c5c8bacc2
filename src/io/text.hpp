#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace actio::io {

enum class Content { text, bytes };  // a text has no zero byte

// The whole file. Throws core::InputError when it cannot be read or has more than `most` bytes; of a pipe or a device, which may
// have no end, more than 256 MiB. What is read first is shown to `look`, which may throw too: before a large file of another kind
// has been read.
std::string read_text(const std::string& path, std::size_t most, Content content = Content::text,
                      void (*look)(std::string_view begin, const std::string& path) = nullptr);
// Of a text, its first `most` bytes at most.
std::string read_head(const std::string& path, std::size_t most);

// Fit for a terminal: control characters, and bytes that are not UTF-8, become question marks.
std::string printable(std::string_view text);

}  // namespace actio::io
