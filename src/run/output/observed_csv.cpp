#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include <actio/run/table_file.hpp>

#include "output_file.hpp"
#include "trajectory_formats.hpp"

namespace actio::run {

std::string reductions_beside(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".observed.csv").string();
}

std::string event_beside(const std::string& path, const std::string& name) {
  return std::filesystem::path(path).replace_extension("." + name + ".csv").string();
}

void write_events(const std::string& path, std::span<const Observed> observed) {
  for (const Observed& of : observed) {
    if (!of.event || of.reductions[0].figures.empty()) continue;
    std::vector<TableColumn> columns;
    for (const Figure& figure : of.reductions[0].figures) columns.push_back({figure.name, figure.values});
    const std::string to = event_beside(path, of.name);
    try {
      write_table(to, columns, {});
    } catch (const std::runtime_error& e) { throw core::RunError(0, 0, e.what(), std::string(advice_to_write)); }
  }
}

std::vector<std::string> names_of(const std::vector<ObservedColumn>& columns) {
  std::vector<std::string> out;
  for (const ObservedColumn& column : columns)
    for (long e = 0; e < column.elements; ++e)
      out.push_back(column.elements == 1 ? column.name : fmt::format("{}[{}]", column.name, e));
  return out;
}

void write_observed(const std::string& path, std::span<const Observed> observed) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "name,reduction,figure,index,value\n");
  for (const Observed& of : observed) {
    if (of.event) continue;
    for (const auto& reduction : of.reductions)
      for (const Figure& figure : reduction.figures)
        for (std::size_t k = 0; k < figure.values.size(); ++k)
          fmt::format_to(out, "{},{},{},{},{}\n", of.name, reduction.name, figure.name, figure.list ? std::to_string(k) : "",
                         figure.values[k]);
  }
  std::FILE* const file = std::fopen(path.c_str(), "w");
  const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int first = errno;
  if ((file && std::fclose(file) != 0) || !written)
    cannot_write(0, 0, path, std::generic_category().message(written ? errno : first));
}

}  // namespace actio::run
