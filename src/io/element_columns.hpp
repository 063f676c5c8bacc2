#pragma once
#include "elements.hpp"

// Where the columns of an expression over a range come from.
namespace actio::io {

// Where a column's index may lie, and where the family begins among the coordinates.
struct Extent {
  std::string name;
  long size = 1, offset = 0, stride = 1;
};
Extent extent_of(const Column& column, const SymbolTable& symbols);

std::optional<double> only_value(const std::vector<double>& column);

// The time, the parameters, the signals and SymbolTable::quantities, as the columns of no element.
std::vector<expr::Id> uniforms_in(expr::Graph& graph, const SymbolTable& symbols);

}  // namespace actio::io
