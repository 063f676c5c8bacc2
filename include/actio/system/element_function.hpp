#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <actio/expr/graph.hpp>

// One small expression at many places: what energies, forces, equations, constraints and generators of symmetries are made of.
namespace actio::system {

struct Pairs;

// Element e has the value of the graph at its columns: [0, locals) positions, then, as the kind of function says, as many
// velocities and as many accelerations, then data. Uniforms: 0 is the time, 1.. the parameters of the model, then the values of
// its signals at that time.
struct ElementFunction {
  std::string name;
  expr::Graph graph;
  expr::Id value = -1;
  long locals = 0;
  long elements = 1;
  std::vector<std::int32_t> dofs;         // (locals x elements): local l of element e at l * elements + e
  std::vector<std::int32_t> rows;         // (elements): the coordinate that takes the value; empty for energies, constraints
  std::vector<std::vector<double>> data;  // one vector of `elements` entries a data column
  // Where the elements are pairs of indices, what finds their columns: then `dofs` is empty, and data are tables of any length.
  std::shared_ptr<const Pairs> pairs{};

  std::int32_t dof(long l, long e) const;
  double datum(std::size_t column, long e) const;
};

// The same function, with tables in place of pairs.
void tabulate(ElementFunction& function);

// Whether the value depends on a column of [first, last).
bool depends_on_columns(const ElementFunction& function, long first, long last);

// Column c of `all`, element e at c * elements + e: those of some elements.
template <class T>
std::vector<T> of_elements(const std::vector<T>& all, long elements, const std::vector<std::size_t>& chosen) {
  std::vector<T> out;
  if (elements == 0) return out;
  const std::size_t n = static_cast<std::size_t>(elements), columns = all.size() / n;
  out.reserve(columns * chosen.size());
  for (std::size_t c = 0; c < columns; ++c)
    for (const std::size_t e : chosen) out.push_back(all[c * n + e]);
  return out;
}
// The function at some of its elements, in this order; one may come several times.
ElementFunction of_elements(const ElementFunction& function, const std::vector<std::size_t>& chosen);

}  // namespace actio::system
