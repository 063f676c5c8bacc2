#include "guard.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "literal.hpp"

namespace actio::io {
namespace {

bool begins_a_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '"' ||
         c == '\'';
}

std::size_t skip_blanks(std::string_view text, std::size_t i) {
  while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
  return i;
}

// The first character of the name in the header that begins with the [ at i.
std::size_t name_of_table(std::string_view text, std::size_t i) {
  i = skip_blanks(text, i + 1);
  return i < text.size() && text[i] == '[' ? skip_blanks(text, i + 1) : i;
}

}  // namespace

Guarded guard(std::string_view text, std::size_t most_names) {
  std::size_t dots = 0;
  std::string open;         // brackets
  bool line_begins = true;  // only blanks so far
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool first = line_begins;
    if (c != ' ' && c != '\t') line_begins = c == '\n';
    switch (c) {
      case '"':
      case '\'':
        i = literal_end(text, i) - 1;
        break;
      case '#':
        i = std::min(text.find('\n', i), text.size()) - 1;
        break;
      case '.':
        if (++dots >= most_names) return {fmt::format("a key of more than {} names", most_names), i};
        break;
      case '[':
        if (const std::size_t name = name_of_table(text, i);
            first && open.empty() && name < text.size() && !begins_a_key(text[name]) && text[name] != ']')
          return {"not TOML: the name of a table begins with a letter, a digit, - or _, or is in quotes", name};
        [[fallthrough]];
      case '{':
        open += c;
        dots = 0;
        break;
      case ']':
      case '}':
        if (!open.empty() && (open.back() == '[') != (c == ']'))
          return {fmt::format("not TOML: {} does not close {}", c, open.back()), i};
        if (!open.empty()) open.pop_back();
        break;
      case '\n':
      case '=':
      case ',':
        dots = 0;
        break;
      default:
        break;
    }
  }
  return {};
}

}  // namespace actio::io
