#pragma once
#include <span>
#include <string>
#include <vector>

namespace actio::io {

// A column that is wanted.
struct CsvColumn {
  std::string name;        // in the header line
  bool increases = false;  // every entry must be larger than the one before
};
// Columns of a comma-separated file, found by their names in the header line. Blank lines and lines that begin with # are
// skipped. Throws core::InputError at the file's line and column: no such column, a ragged row, an entry that is missing or no
// finite number, a column that must increase and does not.
std::vector<std::vector<double>> read_csv(const std::string& path, std::span<const CsvColumn> columns);
// One such column.
std::vector<double> read_csv_column(const std::string& path, const std::string& column);

}  // namespace actio::io
