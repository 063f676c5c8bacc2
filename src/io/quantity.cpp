#include "quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "number.hpp"
#include "values.hpp"

namespace actio::io {
namespace {

struct Named {
  std::string_view name;
  Unit unit;
};
// Constants of nature: CODATA 2018.
constexpr double avogadro = 6.02214076e23, electron_volt = 1.602176634e-19, boltzmann = 1.380649e-23, dalton = 1.66053906660e-27,
                 bohr_radius = 5.29177210903e-11, hartree_energy = 4.3597447222071e-18;
constexpr std::array whole{Named{"min", {60, of_time}},
                           Named{"h", {3600, of_time}},
                           Named{"day", {86400, of_time}},
                           Named{"year", {365.25 * 86400, of_time}},
                           Named{"au", {1.495978707e11, of_length}},
                           Named{"t", {1000, of_mass}},
                           Named{"in", {0.0254, of_length}},
                           Named{"ft", {0.3048, of_length}},
                           Named{"lb", {0.45359237, of_mass}},
                           Named{"bar", {1e5, of_pressure}},
                           Named{"psi", {6894.757293168361, of_pressure}},
                           Named{"angstrom", {1e-10, of_length}},
                           Named{"bohr", {bohr_radius, of_length}},
                           Named{"amu", {dalton, of_mass}},
                           Named{"hartree", {hartree_energy, of_energy}},
                           Named{"K", {boltzmann, of_energy}},
                           Named{"1", {1, pure_number}}};
constexpr std::array prefixed{Named{"m", {1, of_length}},
                              Named{"g", {1e-3, of_mass}},
                              Named{"s", {1, of_time}},
                              Named{"N", {1, {1, 1, -2}}},
                              Named{"Pa", {1, of_pressure}},
                              Named{"J", {1, of_energy}},
                              Named{"W", {1, {1, 2, -3}}},
                              Named{"Hz", {1, {0, 0, -1}}},
                              Named{"cal", {4.184, of_energy}},
                              Named{"eV", {electron_volt, of_energy}},
                              Named{"mol", {avogadro, pure_number}}};
constexpr std::array<std::pair<char, double>, 9> prefixes{
    {{'G', 1e9}, {'M', 1e6}, {'k', 1e3}, {'c', 1e-2}, {'m', 1e-3}, {'u', 1e-6}, {'n', 1e-9}, {'p', 1e-12}, {'f', 1e-15}}};

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
                            Called{of_mass, "mass", "\"kg\", \"amu\""},
                            Called{of_time, "time", "\"ms\", \"fs\""},
                            Called{of_energy, "energy", "\"kcal/mol\", \"eV\", or \"K\" for k_B T"},
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

// 0 where it is not given.
double base_unit(const Section& units, const char* key, const Dimension& dimension) {
  const Value* given = units.find(key);
  if (!given) return 0;
  const std::string path = units.path(key);
  need_kind(units.document(), *given, path, Kind::string);
  const std::string hint = fmt::format("for example {}", called_of(dimension)->units);
  try {
    const Unit unit = unit_of(given->string);
    if (unit.dimension == dimension) return unit.size;
    units.document().fail(given->place, fmt::format("{}: \"{}\" is not a unit of {}", path, given->string, key), hint);
  } catch (const std::invalid_argument& error) {
    units.document().fail(given->place, fmt::format("{}: {}", path, error.what()), hint);
  }
}

// "300 K" is no expression, but clear.
void refuse_unit_in_text(const Document& document, const Value& value, const std::string& path) {
  const std::size_t blank = value.string.find(' ');
  if (blank == std::string::npos) return;
  const auto number = to_number<double>(std::string_view(value.string).substr(0, blank));
  const std::string unit = value.string.substr(blank + 1);
  try {
    if (number) (void)unit_of(unit);
  } catch (const std::invalid_argument&) { return; }
  if (number)
    document.fail(value.place, fmt::format("{} is a text with a unit", path),
                  fmt::format("write {{ value = {}, unit = \"{}\" }}", *number, unit));
}

// "48.8882 fs"
std::string in_seconds(double time) {
  constexpr std::array<std::pair<const char*, double>, 6> steps{
      {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"fs", 1e-15}}};
  const auto at = std::ranges::find_if(steps, [&](const auto& step) { return time >= step.second; });
  const auto& [name, size] = at == steps.end() ? steps.back() : *at;
  return fmt::format("{:.6g} {}", time / size, name);
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
  const Document& document = system.document();
  const Section units(document, *given, system.path("units"), keys_of_table("system.units"));
  const double length = base_unit(units, "length", of_length), mass = base_unit(units, "mass", of_mass),
               time = base_unit(units, "time", of_time), energy = base_unit(units, "energy", of_energy);
  for (const Entry& entry : given->fields) given_.emplace(entry.key, entry.value.string);
  length_ = length > 0 ? length : 1;
  mass_ = mass > 0 ? mass : 1;
  time_ = time > 0 ? time : 1;
  if (energy == 0) return;
  const int others = (length > 0) + (mass > 0) + (time > 0);  // energy = mass length^2 / time^2
  const Place& place = units.place_of("energy");
  if (others < 2)
    document.fail(place,
                  fmt::format("{} is given with {} of length, mass and time; it takes two", units.path("energy"),
                              others == 0 ? "none" : "one"),
                  "with length and mass, the unit of time follows");
  if (time == 0) time_ = length_ * std::sqrt(mass_ / energy);
  if (mass == 0) mass_ = energy * time_ * time_ / (length_ * length_);
  if (length == 0) length_ = time_ * std::sqrt(energy / mass_);
  const double follows = mass_ * length_ * length_ / (time_ * time_);
  if (std::abs(follows / energy - 1) > 1e-6)
    document.fail(place,
                  fmt::format("{}: \"{}\" is {:.6g} J, but the units of length, mass and time make {:.6g} J",
                              units.path("energy"), given_.at("energy"), energy, follows),
                  "leave one of the four out: it follows from the others");
}

double Quantities::in_file(double si, const Dimension& d) const {
  return si / (std::pow(length_, d.length) * std::pow(mass_, d.mass) * std::pow(time_, d.time));
}

std::vector<std::pair<std::string, std::string>> Quantities::names() const {
  if (given_.empty()) return {};
  const auto name = [&](const char* key, const std::string& size) {
    const auto found = given_.find(key);
    return std::pair<std::string, std::string>{key, found == given_.end() ? size : found->second};
  };
  return {name("length", fmt::format("{:.6g} m", length_)), name("mass", fmt::format("{:.6g} kg", mass_)),
          name("time", in_seconds(time_)), name("energy", fmt::format("{:.6g} J", mass_ * length_ * length_ / (time_ * time_)))};
}

double Quantities::read(const Value& value, const std::string& path, const Dimension& d) const {
  const Document& document = symbols_.document();
  if (value.kind == Kind::string) refuse_unit_in_text(document, value, path);
  if (value.kind != Kind::table) return scalar(symbols_, value, path);
  const Section section(document, value, path, keys_of_table("quantity"));
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
    return in_file(number * unit.size, d);
  } catch (const std::invalid_argument& error) {
    document.fail(text.place, fmt::format("{}: {}", path, error.what()),
                  called_of(d) ? fmt::format("for example {}", called_of(d)->units) : "");
  }
}

}  // namespace actio::io
