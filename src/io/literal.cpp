#include "literal.hpp"

#include <algorithm>

namespace actio::io {
namespace {

bool triple(std::string_view text, std::size_t i, char quote) {
  return i + 2 < text.size() && text[i] == quote && text[i + 1] == quote && text[i + 2] == quote;
}
std::size_t newline(std::string_view text, std::size_t i) {  // length of the line break at i, or 0
  if (i < text.size() && text[i] == '\n') return 1;
  return i + 1 < text.size() && text[i] == '\r' && text[i + 1] == '\n' ? 2 : 0;
}
// A multi-line literal may end in up to two quotes of its own.
bool closes(std::string_view text, std::size_t i, char quote, bool multi) {
  if (!multi) return text[i] == quote;
  return triple(text, i, quote) && !triple(text, i + 1, quote);
}
std::size_t utf8_length(std::uint32_t code) { return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }

std::uint32_t hexadecimal(std::string_view digits) {
  std::uint32_t code = 0;
  for (char c : digits) code = code * 16 + static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  return code;
}

}  // namespace

std::size_t literal_end(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const bool multi = triple(text, begin, quote);
  for (std::size_t i = begin + (multi ? 3 : 1); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\')
      ++i;
    else if (closes(text, i, quote, multi))
      return i + (multi ? 3 : 1);
    else if (!multi && text[i] == '\n')
      return i;
  }
  return text.size();
}

std::vector<std::uint32_t> literal_map(std::string_view text, std::size_t begin, std::string_view decoded) {
  std::vector<std::uint32_t> at;
  at.reserve(decoded.size() + 1);
  if (begin >= text.size()) return {};
  const char quote = text[begin];
  if (quote != '"' && quote != '\'') {
    if (text.substr(begin, decoded.size()) != decoded) return {};
    for (std::size_t i = 0; i <= decoded.size(); ++i) at.push_back(static_cast<std::uint32_t>(begin + i));
    return at;
  }
  const bool multi = triple(text, begin, quote);
  std::size_t i = begin + (multi ? 3 : 1);
  if (multi) i += newline(text, i);
  while (i < text.size() && !closes(text, i, quote, multi) && at.size() <= decoded.size()) {
    std::size_t raw = 1, bytes = 1;
    if (quote == '"' && text[i] == '\\' && i + 1 < text.size()) {
      const char c = text[i + 1];
      raw = 2;
      if (c == 'u' || c == 'U') {
        raw = c == 'u' ? 6 : 10;
        if (i + raw > text.size()) return {};
        bytes = utf8_length(hexadecimal(text.substr(i + 2, raw - 2)));
      } else if (c == ' ' || c == '\t' || newline(text, i + 1) > 0) {  // a line continued: no character
        const std::size_t next = text.find_first_not_of(" \t\r\n", i + 1);
        i = next == std::string_view::npos ? text.size() : next;
        continue;
      }
    }
    at.insert(at.end(), bytes, static_cast<std::uint32_t>(i));
    i += raw;
  }
  if (at.size() != decoded.size()) return {};
  at.push_back(static_cast<std::uint32_t>(std::min(i, text.size())));
  return at;
}

}  // namespace actio::io
