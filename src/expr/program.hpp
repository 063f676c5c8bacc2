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

// What is taken for 1/sqrt(x) and all that x^(1/2), x^-1, x^(-3/2), ... can be made of.
enum class Roots : char {
  square,   // sqrt(x) and 1/x
  inverse,  // 1/sqrt(x), where x is a sum of squares
};

Program lower(const Graph& g, std::span<const Id> outputs, Roots roots = Roots::square);

}  // namespace actio::expr
