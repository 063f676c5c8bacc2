#include "text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include <actio/core/error.hpp>

namespace actio::io {

namespace {

// Of a pipe or a device, which may have no end.
constexpr std::size_t longest_stream = std::size_t{256} << 20;  // bytes

using Look = void (*)(std::string_view begin, const std::string& path);

std::string read_file(const std::string& path, std::size_t most, bool head, Content content, Look look) {
  const auto fail = [&](const std::string& message) { throw core::InputError(core::Source{path, 0, 0, 1, ""}, message); };
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) fail("is a directory, not a file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             [](std::FILE* f) { return f ? std::fclose(f) : 0; });
  if (!file) fail(fmt::format("cannot open: {}", std::strerror(errno)));
  struct stat about {};
  const bool known = fstat(fileno(file.get()), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
  if (!known) most = std::min(most, longest_stream);
  const auto too_long = [&] {
    const bool stream = !known && most == longest_stream;
    fail(fmt::format("more than {} MiB{}", most >> 20, stream ? ", and this is not a regular file: save it in one" : ""));
  };
  std::string text;
  if (known && !head && !look && static_cast<std::uintmax_t>(about.st_size) > most) too_long();
  std::string block(1 << 16, '\0');
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), file.get())) {
    if (look && text.empty()) {
      look(std::string_view(block).substr(0, n), path);
      if (known && static_cast<std::uintmax_t>(about.st_size) > most) too_long();
    }
    if (text.size() + n > most && !head) too_long();
    if (const std::size_t zero = std::string_view(block).substr(0, n).find('\0'); content == Content::text && zero < n)
      fail(fmt::format("is not text: byte {} is zero", text.size() + zero));
    if (known && !head && static_cast<std::uintmax_t>(about.st_size) <= most)
      text.reserve(static_cast<std::size_t>(about.st_size));
    text.append(block, 0, std::min(n, most - text.size()));
    if (text.size() == most && head) return text;
  }
  if (std::ferror(file.get())) fail("cannot be read");
  return text;
}

}  // namespace

std::string read_text(const std::string& path, std::size_t most, Content content, Look look) {
  return read_file(path, most, false, content, look);
}
std::string read_head(const std::string& path, std::size_t most) { return read_file(path, most, true, Content::text, nullptr); }

std::string printable(std::string_view text) {
  bool sound = true;  // UTF-8, as far as a terminal cares
  for (std::size_t i = 0; i < text.size() && sound;) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t n = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    sound = n > 0 && i + n <= text.size();
    for (std::size_t k = 1; sound && k < n; ++k) sound = (static_cast<unsigned char>(text[i + k]) & 0xC0U) == 0x80U;
    i += n;
  }
  std::string out(text);
  for (char& c : out) {
    const auto u = static_cast<unsigned char>(c);
    if ((u < 0x20 && c != '\t') || u == 0x7F || (u >= 0x80 && !sound)) c = '?';
  }
  return out;
}

}  // namespace actio::io
