#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include <actio/system/solid.hpp>

// A field over a solid as part of the graph of a term.
namespace actio::system {

// At the points of integration of cells of one kind.
std::vector<Shape> shapes_of(Cell kind);

// A graph whose data columns begin after `first` others.
struct Local {
  expr::Graph graph;
  int first = 0;
  std::vector<std::vector<double>> columns;

  // A column; a number where all are one.
  expr::Id data(const std::vector<double>& values) {
    if (std::ranges::all_of(values, [&](double x) { return x == values.front(); })) return graph.constant(values.front());
    columns.push_back(values);
    return graph.column(first + static_cast<int>(columns.size()) - 1);
  }
  // The value of a field at these places.
  expr::Id of(const Model& model, const Field& field, expr::Id value, const std::array<std::vector<double>, 3>& X) {
    std::array<expr::Id, 3> at{graph.constant(0), graph.constant(0), graph.constant(0)};
    for (const int k : expr::columns_of(field.graph, value))
      at[static_cast<std::size_t>(k)] = data(X[static_cast<std::size_t>(k)]);
    std::vector<expr::Id> uniforms;
    for (std::size_t k = 0; k <= model.parameters.size() + model.signals.size(); ++k)
      uniforms.push_back(graph.uniform(static_cast<int>(k)));
    return expr::substitute(graph, field.graph, value, at, uniforms);
  }
};

}  // namespace actio::system
