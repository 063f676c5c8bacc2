#include <actio/io/csv.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "number.hpp"
#include "section.hpp"
#include "text.hpp"

namespace actio::io {
namespace {

constexpr std::size_t longest_file = std::size_t{4} << 30;  // bytes

std::string_view trim(std::string_view word) {
  const std::size_t begin = word.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return word.substr(word.size());
  return word.substr(begin, word.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> cells;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') {  // a quoted cell may hold commas
      const std::size_t close = line.find('"', i + 1);
      i = close == std::string_view::npos ? line.size() - 1 : close;
    } else if (i == line.size() || line[i] == ',') {
      std::string_view cell = trim(line.substr(begin, i - begin));
      if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = trim(cell.substr(1, cell.size() - 2));
      cells.push_back(cell);
      begin = i + 1;
    }
  }
  return cells;
}

}  // namespace

std::vector<double> read_csv_column(const std::string& path, const std::string& column) {
  const std::string text = read_text(path, longest_file);
  std::vector<double> values;
  std::vector<std::string_view> header;
  std::size_t which = 0;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const std::string_view bare = trim(line);
    if (bare.empty() || bare.front() == '#') continue;
    const std::vector<std::string_view> cells = split(line);
    const auto fail = [&](std::string_view cell, const std::string& message, std::string_view hint = {}) {
      const long at = cell.data() >= line.data() && cell.data() <= line.data() + line.size() ? cell.data() - line.data() : 0;
      throw core::InputError(
          {path, number, static_cast<int>(at) + 1, std::max(1, static_cast<int>(cell.size())), printable(line)}, message, hint);
    };
    if (header.empty()) {
      header = cells;
      const auto found = std::find(header.begin(), header.end(), column);
      const std::vector<std::string> names(header.begin(), header.end());
      if (found == header.end()) fail(bare, fmt::format("no column \"{}\"", column), core::did_you_mean(column, names));
      if (std::find(found + 1, header.end(), column) != header.end()) fail(bare, fmt::format("two columns \"{}\"", column));
      which = static_cast<std::size_t>(found - header.begin());
      continue;
    }
    if (cells.size() != header.size())
      fail(bare, fmt::format("{} {} in a table of {} columns", cells.size(),
                             plural(static_cast<long>(cells.size()), "entry", "entries"), header.size()));
    const auto value = to_number<double>(cells[which]);
    if (!value) fail(cells[which], fmt::format("\"{}\" is not a number", printable(cells[which])));
    if (!std::isfinite(*value)) fail(cells[which], fmt::format("{} is not finite", cells[which]));
    values.push_back(*value);
  }
  if (header.empty()) throw core::InputError(core::Source{path, 0, 0, 1, ""}, "the file has no header line");
  if (values.empty()) throw core::InputError(core::Source{path, 0, 0, 1, ""}, "the file has no rows");
  return values;
}

}  // namespace actio::io
