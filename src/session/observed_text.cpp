#include <actio/session/session.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace actio::session {

namespace {

// What is said of a column: its name, its largest absolute value, when, rms, the last value.
using Cells = std::array<std::string, 5>;
Cells cells_of(const run::Observed& of) {
  const run::ColumnSummary& c = *of.column;
  const std::string unit = of.unit.empty() ? "" : " " + of.unit;
  const auto number = [&](double x) { return fmt::format("{:.6g}{}", x, unit); };
  if (std::isnan(c.largest)) return {of.name, "no finite value", "", "", ""};
  const bool up = std::abs(c.largest) >= std::abs(c.smallest);
  return {of.name, fmt::format("{} {}", up ? "largest" : "smallest", number(up ? c.largest : c.smallest)),
          fmt::format("at t = {:.6g},", up ? c.largest_time : c.smallest_time), fmt::format("rms {},", number(c.rms)),
          "last " + number(c.last)};
}

std::string text_of_columns(std::span<const run::Observed> observed) {
  std::vector<Cells> rows;
  std::array<std::size_t, 5> width{15, 0, 0, 0, 0};
  for (const run::Observed& of : observed)
    if (of.column) rows.push_back(cells_of(of));
  for (const Cells& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
  std::string out;
  for (const Cells& row : rows)
    out += fmt::format("  {:<{}} {:<{}} {:<{}} {:<{}} {}\n", row[0], width[0], row[1], width[1], row[2], width[2], row[3],
                       width[3], row[4]);
  return out;
}

}  // namespace

std::string observed_text(std::span<const run::Observed> observed) {
  std::string out = text_of_columns(observed);
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

}  // namespace actio::session
