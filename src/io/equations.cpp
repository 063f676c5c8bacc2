#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include <actio/expr/operations.hpp>

#include "equals.hpp"
#include "parts.hpp"
#include "rows.hpp"

// f(u'', u', u, t) = 0 in place of a Lagrangian (Karow 10).
namespace actio::io {
namespace {

constexpr std::array not_beside{"potential", "lagrangian", "mass",    "stiffness", "damping",     "rayleigh",  "dissipation",
                                "bodies",    "joint",      "library", "fixed",     "constraints", "constraint"};

void refuse_a_lagrangian(const Section& system) {
  std::vector<std::string> keys(not_beside.begin(), not_beside.end());
  std::ranges::copy(force_keys(), std::back_inserter(keys));
  for (const std::string& key : keys)
    if (system.find(key))
      system.document().fail(system.place_of(key), fmt::format("{} cannot stand beside system.equations", system.path(key)),
                             "equations replace the Lagrangian: write its terms into them, or remove them");
}

}  // namespace

void EquationReader::read(const Value& text, const std::string& path, std::string name, Rows at) {
  if (text.kind == Kind::string) refuse_equals(symbols_.document(), text, path);
  const Expression expression(symbols_, text, path, at.loops, {true, true, true, false, "", true});
  if (expr::is_boolean(expression.graph[expression.value].op))
    symbols_.document().fail(text.place, fmt::format("{} is a comparison", path), "an equation is an expression that stays zero");
  Batch batch = assemble(expression, at.elements, 2);
  if (batch.locals == 0) symbols_.document().fail(text.place, fmt::format("{} depends on no coordinate", path));
  for (const std::int32_t row : at.rows) has_equation_[static_cast<std::size_t>(row)] = true;
  for (long l = 0; l < batch.locals; ++l)
    if (batch.accelerates[static_cast<std::size_t>(l)])
      for (long e = 0; e < batch.elements; ++e)
        accelerates_[static_cast<std::size_t>(batch.dofs[static_cast<std::size_t>(l * batch.elements + e)])] = true;
  equations.push_back(named<system::Equation>(std::move(name), std::move(batch), std::move(at.rows)));
}

void EquationReader::read_table(const Section& system) {
  const Value* table = system.find("equations");
  if (!table) return;
  const Document& document = system.document();
  const std::string path = system.path("equations");
  if (table->kind != Kind::table) wrong_type(document, *table, path, "a table of coordinates");
  for (const Entry& entry : table->fields) {
    Rows at = rows_of(read_reference(symbols_, entry.key, entry.place, path));
    for (const std::int32_t row : at.rows)
      if (has_equation_[static_cast<std::size_t>(row)])
        document.fail(entry.place, fmt::format("{} gives {} two equations", path, symbols_.coordinate_name(row)));
    read(entry.value, fmt::format("{}.{}", path, entry.key), "equation of " + entry.key, std::move(at));
  }
}

void EquationReader::check(const Section& system) const {
  if (equations.empty()) return;
  refuse_a_lagrangian(system);
  const Place& place = system.place_of(system.find("equations") ? "equations" : "coordinates");
  for (std::size_t i = 0; i < has_equation_.size(); ++i) {
    const std::string name = symbols_.coordinate_name(static_cast<long>(i));
    if (!has_equation_[i]) system.document().fail(place, fmt::format("{} has no equation", name));
    if (!accelerates_[i])
      system.document().fail(place, fmt::format("the acceleration {}'' is in no equation", name),
                             "the equations are solved for the accelerations");
  }
}

}  // namespace actio::io
