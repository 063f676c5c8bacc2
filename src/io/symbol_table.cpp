#include "symbol_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <actio/expr/parse.hpp>
#include <actio/system/bodies.hpp>

namespace actio::io {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// "" when the name is free to be declared, else what it means already.
std::string reserved(std::string_view name) {
  if (name == "t") return "the time";
  if (name == "pi") return "a constant";
  constexpr std::array<std::string_view, 7> words{"and", "or", "not", "inf", "nan", "normal", "uniform"};
  const auto functions = expr::function_names();
  const bool taken = std::find(words.begin(), words.end(), name) != words.end() ||
                     std::find(functions.begin(), functions.end(), name) != functions.end();
  return taken ? "a word of the expression language" : "";
}

}  // namespace

std::string_view noun(Meaning meaning) {
  switch (meaning) {
    case Meaning::family:
      return "a coordinate";
    case Meaning::body:
      return "a body";
    case Meaning::parameter:
      return "a parameter";
    case Meaning::table:
      return "a table";
    case Meaning::signal:
      return "a signal";
    case Meaning::formula:
      return "a definition";
    case Meaning::point:
      return "a point";
  }
  return "";
}

bool is_identifier(std::string_view name) {
  return !name.empty() && name.size() <= 100 && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

void need_identifier(const Document& document, const std::string& name, const Place& place) {
  if (!is_identifier(name)) document.fail(place, fmt::format("\"{}\" is not a name", name), identifiers);
}

void SymbolTable::add(const std::string& name, Definition definition, const Place& place) {
  need_identifier(*document_, name, place);
  std::string taken = name == "i" ? "the index within a family" : reserved(name);
  if (const Definition* other = find(name)) taken = noun(other->meaning);
  if (!taken.empty())
    document_->fail(place, fmt::format("\"{}\" cannot be {}: it is already {}", name, noun(definition.meaning), taken));
  definitions_.emplace(name, definition);
}

void SymbolTable::add_parameter(const std::string& name, double value, const Place& place) {
  add(name, {Meaning::parameter, static_cast<long>(parameters.size())}, place);
  parameter_names.push_back(name);
  parameters.push_back(value);
  by_member.push_back(std::find(named_by_member.begin(), named_by_member.end(), name) != named_by_member.end());
  if (by_member.back()) return;  // of no whole number for all
  if (std::abs(value) < 1e15 && value == std::floor(value)) integers.emplace_back(name, static_cast<long>(value));
}

std::vector<int> SymbolTable::by_member_in(const expr::Graph& graph, expr::Id id) const {
  std::vector<int> out;
  for (std::size_t k = 0; k < by_member.size(); ++k)
    if (by_member[k] && expr::depends_on_uniform(graph, id, static_cast<int>(k) + 1)) out.push_back(static_cast<int>(k));
  return out;
}

void SymbolTable::add_family(const std::string& name, long size, bool indexed, const Place& place) {
  add(name, {Meaning::family, static_cast<long>(families.size())}, place);
  system::Family family;
  family.name = name;
  family.size = size;
  family.offset = this->listed();
  family.indexed = indexed;
  families.push_back(family);
}

void SymbolTable::add_bodies(const std::string& name, long count, bool indexed, bool moves, const Place& place) {
  add(name, {Meaning::body, static_cast<long>(bodies.size())}, place);
  bodies.push_back({name, count, size(), indexed, moves});
}

void SymbolTable::add_table(const std::string& name, std::vector<double> values, const Place& place) {
  add(name, {Meaning::table, static_cast<long>(tables.size())}, place);
  tables.push_back({name, std::move(values)});
}

void SymbolTable::add_signal(system::Signal signal, const Place& place) {
  add(signal.name, {Meaning::signal, static_cast<long>(signals.size())}, place);
  signals.push_back(std::move(signal));
}

std::string Formula::call() const { return parameters.empty() ? name : fmt::format("{}({})", name, fmt::join(parameters, ", ")); }

void SymbolTable::add_formula(Formula formula, const Place& place) {
  add(formula.name, {Meaning::formula, static_cast<long>(formulas.size())}, place);
  formulas.push_back(std::move(formula));
}

void SymbolTable::add_points(PointFamily family, const Place& place) {
  add(family.name, {Meaning::point, static_cast<long>(points.size())}, place);
  points.push_back(std::move(family));
}

void SymbolTable::check_local(const std::string& name, std::string_view what, const Place& place) const {
  need_identifier(*document_, name, place);
  std::string taken = reserved(name);
  if (const Definition* other = find(name)) taken = noun(other->meaning);
  if (!taken.empty()) document_->fail(place, fmt::format("\"{}\" cannot be {}: it is already {}", name, what, taken));
}

const SymbolTable::Definition* SymbolTable::find(std::string_view name) const {
  const auto found = definitions_.find(std::string(name));
  return found == definitions_.end() ? nullptr : &found->second;
}

std::vector<std::string> SymbolTable::names() const {
  std::vector<std::string> all;
  for (const auto& family : families) all.push_back(family.name);
  for (const auto& body : bodies) all.push_back(body.name);
  all.insert(all.end(), parameter_names.begin(), parameter_names.end());
  for (const auto& table : tables) all.push_back(table.name);
  for (const auto& signal : signals) all.push_back(signal.name);
  for (const auto& formula : formulas) all.push_back(formula.name);
  for (const auto& point : points) all.push_back(point.name);
  const auto functions = expr::function_names();
  all.insert(all.end(), functions.begin(), functions.end());
  all.emplace_back("pi");
  return all;
}

std::string SymbolTable::beside(const std::string& file) const {
  const std::filesystem::path path(file);
  return path.is_absolute() ? file : (std::filesystem::path(folder_) / path).string();
}

long SymbolTable::coordinate_of(const PointFamily& of, std::size_t axis, long k) const {
  const PointFamily::Axis& along = of.axes[axis];
  return families[static_cast<std::size_t>(along.family)].offset + along.first + along.step * k;
}

std::string SymbolTable::coordinate_name(long coordinate) const {
  for (const auto& family : families)
    if (coordinate < family.offset + family.size)
      return family.indexed ? fmt::format("{}[{}]", family.name, coordinate - family.offset) : family.name;
  for (const auto& body : bodies) {
    const long at = coordinate - body.offset, stride = body.stride();
    if (at < body.count * stride)
      return fmt::format("{}{}.{}", body.name, body.indexed ? fmt::format("[{}]", at / stride) : "",
                         system::body_entry(at % stride));
  }
  return "";
}

std::string need_file(const SymbolTable& symbols, const Value& value, const std::string& path) {
  const std::string file = symbols.beside(value.string);
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    symbols.document().fail(value.place, fmt::format("{}: there is no file \"{}\"", path, file),
                            "paths are relative to the problem file");
  symbols.files->push_back(file);
  return file;
}

}  // namespace actio::io
