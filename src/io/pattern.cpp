#include "pattern.hpp"

#include <fmt/format.h>

#include <actio/io/csv.hpp>
#include <actio/io/matrix_market.hpp>

#include "reference.hpp"
#include "values.hpp"

namespace actio::io {
namespace {

Eigen::VectorXd from_csv(const SymbolTable& symbols, const Value& value, const std::string& path) {
  const Document& document = symbols.document();
  const Section csv(document, value, path, keys_of_table("csv"));
  const Value &file = csv.need("csv"), &column = csv.need("column");
  need_kind(document, file, csv.path("csv"), Kind::string);
  need_kind(document, column, csv.path("column"), Kind::string);
  const auto entries = read_csv_column(need_file(symbols, file, csv.path("csv")), column.string);
  const auto given = static_cast<long>(entries.size());
  if (given != symbols.listed())
    document.fail(value.place,
                  fmt::format("{} has {} {}, {}", path, given, plural(given, "entry", "entries"), shape_of(symbols)));
  return Eigen::Map<const Eigen::VectorXd>(entries.data(), given);
}

// Nothing on the bodies.
Eigen::VectorXd padded(const SymbolTable& symbols, const Eigen::VectorXd& listed) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(symbols.size());
  out.head(listed.size()) = listed;
  return out;
}

Eigen::VectorXd by_coordinate(const SymbolTable& symbols, const Value& value, const std::string& path) {
  const Document& document = symbols.document();
  Eigen::VectorXd out = Eigen::VectorXd::Zero(symbols.size());
  std::vector<bool> given(static_cast<std::size_t>(out.size()), false);
  if (value.fields.empty()) document.fail(value.place, fmt::format("{} names no coordinate", path));
  for (const Entry& entry : value.fields) {
    const Reference reference = read_reference(symbols, entry.key, entry.place, path);
    const std::string here = fmt::format("{}.{}", path, entry.key);
    const auto values =
        per_index(symbols, entry.value, here, reference.count,
                  fmt::format("{} names {} {}", entry.key, reference.count, plural(reference.count, "coordinate", "coordinates")),
                  {}, {reference.first, reference.step});
    for (long k = 0; k < reference.count; ++k) {
      const long at = reference.coordinate(k);
      if (given[static_cast<std::size_t>(at)])
        document.fail(entry.place, fmt::format("{} gives {} twice", path, symbols.coordinate_name(at)));
      given[static_cast<std::size_t>(at)] = true;
      out[at] = values[static_cast<std::size_t>(k)];
    }
  }
  return out;
}

}  // namespace

bool is_matrix_file(const Value& value) {
  if (value.kind != Kind::string || value.string.size() < 5) return false;
  std::string end = value.string.substr(value.string.size() - 4);
  for (char& c : end)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return end == ".mtx";
}

std::string shape_of(const SymbolTable& symbols) {
  const long n = symbols.listed();
  return fmt::format("the system has {} {}{}", n, plural(n, "coordinate", "coordinates"),
                     symbols.bodies.empty() ? "" : " beside its bodies");
}

Eigen::VectorXd read_pattern(const SymbolTable& symbols, const Value& value, const std::string& path) {
  if (is_matrix_file(value))
    return padded(symbols, read_matrix_market(need_file(symbols, value, path), symbols.listed(), 1).col(0));
  if (value.kind == Kind::table)
    return value.find("csv") ? padded(symbols, from_csv(symbols, value, path)) : by_coordinate(symbols, value, path);
  if (value.kind != Kind::array && value.kind != Kind::string && !value.is_number())
    wrong_type(symbols.document(), value, path,
               "a number, a list, an expression of i, a table of coordinates, { csv, column } or a Matrix Market file");
  const auto entries = per_index(symbols, value, path, symbols.listed(), shape_of(symbols));
  return padded(symbols, Eigen::Map<const Eigen::VectorXd>(entries.data(), symbols.listed()));
}

}  // namespace actio::io
