#include <actio/system/element_function.hpp>

#include <algorithm>

namespace actio::system {

bool depends_on_columns(const ElementFunction& function, long first, long last) {
  const std::vector<int> used = expr::columns_of(function.graph, function.value);
  return std::any_of(used.begin(), used.end(), [&](int c) { return c >= first && c < last; });
}

ElementFunction of_elements(const ElementFunction& function, const std::vector<std::size_t>& chosen) {
  ElementFunction out;
  out.name = function.name;
  out.graph = function.graph;
  out.value = function.value;
  out.locals = function.locals;
  out.elements = static_cast<long>(chosen.size());
  out.rows = of_elements(function.rows, function.elements, chosen);
  if (function.pairs) {
    for (long l = 0; l < function.locals; ++l)
      for (const std::size_t e : chosen) out.dofs.push_back(function.dof(l, static_cast<long>(e)));
    for (std::size_t k = 0; k < function.data.size(); ++k) {
      auto& column = out.data.emplace_back();
      for (const std::size_t e : chosen) column.push_back(function.datum(k, static_cast<long>(e)));
    }
    return out;
  }
  out.dofs = of_elements(function.dofs, function.elements, chosen);
  for (const auto& column : function.data) out.data.push_back(of_elements(column, function.elements, chosen));
  return out;
}

}  // namespace actio::system
