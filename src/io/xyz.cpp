#include "xyz.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "elements.hpp"
#include "number.hpp"
#include "text.hpp"

namespace actio::io {
namespace {

constexpr std::size_t longest_xyz = std::size_t{1} << 30;  // bytes

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0;;) {
    at = line.find_first_not_of(" \t\r", at);
    if (at == std::string_view::npos) return out;
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    out.push_back(line.substr(at, end - at));
    at = end;
  }
}

// Standard atomic weights (IUPAC 2021, abridged); deuterium as D.
struct Element {
  const char* symbol;
  double mass;  // [amu]
};
constexpr std::array known_elements{Element{"H", 1.008},   Element{"D", 2.014},   Element{"He", 4.0026}, Element{"Li", 6.94},
                                    Element{"C", 12.011},  Element{"N", 14.007},  Element{"O", 15.999},  Element{"F", 18.998},
                                    Element{"Ne", 20.180}, Element{"Na", 22.990}, Element{"Mg", 24.305}, Element{"Al", 26.982},
                                    Element{"Si", 28.085}, Element{"P", 30.974},  Element{"S", 32.06},   Element{"Cl", 35.45},
                                    Element{"Ar", 39.95},  Element{"K", 39.098},  Element{"Ca", 40.078}, Element{"Fe", 55.845},
                                    Element{"Cu", 63.546}, Element{"Zn", 65.38},  Element{"Br", 79.904}, Element{"Kr", 83.798},
                                    Element{"I", 126.90},  Element{"Xe", 131.29}};
std::string element_of(double mass, const std::string& otherwise) {
  constexpr double rounded = 0.015;  // as force fields round weights: 15.9994, 12.01, 35.453
  for (const Element& element : known_elements)
    if (std::abs(element.mass - mass) < rounded) return element.symbol;
  return otherwise;
}

}  // namespace

Xyz read_xyz(const std::string& path) {
  const std::string text = read_text(path, longest_xyz);
  std::size_t begin = 0;
  int number = 0;
  std::string_view line;
  const auto next = [&] {
    if (begin >= text.size()) return false;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    return true;
  };
  const auto fail = [&](std::string_view word, const std::string& message, std::string_view hint = {}) {
    const auto at = static_cast<int>(word.data() - line.data());
    throw core::InputError({path, number, at + 1, std::max(1, static_cast<int>(word.size())), printable(line)}, message, hint);
  };
  if (!next()) throw core::InputError(core::Source{path, 0, 0, 1, ""}, "the file is empty");
  const std::vector<std::string_view> head = words_of(line);
  const auto count = head.size() == 1 ? to_number<long>(head[0]) : std::nullopt;
  if (!count || *count < 1 || *count > most_coordinates)
    fail(line, "an XYZ file begins with a line that has the number of atoms alone");
  if (!next()) throw core::InputError(core::Source{path, number, 0, 1, ""}, "the file ends before its comment line");
  Xyz out;
  out.places.resize(3, std::min(*count, static_cast<long>(text.size() / 6)));  // a line has 7 characters at least
  for (long k = 0; k < *count; ++k) {
    if (!next())
      throw core::InputError(core::Source{path, number, 0, 1, ""}, fmt::format("the file ends after {} of {} atoms", k, *count));
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() < 4) fail(line, fmt::format("atom {} needs a label and three coordinates", k));
    out.labels.emplace_back(words[0]);
    for (long axis = 0; axis < 3; ++axis) {
      const std::string_view word = words[static_cast<std::size_t>(axis) + 1];
      const auto x = to_number<double>(word);
      if (!x) fail(word, fmt::format("\"{}\" is not a number", printable(word)));
      if (!std::isfinite(*x)) fail(word, fmt::format("{} is not finite", word));
      out.places(axis, k) = *x;
    }
  }
  return out;
}

run::Atoms atoms_of(const SymbolTable& symbols, const Quantities& quantities, const system::Model& model,
                    const std::map<long, std::string>& labels) {
  run::Atoms out;
  std::ranges::copy(symbols.box, out.box.begin());
  std::set<std::array<std::int32_t, 3>> shown;  // those of a family that is part of another are the same
  for (const PointFamily& points : symbols.points)
    for (long k = 0; k < points.count; ++k) {
      const auto at = [&](std::size_t axis) {
        return axis < points.axes.size() ? static_cast<std::int32_t>(symbols.coordinate_of(points, axis, k)) : -1;
      };
      if (!shown.insert({at(0), at(1), at(2)}).second) continue;
      out.coordinates.push_back({at(0), at(1), at(2)});
      std::string label = points.name;
      if (quantities.named() && model.mass.kind == system::MassMatrix::Kind::diagonal)
        label = element_of(model.mass.diagonal[at(0)] / quantities.in_file(unit_of("amu").size, of_mass), label);
      const auto read = labels.find(at(0));
      out.labels.push_back(read == labels.end() ? label : read->second);
    }
  if (!quantities.named()) return out;
  out.scale = 1 / quantities.in_file(unit_of("angstrom").size, of_length);
  out.time = 1 / quantities.in_file(unit_of("ps").size, of_time);
  out.energy = 1 / quantities.in_file(unit_of("kJ/mol").size, of_energy);
  out.units = "length_unit=angstrom";
  for (const auto& [quantity, unit] : quantities.names())
    if (quantity == "time" || quantity == "energy") out.units += fmt::format(" {}_unit=\"{}\"", quantity, unit);
  return out;
}

}  // namespace actio::io
