#include <actio/expr/graph.hpp>

#include <bit>
#include <cassert>
#include <cmath>

#include "apply.hpp"

namespace actio::expr {
namespace {

constexpr int largest_power = 64;  // beyond it rounding of repeated squaring adds up: libm's pow is better

bool is_power_of_two(double x) {
  int exponent = 0;
  return std::isnormal(x) && std::isnormal(1 / x) && std::fabs(std::frexp(x, &exponent)) == 0.5;
}
bool exact_product(double a, double b) { return std::isfinite(a * b) && std::fma(a, b, -(a * b)) == 0; }

}  // namespace

bool is_nonnegative(const Graph& g, Id id, int depth) {
  const Node& n = g[id];
  if (n.op == Op::constant) return n.value >= 0;
  if (n.op == Op::add || n.op == Op::mul)
    return depth > 0 && is_nonnegative(g, n.a, depth - 1) && is_nonnegative(g, n.b, depth - 1);
  return n.op == Op::sqrt || n.op == Op::exp || n.op == Op::abs || n.op == Op::hypot || (n.op == Op::powi && n.k % 2 == 0);
}

std::size_t Graph::Hash::operator()(const Node& n) const {
  std::uint64_t h = static_cast<std::uint64_t>(n.op);
  const auto mix = [&h](std::uint64_t x) {
    h = (h ^ x) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 29U;
  };
  mix(static_cast<std::uint32_t>(n.k));
  mix(static_cast<std::uint32_t>(n.a) | static_cast<std::uint64_t>(static_cast<std::uint32_t>(n.b)) << 32U);
  mix(static_cast<std::uint32_t>(n.c));
  mix(std::bit_cast<std::uint64_t>(n.value));
  return static_cast<std::size_t>(h);
}

Id Graph::intern(const Node& node) {
  const auto [place, is_new] = ids_.try_emplace(node, static_cast<Id>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return place->second;
}

bool Graph::is_constant(Id id, double value) const {
  const Node& n = (*this)[id];
  return n.op == Op::constant && n.value == value;
}

Id Graph::constant(double value) {
  std::uint64_t bits = value == 0 ? 0 : std::bit_cast<std::uint64_t>(value);
  if (std::isnan(value)) bits = 0x7FF8ULL << 48U;
  return intern({.op = Op::constant, .value = std::bit_cast<double>(bits)});
}
Id Graph::column(int k) { return intern({.op = Op::column, .k = k}); }
Id Graph::uniform(int k) { return intern({.op = Op::uniform, .k = k}); }

Id Graph::unary(Op op, Id a) {
  assert(arity(op) == 1 && op != Op::powi);
  const Node x = (*this)[a];
  if (x.op == Op::constant) return constant(apply(op, x.value));
  if (op == Op::neg) return simplify_neg(a);
  if (x.op == Op::neg && operation(op).parity == Parity::even) return unary(op, x.a);
  if (x.op == Op::neg && operation(op).parity == Parity::odd) return neg(unary(op, x.a));
  if (op == Op::abs && (x.op == Op::abs || x.op == Op::sqrt || x.op == Op::exp || (x.op == Op::powi && x.k % 2 == 0))) return a;
  return intern({.op = op, .a = a});
}

Id Graph::binary(Op op, Id a, Id b) {
  assert(arity(op) == 2);
  if (is_constant(a) && is_constant(b) && op != Op::pow) return constant(apply(op, (*this)[a].value, (*this)[b].value));
  switch (op) {
    case Op::add:
      return simplify_add(a, b);
    case Op::sub:
      return simplify_sub(a, b);
    case Op::mul:
      return simplify_mul(a, b);
    case Op::div:
      return simplify_div(a, b);
    case Op::pow:
      return simplify_pow(a, b);
    default:
      break;
  }
  if (operation(op).commutes && a > b) std::swap(a, b);
  if ((op == Op::min || op == Op::max) && a == b) return a;
  if (op == Op::less && a == b) return constant(0);
  if (op == Op::logical_and || op == Op::logical_or) {
    if (is_constant(b)) std::swap(a, b);
    if (is_constant(a)) {
      const bool yes = !is_constant(a, 0);
      if (yes != (op == Op::logical_and)) return constant(yes ? 1 : 0);
      if (is_boolean((*this)[b].op)) return b;
    }
  }
  return intern({.op = op, .a = a, .b = b});
}

Id Graph::where(Id condition, Id yes, Id no) {
  const Node c = (*this)[condition];
  if (c.op == Op::constant) return c.value != 0 ? yes : no;
  if (yes == no) return yes;
  if (c.op == Op::logical_not) return where(c.a, no, yes);
  return intern({.op = Op::where, .a = condition, .b = yes, .c = no});
}

Id Graph::simplify_neg(Id a) {
  const Node x = (*this)[a];
  if (x.op == Op::neg) return x.a;
  if (x.op == Op::sub)
    if (const auto flipped = ids_.find({.op = Op::sub, .a = x.b, .b = x.a}); flipped != ids_.end()) return flipped->second;
  if (x.op == Op::mul && is_constant(x.a)) return mul(constant(-(*this)[x.a].value), x.b);
  if (x.op == Op::div && is_constant(x.a)) return div(constant(-(*this)[x.a].value), x.b);
  return intern({.op = Op::neg, .a = a});
}

Id Graph::simplify_add(Id a, Id b) {
  if (is_constant(a, 0)) return b;
  if (is_constant(b, 0)) return a;
  if (a == b) return mul(constant(2), a);
  const Node x = (*this)[a], y = (*this)[b];
  if (y.op == Op::neg) return sub(a, y.a);
  if (x.op == Op::neg) return sub(b, x.a);
  if (a > b) std::swap(a, b);
  return intern({.op = Op::add, .a = a, .b = b});
}

Id Graph::simplify_sub(Id a, Id b) {
  if (is_constant(b, 0)) return a;
  if (is_constant(a, 0)) return neg(b);
  if (a == b) return constant(0);
  const Node x = (*this)[a], y = (*this)[b];
  if (y.op == Op::constant) return add(a, constant(-y.value));
  if (y.op == Op::neg) return add(a, y.a);
  if (x.op == Op::neg) return neg(add(x.a, b));
  if (const auto flipped = ids_.find({.op = Op::sub, .a = b, .b = a}); flipped != ids_.end())
    return intern({.op = Op::neg, .a = flipped->second});
  return intern({.op = Op::sub, .a = a, .b = b});
}

Id Graph::simplify_mul(Id a, Id b) {
  if (is_constant(b)) std::swap(a, b);
  const Node x = (*this)[a], y = (*this)[b];
  if (x.op == Op::constant) {
    if (x.value == 0) return a;
    if (x.value == 1) return b;
    if (x.value == -1) return neg(b);
    if (y.op == Op::neg) return mul(constant(-x.value), y.a);
    if ((y.op == Op::mul || y.op == Op::div) && is_constant(y.a) && exact_product(x.value, (*this)[y.a].value))
      return binary(y.op, constant(x.value * (*this)[y.a].value), y.b);
  }
  if (x.op == Op::neg && y.op == Op::neg) return mul(x.a, y.a);
  if (x.op == Op::neg) return neg(mul(x.a, b));
  if (y.op == Op::neg) return neg(mul(a, y.a));
  if (a == b) return powi(a, 2);
  if (y.op == Op::powi && y.a == a && y.k > 0 && y.k < largest_power) return powi(a, y.k + 1);
  if (x.op == Op::powi && x.a == b && x.k > 0 && x.k < largest_power) return powi(b, x.k + 1);
  if (y.op == Op::constant || (a > b && x.op != Op::constant)) std::swap(a, b);
  return intern({.op = Op::mul, .a = a, .b = b});
}

Id Graph::simplify_div(Id a, Id b) {
  const Node x = (*this)[a], y = (*this)[b];
  if (is_constant(a, 0)) return a;
  if (is_constant(b, 1)) return a;
  if (is_constant(b, -1)) return neg(a);
  if (y.op == Op::constant && is_power_of_two(y.value)) return mul(constant(1 / y.value), a);
  if (x.op == Op::neg && y.op == Op::neg) return div(x.a, y.a);
  if (x.op == Op::neg) return neg(div(x.a, b));
  if (y.op == Op::neg) return neg(div(a, y.a));
  if (is_constant(a, 1) && y.op == Op::powi) return powi(y.a, -y.k);
  return intern({.op = Op::div, .a = a, .b = b});
}

Id Graph::simplify_pow(Id a, Id b) {
  const Node x = (*this)[a], y = (*this)[b];
  if (y.op == Op::constant) {
    if (std::fabs(y.value) <= largest_power && y.value == std::floor(y.value)) return powi(a, static_cast<int>(y.value));
    if (x.op == Op::constant) return constant(apply(Op::pow, x.value, y.value));
    if (y.value == 0.5) return unary(Op::sqrt, a);
    if (y.value == -0.5) return div(constant(1), unary(Op::sqrt, a));
  }
  if (is_constant(a, 1)) return a;
  return intern({.op = Op::pow, .a = a, .b = b});
}

Id Graph::powi(Id a, int n) {
  if (n == 0) return constant(1);
  if (n == 1) return a;
  const Node x = (*this)[a];
  if (x.op == Op::constant) return constant(integer_power(x.value, n));
  if (n == -1) return div(constant(1), a);
  if (x.op == Op::neg) return n % 2 == 0 ? powi(x.a, n) : neg(powi(x.a, n));
  if (x.op == Op::abs && n % 2 == 0) return powi(x.a, n);
  if (x.op == Op::sqrt && n % 2 == 0 && is_nonnegative(*this, x.a)) return powi(x.a, n / 2);
  if (x.op == Op::powi && x.k > 0 && std::abs(x.k * n) <= largest_power) return powi(x.a, x.k * n);
  return intern({.op = Op::powi, .k = n, .a = a});
}

}  // namespace actio::expr
