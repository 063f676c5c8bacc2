#pragma once
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

// What comes from a file is not a terminal's master: its control characters are shown, not sent.
namespace actio::cli {

// "\x1b[31m" for an escape and so on: control characters but line ends and tabs, those that turn the direction of writing, and
// bytes that are no UTF-8.
std::string visible(std::string_view text);
// The same, and a line end as "\n": of a title or a name, which could else write lines of its own into a report.
std::string one_line(std::string_view text);

// Throws nothing where it cannot be written: a terminal may be gone, and main() looks at standard output at the end.
template <class... A>
void say(std::FILE* to, fmt::format_string<A...> format, A&&... a) {
  const std::string text = visible(fmt::format(format, std::forward<A>(a)...));
  (void)std::fwrite(text.data(), 1, text.size(), to);
}
template <class... A>
void say(fmt::format_string<A...> format, A&&... a) {
  say(stdout, format, std::forward<A>(a)...);
}

// What building kernels left to be said, on standard error.
void tell_remarks(bool quiet);

}  // namespace actio::cli
