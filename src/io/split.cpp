#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <actio/system/fast_part.hpp>

#include "parts.hpp"
#include "values.hpp"

// [system.split]: the part of the system whose motion wisdom-holman, saba and their relatives solve exactly.
namespace actio::io {
namespace {

using FastKind = system::FastPart::Kind;

FastKind read_fast_kind(const Document& document, const Section& section) {
  const Value& value = section.need("fast");
  const std::string path = section.path("fast");
  need_kind(document, value, path, Kind::string);
  const auto* found = std::ranges::find(system::fast_names, value.string);
  if (found == std::end(system::fast_names)) {
    const std::vector<std::string> names(std::begin(system::fast_names), std::end(system::fast_names));
    std::string hint = core::did_you_mean(value.string, names);
    if (hint.empty()) hint = fmt::format("it can be {}", fmt::join(names, " or "));
    document.fail(value.place, fmt::format("{} cannot be \"{}\"", path, value.string), hint);
  }
  return static_cast<FastKind>(found - std::begin(system::fast_names));
}

// The family of points that is named, or the only one.
const PointFamily& read_split_points(const SymbolTable& symbols, const Section& section) {
  const Document& document = symbols.document();
  const Value* value = section.find("points");
  std::vector<std::string> names;
  for (const PointFamily& family : symbols.points) names.push_back(family.name);
  if (!value) {
    if (symbols.points.size() == 1) return symbols.points.front();
    document.fail(section.place_of("fast"), fmt::format("{} is missing", section.path("points")),
                  names.empty() ? "group the coordinates to points: points = { body = [\"x\", \"y\", \"z\"] } in [system]"
                                : fmt::format("it names one of {}", fmt::join(names, ", ")));
  }
  need_kind(document, *value, section.path("points"), Kind::string);
  const auto found = std::ranges::find(symbols.points, value->string, &PointFamily::name);
  if (found == symbols.points.end())
    document.fail(value->place, fmt::format("{}: there are no points \"{}\"", section.path("points"), value->string),
                  core::did_you_mean(value->string, names));
  return *found;
}

void read_kepler(const SymbolTable& symbols, const Section& section, const system::Model& model, system::FastPart& out) {
  const Document& document = symbols.document();
  const PointFamily& family = read_split_points(symbols, section);
  const Value& G = section.need("gravitational_constant");
  out.gravitational_constant = scalar(symbols, G, section.path("gravitational_constant"));
  if (!(out.gravitational_constant > 0))
    document.fail(
        G.place, fmt::format("{} is {}; it must be positive", section.path("gravitational_constant"), out.gravitational_constant),
        "the energy of a pair is -G m_i m_j/r_ij");
  const auto coordinate = [&](std::size_t axis, long k) {
    return axis < family.axes.size() ? symbols.coordinate_of(family, axis, k) : -1;
  };
  for (long k = 0; k < family.count; ++k) out.points.push_back({coordinate(0, k), coordinate(1, k), coordinate(2, k)});
  const auto mass = [&](const std::array<long, 3>& point) { return model.mass.diagonal[point[0]]; };
  auto sun = std::ranges::max_element(out.points, {}, [&](const auto& point) {
    return model.mass.kind == system::MassMatrix::Kind::diagonal ? mass(point) : 0.0;
  });
  if (const Value* value = section.find("sun"))
    sun = out.points.begin() + integer(document, *value, section.path("sun"), 0, family.count - 1);
  std::rotate(out.points.begin(), sun, sun + 1);  // the others stay in their order
}

}  // namespace

std::shared_ptr<const system::FastPart> read_split(const Section& system, const SymbolTable& symbols,
                                                   const system::Model& model) {
  const Value* table = system.find("split");
  if (!table) return nullptr;
  const Document& document = system.document();
  const Section section(document, *table, system.path("split"), keys_of_table("system.split"));
  auto out = std::make_shared<system::FastPart>();
  out->kind = read_fast_kind(document, section);
  if (out->kind == FastKind::kepler) {
    read_kepler(symbols, section, model, *out);
    return out;
  }
  for (const char* key : {"gravitational_constant", "points", "sun"})
    if (const Value* value = section.find(key))
      document.fail(value->place, fmt::format("{} belongs to fast = \"kepler\"", section.path(key)));
  return out;
}

}  // namespace actio::io
