#include <actio/system/thermostat.hpp>
#include <algorithm>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "matrix.hpp"
#include "parts.hpp"
#include "quantity.hpp"
#include "values.hpp"

// [system.thermostat]: friction and noise that hold the system at a temperature.
namespace actio::io {
namespace {

constexpr long most_rows_of_modes = 2000;  // friction and mass that are not both diagonal: an eigenvalue problem

double not_negative(const SymbolTable& symbols, const Section& section, const char* key, std::string_view why) {
  const Value& value = section.need(key);
  const double x = scalar(symbols, value, section.path(key));
  if (!(x >= 0))
    symbols.document().fail(value.place, fmt::format("{} is {}; it must not be negative", section.path(key), x),
                            std::string(why));
  return x;
}

system::MassMatrix read_friction(const SymbolTable& symbols, const Section& section, const system::Model& model) {
  const Document& document = symbols.document();
  const Value& value = section.need("friction");
  const std::string path = section.path("friction");
  GivenMatrix given = read_symmetric(symbols, value, path, "friction", false);
  system::MassMatrix friction;
  friction.kind = given.diagonal ? system::MassMatrix::Kind::diagonal : system::MassMatrix::Kind::full;
  friction.diagonal = std::move(given.entries);
  friction.full = std::move(given.full);
  const Eigen::VectorXd diagonal = given.diagonal ? friction.diagonal : Eigen::VectorXd(friction.full.diagonal());
  for (long i = 0; i < diagonal.size(); ++i)
    if (!(diagonal[i] >= 0))
      document.fail(value.place,
                    fmt::format("{} of {} is {}; it must not be negative", path, symbols.coordinate_name(i), diagonal[i]),
                    "the force is -friction times the velocity");
  const bool modes = !given.diagonal || model.mass.kind == system::MassMatrix::Kind::full;
  if (modes && model.size() > most_rows_of_modes)
    document.fail(value.place,
                  fmt::format("{} with a full matrix takes at most {} coordinates, and there are {}", path, most_rows_of_modes,
                              model.size()),
                  "rate = ... damps all momenta alike, for any number of coordinates");
  return friction;
}

system::Thermostat::Scheme read_scheme(const Document& document, const Section& section) {
  using Scheme = system::Thermostat::Scheme;
  const Value* value = section.find("scheme");
  if (!value) return Scheme::obabo;
  const std::string path = section.path("scheme");
  need_kind(document, *value, path, Kind::string);
  const auto* found = std::ranges::find(system::scheme_names, value->string);
  if (found == std::end(system::scheme_names)) {
    const std::vector<std::string> names(std::begin(system::scheme_names), std::end(system::scheme_names));
    std::string hint = core::did_you_mean(value->string, names);
    if (value->string == "oabao") hint = "obabo with method.form = \"position\" of verlet is OABAO";
    if (hint.empty()) hint = fmt::format("it can be {}", fmt::join(names, ", "));
    document.fail(value->place, fmt::format("{} cannot be \"{}\"", path, value->string), hint);
  }
  return static_cast<Scheme>(found - std::begin(system::scheme_names));
}

}  // namespace

std::shared_ptr<const system::Thermostat> read_thermostat(const Section& system, const SymbolTable& symbols,
                                                          const Quantities& quantities, const system::Model& model) {
  const Value* table = system.find("thermostat");
  if (!table) return nullptr;
  const Document& document = system.document();
  const Section section(document, *table, system.path("thermostat"), keys_of_table("system.thermostat"));
  auto out = std::make_shared<system::Thermostat>();
  const Value *rate = section.find("rate"), *friction = section.find("friction");
  if (!rate && !friction)
    document.fail(table->place, fmt::format("{} has neither rate nor friction", section.path()),
                  "rate = gamma damps the momenta, p' = -gamma p; friction = g is the force -g v");
  if (rate && friction)
    document.fail(friction->place, fmt::format("{} has both rate and friction", section.path()),
                  "rate = gamma damps the momenta, p' = -gamma p; friction = g is the force -g v: give one");
  if (rate)
    out->rate = not_negative(symbols, section, "rate", "it damps the momenta: p' = -rate p");
  else
    out->friction = read_friction(symbols, section, model);
  const Value& temperature = section.need("temperature");
  out->kT = quantities.read(temperature, section.path("temperature"), of_energy);
  if (!(out->kT >= 0))
    document.fail(temperature.place, fmt::format("{} is {}; it must not be negative", section.path("temperature"), out->kT),
                  "it is k_B T in the unit of energy of the problem, or { value = 300, unit = \"K\" }");
  const Value* seed = section.find("seed");
  if (!seed)
    document.fail(table->place, fmt::format("{} is missing", section.path("seed")),
                  "the same seed gives the same noise: seed = 1; take another for another path");
  out->seed = static_cast<std::uint64_t>(integer(document, *seed, section.path("seed"), 0, std::numeric_limits<long>::max()));
  out->scheme = read_scheme(document, section);
  return out;
}

}  // namespace actio::io
