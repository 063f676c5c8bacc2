#include "swept.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <actio/core/error.hpp>

namespace actio::cli {
namespace {

[[noreturn]] void fail_in(const std::string& text, std::size_t offset, std::size_t length, const std::string& message,
                          const std::string& hint) {
  const core::Source place{"command line", 1, static_cast<int>(offset) + 1, static_cast<int>(std::max<std::size_t>(1, length)),
                           text};
  throw core::InputError(place, message, hint);
}

constexpr const char* example_of_values = "for example c=1,2,3 or run.step=0.1,0.05";

}  // namespace

Swept read_swept(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  Swept out;
  out.name = text.substr(0, equals);
  if (equals == text.size()) fail_in(text, 0, equals, fmt::format("{} has no values", out.name), example_of_values);
  if (out.name.empty()) fail_in(text, 0, 1, "there is no key before the values", example_of_values);
  out.key = out.name.find('.') == std::string::npos ? "system.parameters." + out.name : out.name;
  std::size_t begin = equals + 1;
  int depth = 0;
  char quote = 0;
  for (std::size_t k = begin; k <= text.size(); ++k) {
    const char c = k < text.size() ? text[k] : ',';
    if (k < text.size()) {
      if (quote != 0) {
        if (c == quote) quote = 0;
        continue;
      }
      if (c == '"' || c == '\'') quote = c;
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (c != ',' || depth > 0) continue;
    }
    if (k == begin) fail_in(text, begin, 1, fmt::format("{} has an empty value", out.name), example_of_values);
    out.values.push_back(text.substr(begin, k - begin));
    begin = k + 1;
  }
  return out;
}

std::vector<std::vector<std::size_t>> combinations(const std::vector<Swept>& swept, std::size_t most) {
  std::size_t count = 1;
  for (const Swept& of : swept) {
    if (of.values.size() > most / count)
      throw core::InputError(fmt::format("there are more than {} combinations of values, and each is a run of its own", most),
                             "sweep over fewer values; [ensemble] takes many members");
    count *= of.values.size();
  }
  std::vector<std::vector<std::size_t>> out(count, std::vector<std::size_t>(swept.size()));
  for (std::size_t m = 0; m < count; ++m) {
    std::size_t rest = m;
    for (std::size_t k = swept.size(); k-- > 0; rest /= swept[k].values.size()) out[m][k] = rest % swept[k].values.size();
  }
  return out;
}

}  // namespace actio::cli
