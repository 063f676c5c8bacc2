#pragma once
#include <actio/expr/graph.hpp>

// First and second partial derivatives of one operation with respect to its operands a and b.
// where, min and max have none here: they choose a branch, and derivatives.cpp chooses the branch's derivative.
namespace actio::expr {

struct Partials {
  Id a = -1, b = -1;             // d/da, d/db; -1 where there is no operand
  Id aa = -1, ab = -1, bb = -1;  // second derivatives
};

Partials first_partials(Graph& g, Id f);
Partials partials(Graph& g, Id f);

// where, min and max pick one of two branches.
struct Choice {
  Id yes = -1, no = -1;
};
bool is_choice(Op op);
Choice choice(const Graph& g, Id f);
// The value that belongs to the branch f picks; NaN where min or max met a NaN.
Id choose(Graph& g, Id f, Id yes, Id no);

}  // namespace actio::expr
