#include "element_columns.hpp"

namespace actio::io {

Extent extent_of(const Column& column, const SymbolTable& symbols) {
  const auto which = static_cast<std::size_t>(column.which);
  if (column.kind == Column::Kind::table)
    return {symbols.tables[which].name, static_cast<long>(symbols.tables[which].values.size()), 0};
  if (column.kind == Column::Kind::loop) return {"", farthest_index, 0};
  if (column.entry >= 0) {
    const BodyFamily& bodies = symbols.bodies[which];
    return {bodies.name, bodies.count, bodies.offset + column.entry, bodies.stride()};
  }
  const system::Family& family = symbols.families[which];
  return {family.name, family.size, family.offset};
}

std::optional<double> only_value(const std::vector<double>& column) {
  for (const double x : column)
    if (x != column.front()) return {};
  return column.front();
}

std::vector<expr::Id> uniforms_in(expr::Graph& graph, const SymbolTable& symbols) {
  std::vector<expr::Id> out;
  for (std::size_t k = 0; k <= symbols.parameters.size() + symbols.signals.size() + symbols.quantities.size(); ++k)
    out.push_back(graph.uniform(static_cast<int>(k)));
  return out;
}

}  // namespace actio::io
