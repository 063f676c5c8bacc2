#include <actio/run/table_file.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "hdf5_driver.hpp"
#include "hdf5_write.hpp"

namespace actio::run {
namespace {

bool is_hdf5_table(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".h5" || extension == ".hdf5";
}

std::string csv_cell(const std::string& word) {
  if (word.find_first_of(",\"\r\n") == std::string::npos) return word;
  std::string out = "\"";
  for (const char c : word) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

struct CloseTable {
  void operator()(std::FILE* f) const { std::fclose(f); }
};

std::size_t rows_of(const TableColumn& column) {
  return std::visit([](const auto& values) { return values.size(); }, column.values);
}

void write_csv_table(const std::string& path, const std::vector<TableColumn>& columns) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (std::size_t k = 0; k < columns.size(); ++k) fmt::format_to(out, "{}{}", k == 0 ? "" : ",", csv_cell(columns[k].name));
  text += '\n';
  for (std::size_t m = 0; m < (columns.empty() ? 0 : rows_of(columns[0])); ++m) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k > 0) text += ',';
      if (const auto* words = std::get_if<std::vector<std::string>>(&columns[k].values))
        text += csv_cell((*words)[m]);
      else if (const double x = std::get<std::vector<double>>(columns[k].values)[m]; !std::isnan(x))
        fmt::format_to(out, "{}", x);
    }
    text += '\n';
  }
  const std::unique_ptr<std::FILE, CloseTable> file(std::fopen(path.c_str(), "wb"));
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0)
    throw std::runtime_error(fmt::format("cannot write \"{}\": {}", path, std::strerror(errno)));
}

void write_hdf5_table(const std::string& path, const std::vector<TableColumn>& columns,
                      const std::vector<std::pair<std::string, std::string>>& attributes) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hdf5::Properties access(hdf5::careful_access(), "driver");
  const hdf5::File file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), "create the file");
  for (const auto& [name, value] : attributes) hdf5::put_text(file, name, value);
  for (const TableColumn& column : columns) {
    std::string name = column.name;
    std::replace(name.begin(), name.end(), '/', '_');
    if (const auto* words = std::get_if<std::vector<std::string>>(&column.values)) {
      hdf5::put_names(file, name.c_str(), *words);
      continue;
    }
    const auto& values = std::get<std::vector<double>>(column.values);
    const hsize_t size = values.size();
    const hdf5::Space space(H5Screate_simple(1, &size, nullptr), "space");
    const hdf5::Dataset d(H5Dcreate2(file, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                          "dataset");
    if (size > 0) hdf5::check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write a dataset");
  }
  hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL), "flush");
  if (const int code = hdf5::failed_write(file); code != 0) throw hdf5::Error(std::strerror(code));
}

}  // namespace

void need_table_file(const std::string& path) {
  if (!is_hdf5_table(path) && std::filesystem::path(path).extension() != ".csv")
    throw core::InputError(fmt::format("the table \"{}\" has no known format", path), "end its name in .csv, .h5 or .hdf5");
  if (!std::ofstream(path, std::ios::app))
    throw core::InputError(fmt::format("cannot write \"{}\": {}", path, std::strerror(errno)));
}

void write_table(const std::string& path, const std::vector<TableColumn>& columns,
                 const std::vector<std::pair<std::string, std::string>>& attributes) {
  if (!is_hdf5_table(path)) return write_csv_table(path, columns);
  try {
    write_hdf5_table(path, columns, attributes);
  } catch (const hdf5::Error& e) { throw std::runtime_error(fmt::format("cannot write \"{}\": {}", path, e.what())); }
}

}  // namespace actio::run
