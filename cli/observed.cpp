#include "observed.hpp"

#include <fmt/format.h>

#include "terminal.hpp"

namespace actio::cli {

std::string observed_text(std::span<const run::Observed> observed) {
  std::string out;
  for (const run::Observed& of : observed) {
    std::string label = of.name;
    for (const auto& reduction : of.reductions) {
      std::string text = reduction.text;
      for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
        text.replace(at, 1, fmt::format("\n{:18}", ""));
      out += fmt::format("  {:<15} {} {}\n", label, reduction.name, text);
      label.clear();
    }
  }
  return out;
}

}  // namespace actio::cli
