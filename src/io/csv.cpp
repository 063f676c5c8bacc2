#include <actio/io/csv.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "number.hpp"
#include "section.hpp"
#include "text.hpp"

namespace actio::io {
namespace {

constexpr std::size_t longest_csv = std::size_t{4} << 30;  // bytes

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

std::vector<std::vector<double>> read_csv(const std::string& path, std::span<const CsvColumn> columns) {
  const std::string text = read_text(path, longest_csv);
  std::vector<std::vector<double>> values(columns.size());
  std::vector<std::string_view> header;
  std::vector<std::size_t> which;
  int number = 0;
  const std::size_t mark = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte-order mark of UTF-8
  for (std::size_t begin = mark; begin < text.size();) {
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
      const std::vector<std::string> names(header.begin(), header.end());
      for (const CsvColumn& column : columns) {
        const auto found = std::find(header.begin(), header.end(), column.name);
        if (found == header.end())
          fail(bare, fmt::format("no column \"{}\"", column.name), core::did_you_mean(column.name, names));
        if (std::find(found + 1, header.end(), column.name) != header.end())
          fail(bare, fmt::format("two columns \"{}\"", column.name));
        which.push_back(static_cast<std::size_t>(found - header.begin()));
      }
      continue;
    }
    if (cells.size() != header.size())
      fail(bare, fmt::format("{} {} in a table of {} columns", cells.size(),
                             plural(static_cast<long>(cells.size()), "entry", "entries"), header.size()));
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::string_view cell = cells[which[k]];
      const auto value = to_number<double>(cell);
      if (cell.empty()) fail(cell, fmt::format("an entry of \"{}\" is missing", columns[k].name));
      if (!value) fail(cell, fmt::format("\"{}\" is not a number", printable(cell)));
      if (!std::isfinite(*value)) fail(cell, fmt::format("{} is not finite", cell));
      if (columns[k].increases && !values[k].empty() && !(*value > values[k].back()))
        fail(cell, fmt::format("\"{}\" must increase from row to row: {} follows {}", columns[k].name, *value, values[k].back()));
      values[k].push_back(*value);
    }
  }
  if (header.empty()) throw core::InputError(core::Source{path, 0, 0, 1, ""}, "the file has no header line");
  if (values.empty() || values.front().empty()) throw core::InputError(core::Source{path, 0, 0, 1, ""}, "the file has no rows");
  return values;
}

std::vector<double> read_csv_column(const std::string& path, const std::string& column) {
  return read_csv(path, std::array{CsvColumn{column}}).front();
}

}  // namespace actio::io
