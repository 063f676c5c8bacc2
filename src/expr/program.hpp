#pragma once
#include <span>
#include <vector>

#include <actio/expr/graph.hpp>

// What the outputs need of a graph, in the order it is computed in: the text the C emitter and the interpreter both read.
namespace actio::expr {

struct Program {
  std::vector<Node> code;     // operands are positions in code; powi and half-integer pow are written out as products
  std::vector<char> varying;  // of each position: depends on a column, so differs from element to element
  std::vector<Id> outputs;    // positions
};

Program lower(const Graph& g, std::span<const Id> outputs);

}  // namespace actio::expr
