#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

// Scalar expressions as one hash-consed graph: equal subexpressions are one node, so common
// subexpressions are shared by construction and derivatives stay small.
//
//   Graph g;
//   Id x = g.column(0), c = g.uniform(1);
//   Id V = g.mul(c, g.pow(x, g.constant(4)));
//   std::vector<Id> f = gradient(g, V, std::array{x});      // {4 c x^3}
namespace actio::expr {

using Id = std::int32_t;

enum class Op : std::uint8_t {  // operations.hpp describes each
  constant,
  column,
  uniform,
  add,
  sub,
  mul,
  div,
  neg,
  pow,
  powi,
  sqrt,
  inverse_sqrt,  // 1/sqrt(a), which lowering makes
  exp,
  log,
  log10,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  hypot,
  sinh,
  cosh,
  tanh,
  erf,
  erfc,
  abs,
  sign,
  floor,
  round,  // to the nearest integer, halves to the even one
  min,
  max,
  less,
  less_equal,
  equal,  // 1 or 0
  logical_and,
  logical_or,
  logical_not,
  where  // where(a, b, c): b where a != 0, else c; only the chosen branch's value counts
};

struct Node {
  Op op = Op::constant;
  std::int32_t k = 0;  // column or uniform index, or the exponent of powi
  Id a = -1, b = -1, c = -1;
  double value = 0;                       // of a constant
  bool operator==(const Node& o) const {  // bitwise in value: NaN equals itself
    return op == o.op && k == o.k && a == o.a && b == o.b && c == o.c &&
           std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(o.value);
  }
};

class Graph {
 public:
  Id constant(double value);  // -0 is taken as 0, and every NaN is one
  Id column(int k);           // differs from element to element of a batch: local coordinates, velocities, table entries
  Id uniform(int k);          // the same for a whole batch: time (0) and parameters (1, 2, ...)
  Id unary(Op op, Id a);
  Id binary(Op op, Id a, Id b);
  Id where(Id condition, Id yes, Id no);
  Id add(Id a, Id b) { return binary(Op::add, a, b); }
  Id sub(Id a, Id b) { return binary(Op::sub, a, b); }
  Id mul(Id a, Id b) { return binary(Op::mul, a, b); }
  Id div(Id a, Id b) { return binary(Op::div, a, b); }
  Id neg(Id a) { return unary(Op::neg, a); }
  Id pow(Id a, Id b) { return binary(Op::pow, a, b); }  // a constant integer exponent becomes powi
  const Node& operator[](Id id) const { return nodes_[static_cast<std::size_t>(id)]; }
  std::size_t size() const { return nodes_.size(); }
  bool is_constant(Id id, double value) const;
  bool is_constant(Id id) const { return (*this)[id].op == Op::constant; }

 private:
  struct Hash {
    std::size_t operator()(const Node&) const;
  };
  Id intern(const Node& node);
  Id powi(Id a, int n);
  Id simplify_add(Id a, Id b);
  Id simplify_sub(Id a, Id b);
  Id simplify_mul(Id a, Id b);
  Id simplify_div(Id a, Id b);
  Id simplify_pow(Id a, Id b);
  Id simplify_neg(Id a);
  std::vector<Node> nodes_;
  std::unordered_map<Node, Id, Hash> ids_;
};

// f of `from`, rebuilt in `into` with column k replaced by columns[k] and uniform k by uniforms[k].
Id substitute(Graph& into, const Graph& from, Id f, std::span<const Id> columns, std::span<const Id> uniforms);

// Derivatives. x are distinct columns or uniforms (or any nodes, then taken as independent). A structural zero is the constant 0.
// where, min and max pick a branch and only its derivative counts: NaN in the other does not come through. sign, floor
// and round are piecewise constant.

// df/dx by reverse mode on the graph.
std::vector<Id> gradient(Graph& g, Id f, std::span<const Id> x);
// d2f/dx2 by reverse mode of second order (edge pushing: Gower and Mello, Optim. Methods Softw. 27 (2012) 251), which uses its
// symmetry and sparsity. Lower triangle, entry (i, j), j <= i, at i (i + 1) / 2 + j.
std::vector<Id> hessian(Graph& g, Id f, std::span<const Id> x);
// d/dx of a' (d2f/dx2) a with a held fixed: V'''[a, a].
std::vector<Id> third(Graph& g, Id f, std::span<const Id> x, std::span<const Id> a);
// The columns f depends on, ascending.
std::vector<int> columns_of(const Graph& g, Id f);
bool depends_on_uniform(const Graph& g, Id f, int k);
// Whether f is never negative, as a sum of squares: seen from its form, so many operations deep.
bool is_nonnegative(const Graph& g, Id f, int depth = 16);

}  // namespace actio::expr
