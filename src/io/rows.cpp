#include "rows.hpp"

#include <fmt/format.h>

namespace actio::io {

Rows rows_of(const Reference& reference) {
  Rows out;
  if (reference.indexed) {
    out.elements = strided(reference.first, reference.count, reference.step);
    out.loops = {"i"};
  }
  for (long k = 0; k < reference.count; ++k) out.rows.push_back(static_cast<std::int32_t>(reference.coordinate(k)));
  return out;
}

Rows rows_on(const SymbolTable& symbols, const Value& on, const std::string& path, const Elements& elements) {
  Rows out;
  out.elements = elements;
  for (const auto& range : elements.ranges) out.loops.push_back(range.name);
  const Expression expression(symbols, on, path, out.loops, {true, false, false, false, "this names the coordinate"});
  const bool one = expression.graph[expression.value].op == expr::Op::column && expression.columns.size() == 1 &&
                   expression.columns.front().kind == Column::Kind::position;
  if (!one) symbols.document().fail(on.place, fmt::format("{} must name one coordinate", path), "for example on = \"u[k]\"");
  out.rows = std::move(assemble(expression, elements, 0).dofs);
  return out;
}

}  // namespace actio::io
