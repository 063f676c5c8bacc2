#include "terminal.hpp"

#include <cstdint>
#include <iterator>

#include <actio/core/utf8.hpp>
#include <actio/expr/remarks.hpp>

namespace actio::cli {

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const core::Character c = core::first_character(text);
    if (!c.sound || (core::is_control(c) && c.code != '\n' && c.code != '\t'))
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", c.code);
    else if (core::misleads(c))
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c.code);
    else
      out += text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) c == '\n' ? out += "\\n" : out += c;
  return out;
}

void tell_remarks(bool quiet) {
  for (const std::string& sentence : expr::remarks())
    if (!quiet) say(stderr, "{}\n", sentence);
}

}  // namespace actio::cli
