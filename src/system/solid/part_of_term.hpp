#pragma once
#include <actio/system/model.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

namespace actio::system {

// Column c of `all`, element e at c * elements + e: those of some elements.
template <class T>
std::vector<T> of_elements(const std::vector<T>& all, std::size_t elements, const std::vector<std::size_t>& chosen) {
  std::vector<T> out;
  if (elements == 0) return out;
  const std::size_t columns = all.size() / elements;
  out.reserve(columns * chosen.size());
  for (std::size_t c = 0; c < columns; ++c)
    for (const std::size_t e : chosen) out.push_back(all[c * elements + e]);
  return out;
}

// The term of some of its elements, in this order; one may come several times.
inline Term part_of_term(const Term& term, const std::vector<std::size_t>& chosen) {
  const auto elements = static_cast<std::size_t>(term.elements);
  const bool ascend = std::adjacent_find(chosen.begin(), chosen.end(), std::greater_equal<>()) == chosen.end();
  if (ascend && chosen.size() == elements) return term;
  Term out;
  out.name = term.name;
  out.graph = term.graph;
  out.value = term.value;
  out.lagrangian = term.lagrangian;
  out.velocities = term.velocities;
  out.stiff = term.stiff;
  out.locals = term.locals;
  out.elements = static_cast<long>(chosen.size());
  out.dofs = of_elements(term.dofs, elements, chosen);
  for (const auto& column : term.data) out.data.push_back(of_elements(column, elements, chosen));
  if (!term.interpolation) return out;
  const Interpolation& from = *term.interpolation;
  auto of = std::make_shared<Interpolation>();
  of->nodes = from.nodes;
  of->points = from.points;
  of->slopes = from.slopes;
  of->inverse = of_elements(from.inverse, elements, chosen);
  of->weight = of_elements(from.weight, elements, chosen);
  of->cells = of_elements(from.cells, elements, chosen);
  out.interpolation = std::move(of);
  return out;
}

}  // namespace actio::system
