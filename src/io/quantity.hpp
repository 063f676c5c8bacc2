#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "symbol_table.hpp"

// Numbers with a unit: { value = 210, unit = "GPa" }. A number without one is in the units of the file, which
// system.units = { length = "mm", mass = "t", time = "s" } names; metres, kilograms and seconds where it does not. A unit of
// energy in place of one of these says what that is: { length = "angstrom", mass = "amu", energy = "kcal/mol" }.
namespace actio::io {

// kg^mass m^length s^time
struct Dimension {
  int mass = 0, length = 0, time = 0;
  bool operator==(const Dimension&) const = default;
};
constexpr Dimension of_mass{1, 0, 0}, of_time{0, 0, 1}, of_energy{1, 2, -2};
constexpr Dimension pure_number{}, of_length{0, 1, 0}, of_pressure{1, -1, -2}, of_density{1, -3, 0}, of_viscosity{1, -1, -1};

struct Unit {
  double size = 1;  // in m, kg, s
  Dimension dimension;
};
// "kg/m^3", "N/mm^2", "GPa", "Pa*s", "kcal/mol". "K" is an energy, k_B times one kelvin. Throws std::invalid_argument with the
// part that is no unit.
Unit unit_of(const std::string& text);

class Quantities {
 public:
  explicit Quantities(const Section& system, const SymbolTable& symbols);
  // In the file's units. Throws where the dimension is another.
  double read(const Value& value, const std::string& path, const Dimension& dimension) const;
  double in_file(double si, const Dimension& dimension) const;  // a number in m, kg, s in the file's units
  bool named() const { return !given_.empty(); }                // by the file
  // What the file's units are: {"length", "angstrom"}, ..., {"time", "48.8882 fs"}. Empty where it names none.
  std::vector<std::pair<std::string, std::string>> names() const;

 private:
  const SymbolTable& symbols_;
  double length_ = 1, mass_ = 1, time_ = 1;
  std::map<std::string, std::string> given_;
};

}  // namespace actio::io
