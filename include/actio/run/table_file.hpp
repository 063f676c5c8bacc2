#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

// A table of results on the disk: one row a run, columns of numbers or words.
//
//   .csv         a head with the names, then one line a row; a number that is none is an empty cell
//   .h5, .hdf5   one dataset a column, under its name with _ for a slash; the attributes
namespace actio::run {

struct TableColumn {
  std::string name;
  std::variant<std::vector<double>, std::vector<std::string>> values;
};
// Throws core::InputError where the extension is unknown, or no file can be made there.
void need_table_file(const std::string& path);
// Throws std::runtime_error where it cannot be written.
void write_table(const std::string& path, const std::vector<TableColumn>& columns,
                 const std::vector<std::pair<std::string, std::string>>& attributes);

}  // namespace actio::run
