#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "output_file.hpp"
#include "trajectory_formats.hpp"

namespace actio::run {

std::string reductions_beside(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".observed.csv").string();
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
  for (const Observed& of : observed)
    for (const auto& reduction : of.reductions)
      for (const Figure& figure : reduction.figures)
        for (std::size_t k = 0; k < figure.values.size(); ++k)
          fmt::format_to(out, "{},{},{},{},{}\n", of.name, reduction.name, figure.name, figure.list ? std::to_string(k) : "",
                         figure.values[k]);
  std::FILE* const file = std::fopen(path.c_str(), "w");
  const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int first = errno;
  if ((file && std::fclose(file) != 0) || !written)
    cannot_write(0, 0, path, std::generic_category().message(written ? errno : first));
}

}  // namespace actio::run
