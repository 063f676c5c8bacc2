#include "table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "terminal.hpp"

namespace actio::cli {

std::string table_text(const std::vector<std::vector<std::string>>& lines, const std::string& before) {
  std::vector<std::size_t> width;
  for (const auto& line : lines) {
    width.resize(std::max(width.size(), line.size()), 0);
    for (std::size_t k = 0; k < line.size(); ++k) width[k] = std::max(width[k], one_line(line[k]).size());
  }
  std::string out;
  for (const auto& line : lines) {
    std::string row = before;
    for (std::size_t k = 0; k < line.size(); ++k) row += fmt::format("{:<{}}  ", one_line(line[k]), width[k]);
    while (row.ends_with(' ')) row.pop_back();
    out += row + "\n";
  }
  return out;
}

}  // namespace actio::cli
