#pragma once
#include <string>
#include <vector>

// Lines of cells, on a terminal.
namespace actio::cli {

// Each cell under the head of its column, in a column as wide as its widest cell; every line begins with `before`.
std::string table_text(const std::vector<std::vector<std::string>>& lines, const std::string& before = "");

}  // namespace actio::cli
