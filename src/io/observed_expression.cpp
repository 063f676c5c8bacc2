#include "observed_expression.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace actio::io {
namespace {

// Supports hold what is fixed.
void check_reactions(const system::Model& model, const Expression& expression, const system::ElementFunction& of) {
  const auto at = std::ranges::find(expression.columns, Column::Kind::reaction, &Column::kind);
  const std::string text = expression.text_of(*at);
  if (!model.equations.empty())
    expression.fail(*at, fmt::format("the reaction of {} is not known: equations have no forces", text));
  if (!model.constraints.empty() || !model.bodies.empty())
    expression.fail(*at, fmt::format("the reaction of {} is not known: constraints act on the system", text),
                    "the multipliers of constraints are their forces");
  constexpr long group = static_cast<long>(run::State::reaction);
  for (const int column : expr::columns_of(of.graph, of.value)) {
    const long local = column - group * of.locals;
    for (long e = 0; local >= 0 && local < of.locals && e < of.elements; ++e)
      if (const std::int32_t i = of.dof(local, e); !std::ranges::binary_search(model.fixed_dofs, i))
        expression.fail(*at, fmt::format("{} is not fixed, so nothing holds it by a reaction", model.coordinate_name(i)),
                        "reaction(x) is that of a coordinate in system.fixed");
  }
}

}  // namespace

void add_expression(const SymbolTable& symbols, const system::Model& model, const Value& text, const std::string& path,
                    const Elements& elements, run::Observable& out) {
  std::vector<std::string> loops;
  for (const auto& range : elements.ranges) loops.push_back(range.name);
  Allowed allowed{true, true, true, false, ""};
  allowed.accelerations = allowed.observed = true;
  const Expression expression(symbols, text, path, loops, allowed);
  for (const Column& column : expression.columns)
    if (column.kind == Column::Kind::acceleration && (!model.constraints.empty() || !model.bodies.empty()))
      expression.fail(column, fmt::format("{} is not known: constraints act on the system", expression.text_of(column)),
                      "accelerations are those of the equations of motion without constraints");
  out.definition += (out.definition.empty() ? "" : ", ") + text.string;
  out.components.push_back(assemble_observed(expression, elements));
  if (std::ranges::any_of(expression.columns, [](const Column& c) { return c.kind == Column::Kind::reaction; }))
    check_reactions(model, expression, out.components.back());
}

}  // namespace actio::io
