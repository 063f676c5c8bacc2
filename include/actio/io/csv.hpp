#pragma once
#include <string>
#include <vector>

namespace actio::io {

// One column of a comma-separated file, found by its name in the header line. Blank lines and lines that begin with # are
// skipped. Throws core::InputError at the file's line and column: no such column, a ragged row, an entry that is no finite
// number.
std::vector<double> read_csv_column(const std::string& path, const std::string& column);

}  // namespace actio::io
