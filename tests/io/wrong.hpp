#pragma once
#include <string>
#include <vector>

#include "support.hpp"

// Changes to a problem file that make it wrong, and what is said of each.
namespace actio::io::test {

struct Wrong {
  std::string from, to;  // a change to the text
  std::string place;     // "line:column", "" for anywhere
  std::string message;
  std::string caret;      // the underlined text, "" for anything
  std::string hint = "";  // on the last line
};

// The text above the caret line's ^~~~, columns taken from the message itself.
inline std::string underlined(const std::string& message) {
  const std::size_t line = message.find('\n') + 1;
  const std::size_t end = message.find('\n', line);
  const std::size_t caret = message.find('^', end);
  if (line == 0 || end == std::string::npos || caret == std::string::npos) return "no caret";
  std::size_t length = 1;
  while (caret + length < message.size() && message[caret + length] == '~') ++length;
  return message.substr(line, end - line).substr(caret - end - 1, length);
}

inline void expect_errors(const std::string& text, const std::vector<Wrong>& cases) {
  for (const Wrong& wrong : cases) {
    const std::string message = error_of(with(text, wrong.from, wrong.to));
    SCOPED_TRACE(wrong.to + "\n" + message);
    EXPECT_TRUE(message.starts_with(wrong.place.empty() ? "p.toml:" : "p.toml:" + wrong.place + ": error: "))
        << "expected " << wrong.place;
    EXPECT_NE(message.find(wrong.message), std::string::npos) << "expected \"" << wrong.message << '"';
    if (!wrong.caret.empty()) { EXPECT_EQ(underlined(message), wrong.caret); }
    if (!wrong.hint.empty()) { EXPECT_TRUE(message.ends_with("\n  " + wrong.hint)) << "expected \"" << wrong.hint << '"'; }
  }
}

}  // namespace actio::io::test
