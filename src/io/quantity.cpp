#include "quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "values.hpp"

namespace actio::io {
namespace {

struct Named {
  std::string_view name;
  Unit unit;
};
constexpr std::array whole{Named{"min", {60, {0, 0, 1}}},    Named{"h", {3600, {0, 0, 1}}},
                           Named{"t", {1000, {1, 0, 0}}},    Named{"in", {0.0254, {0, 1, 0}}},
                           Named{"ft", {0.3048, {0, 1, 0}}}, Named{"lb", {0.45359237, {1, 0, 0}}},
                           Named{"bar", {1e5, {1, -1, -2}}}, Named{"psi", {6894.757293168361, {1, -1, -2}}},
                           Named{"1", {1, {0, 0, 0}}}};
constexpr std::array prefixed{Named{"m", {1, {0, 1, 0}}},  Named{"g", {1e-3, {1, 0, 0}}}, Named{"s", {1, {0, 0, 1}}},
                              Named{"N", {1, {1, 1, -2}}}, Named{"Pa", {1, {1, -1, -2}}}, Named{"J", {1, {1, 2, -2}}},
                              Named{"W", {1, {1, 2, -3}}}, Named{"Hz", {1, {0, 0, -1}}}};
constexpr std::array<std::pair<char, double>, 7> prefixes{
    {{'G', 1e9}, {'M', 1e6}, {'k', 1e3}, {'c', 1e-2}, {'m', 1e-3}, {'u', 1e-6}, {'n', 1e-9}}};

Unit atom(std::string_view name) {
  for (const Named& n : whole)
    if (n.name == name) return n.unit;
  for (const Named& n : prefixed)
    if (n.name == name) return n.unit;
  for (const auto& [letter, factor] : prefixes)
    for (const Named& n : prefixed)
      if (name.size() == n.name.size() + 1 && name[0] == letter && name.substr(1) == n.name)
        return {factor * n.unit.size, n.unit.dimension};
  throw std::invalid_argument(fmt::format("\"{}\" is not a unit", name));
}

std::string words(const Dimension& d) {
  std::string out;
  for (const auto& [name, power] : {std::pair{"kg", d.mass}, {"m", d.length}, {"s", d.time}})
    if (power != 0) out += fmt::format("{}{}{}", out.empty() ? "" : " ", name, power == 1 ? "" : fmt::format("^{}", power));
  return out.empty() ? "a pure number" : out;
}

// What quantities are called, and units of them.
struct Called {
  Dimension dimension;
  const char *name, *units;
};
constexpr std::array called{Called{of_length, "length", "\"mm\", \"m\""},
                            Called{{1, 0, 0}, "mass", "\"kg\", \"t\""},
                            Called{{0, 0, 1}, "time", "\"ms\", \"s\""},
                            Called{{1, 1, -2}, "force", "\"N\", \"kN\""},
                            Called{of_pressure, "pressure", "\"GPa\", \"N/mm^2\""},
                            Called{of_density, "density", "\"kg/m^3\", \"t/mm^3\""},
                            Called{of_viscosity, "viscosity", "\"Pa*s\", \"MPa*s\""}};

const Called* called_of(const Dimension& d) {
  const auto at = std::ranges::find(called, d, &Called::dimension);
  return at == called.end() ? nullptr : &*at;
}

// "pressure (kg m^-1 s^-2)"
std::string with_name(const Dimension& d) {
  const Called* name = called_of(d);
  return name ? fmt::format("{} ({})", name->name, words(d)) : words(d);
}

double base_unit(const Section& units, const char* key, const Dimension& dimension) {
  const Value* given = units.find(key);
  if (!given) return 1;
  const std::string path = units.path(key);
  need_kind(units.document(), *given, path, Kind::string);
  try {
    const Unit unit = unit_of(given->string);
    if (unit.dimension == dimension) return unit.size;
    units.document().fail(given->place, fmt::format("{}: \"{}\" is not a unit of {}", path, given->string, key));
  } catch (const std::invalid_argument& error) {
    units.document().fail(given->place, fmt::format("{}: {}", path, error.what()), "for example \"mm\", \"t\", \"s\"");
  }
}

}  // namespace

Unit unit_of(const std::string& text) {
  Unit out;
  int sign = 1;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find_first_of("*/ ", at), text.size());
    const std::string_view factor = std::string_view(text).substr(at, end - at);
    const std::size_t hat = std::min(factor.find('^'), factor.size());
    int power = 1;
    if (hat < factor.size()) {
      const std::string_view digits = factor.substr(hat + 1);
      const bool negative = digits.starts_with('-');
      if (digits.size() != (negative ? 2U : 1U) || digits.back() < '1' || digits.back() > '9')
        throw std::invalid_argument(fmt::format("\"{}\" is not a power of a unit", factor));
      power = (negative ? -1 : 1) * (digits.back() - '0');
    }
    const Unit unit = atom(factor.substr(0, hat));
    power *= sign;
    out.size *= std::pow(unit.size, power);
    out.dimension.mass += power * unit.dimension.mass;
    out.dimension.length += power * unit.dimension.length;
    out.dimension.time += power * unit.dimension.time;
    if (end == text.size()) break;
    sign = text[end] == '/' ? -1 : 1;
    at = end + 1;
  }
  return out;
}

Quantities::Quantities(const Section& system, const SymbolTable& symbols) : symbols_(symbols) {
  const Value* given = system.find("units");
  if (!given) return;
  const Section units(system.document(), *given, system.path("units"), {"length", "mass", "time"});
  length_ = base_unit(units, "length", {0, 1, 0});
  mass_ = base_unit(units, "mass", {1, 0, 0});
  time_ = base_unit(units, "time", {0, 0, 1});
}

double Quantities::read(const Value& value, const std::string& path, const Dimension& d) const {
  if (value.kind != Kind::table) return scalar(symbols_, value, path);
  const Document& document = symbols_.document();
  const Section section(document, value, path, {"value", "unit"});
  const double number = scalar(symbols_, section.need("value"), section.path("value"));
  const Value& text = section.need("unit");
  need_kind(document, text, section.path("unit"), Kind::string);
  try {
    const Unit unit = unit_of(text.string);
    if (d == pure_number && !(unit.dimension == d))
      document.fail(text.place,
                    fmt::format("{} is a pure number; \"{}\" is a unit of {}", path, text.string, with_name(unit.dimension)));
    if (!(unit.dimension == d)) {
      const Called* needed = called_of(d);
      document.fail(text.place,
                    fmt::format("{} needs a unit of {}; \"{}\" is {}{}", path, with_name(d), text.string,
                                unit.dimension == pure_number ? "" : "one of ", with_name(unit.dimension)),
                    needed ? fmt::format("for example {}", needed->units) : "");
    }
    return number * unit.size / (std::pow(length_, d.length) * std::pow(mass_, d.mass) * std::pow(time_, d.time));
  } catch (const std::invalid_argument& error) {
    document.fail(text.place, fmt::format("{}: {}", path, error.what()), "for example \"GPa\", \"N/mm^2\", \"kg/m^3\", \"Pa*s\"");
  }
}

}  // namespace actio::io
