#include "program.hpp"

#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include <actio/expr/operations.hpp>

namespace actio::expr {
namespace {

constexpr double largest_half_integer = 16;

class Lowering {
 public:
  Lowering(const Graph& g, std::span<const Id> outputs, Roots roots) : g_(g), place_(g.size(), -1), rooted_(g.size(), 0) {
    find_inverses(outputs, roots);
  }

  // Depth first, so that a value is computed shortly before it is used.
  void visit(Id root) {
    std::vector<std::pair<Id, int>> stack{{root, 0}};
    while (!stack.empty()) {
      auto& [id, stage] = stack.back();
      const Node n = g_[id];
      const Id x = under_inverse_root(n), operands[] = {x >= 0 && n.op == Op::powi ? x : n.a, x >= 0 ? x : n.b, n.c};
      if (place(id) >= 0) {
        stack.pop_back();
      } else if (stage < arity(n.op)) {
        const Id operand = operands[stage++];
        if (place(operand) < 0) stack.emplace_back(operand, 0);
      } else {
        place_[static_cast<std::size_t>(id)] = translate(n);
        if (rooted_[static_cast<std::size_t>(id)]) inverse_roots_.try_emplace(place(id), -1);
        stack.pop_back();
      }
    }
  }
  Id place(Id id) const { return place_[static_cast<std::size_t>(id)]; }
  Program program;

 private:
  Id put(const Node& n) {
    bool varying = n.op == Op::column;
    for (Id operand : {n.a, n.b, n.c}) varying = varying || (operand >= 0 && program.varying[static_cast<std::size_t>(operand)]);
    program.code.push_back(n);
    program.varying.push_back(varying);
    return static_cast<Id>(program.code.size()) - 1;
  }
  Id one() {
    if (one_ < 0) one_ = put({.op = Op::constant, .value = 1});
    return one_;
  }

  // The nodes whose inverse is asked for somewhere.
  void find_inverses(std::span<const Id> outputs, Roots roots) {
    std::vector<char> needed(g_.size(), 0);
    for (Id output : outputs) needed[static_cast<std::size_t>(output)] = 1;
    inverted_.assign(g_.size(), 0);
    for (Id id = static_cast<Id>(g_.size()) - 1; id >= 0; --id) {  // what a node is made of comes before it
      if (!needed[static_cast<std::size_t>(id)]) continue;
      const Node& n = g_[id];
      for (Id o : {n.a, n.b, n.c})
        if (o >= 0) needed[static_cast<std::size_t>(o)] = 1;
      if (n.op == Op::div && g_.is_constant(n.a, 1)) inverted_[static_cast<std::size_t>(n.b)] = 1;
      if (n.op == Op::powi && n.k < 0) inverted_[static_cast<std::size_t>(n.a)] = 1;
      if (roots == Roots::inverse) find_inverse_root(n);
    }
    follow_inverses(needed);
  }
  // x of n = a/sqrt(x), sqrt(x)^-k or x^(-k/2): not for a negative x, whose 1/x is a number where its root is none.
  void find_inverse_root(const Node& n) {
    const Id divisor = n.op == Op::div ? n.b : n.op == Op::powi && n.k < 0 ? n.a : -1;
    Id x = divisor >= 0 && g_[divisor].op == Op::sqrt ? g_[divisor].a : -1;
    if (n.op == Op::pow && g_.is_constant(n.b) && g_[n.b].value < 0 && is_half_integer(g_[n.b].value)) x = n.a;
    if (x >= 0 && is_nonnegative(g_, x)) rooted_[static_cast<std::size_t>(x)] = 1;
  }
  // The same x of a/sqrt(x) and sqrt(x)^-k, which need no sqrt(x); else -1.
  Id under_inverse_root(const Node& n) const {
    const Id divisor = n.op == Op::div ? n.b : n.op == Op::powi && n.k < 0 ? n.a : -1;
    if (divisor < 0 || g_[divisor].op != Op::sqrt) return -1;
    const Id x = g_[divisor].a;
    return rooted_[static_cast<std::size_t>(x)] ? x : -1;
  }
  // An inverse that is infinite makes all that depends on it infinite or no number; not so in min(1/r, 3), exp(-1/r), 1/(1 +
  // 1/r).
  void follow_inverses(const std::vector<char>& needed) {
    std::vector<char> on_inverse(g_.size(), 0);
    const auto depends = [&](Id o) { return o >= 0 && on_inverse[static_cast<std::size_t>(o)] != 0; };
    for (Id id = 0; id < static_cast<Id>(g_.size()); ++id) {
      if (!needed[static_cast<std::size_t>(id)]) continue;
      const Node& n = g_[id];
      const bool a = depends(n.a), b = depends(n.b), c = depends(n.c), inverse = n.op == Op::div || (n.op == Op::powi && n.k < 0);
      on_inverse[static_cast<std::size_t>(id)] = a || b || c || inverse;
      if (n.op == Op::div) infinities_stay_ &= !b;
      if (n.op == Op::powi) infinities_stay_ &= !(a && n.k < 0);
      if (n.op == Op::where) infinities_stay_ &= !a;
      const bool plain = n.op == Op::add || n.op == Op::sub || n.op == Op::neg || n.op == Op::mul || n.op == Op::div ||
                         n.op == Op::powi || n.op == Op::sqrt || n.op == Op::where;
      if (!plain) infinities_stay_ &= !(a || b || c);
    }
  }
  static bool is_power_of_two(double x) {
    int exponent = 0;
    return std::fabs(std::frexp(x, &exponent)) == 0.5 && std::abs(exponent) < 64;
  }

  static bool is_half_integer(double exponent) {
    return std::fabs(exponent) <= largest_half_integer && 2 * exponent == std::floor(2 * exponent);
  }

  Id translate(const Node& n) {
    if (const Id x = under_inverse_root(n); x >= 0) {
      const Id y = half_power(place(x), n.op == Op::powi ? n.k : -1);
      return n.op == Op::powi || g_.is_constant(n.a, 1) ? y : put({.op = Op::mul, .a = place(n.a), .b = y});
    }
    Node m = n;
    if (n.a >= 0) m.a = place(n.a);
    if (n.b >= 0) m.b = place(n.b);
    if (n.c >= 0) m.c = place(n.c);
    if (n.op == Op::powi) return power(m.a, n.k);
    if (n.op == Op::div && g_.is_constant(n.a) && is_power_of_two(g_[n.a].value)) {
      const Node& b = g_[n.b];
      if (b.op == Op::sqrt && infinities_stay_ && inverted_[static_cast<std::size_t>(b.a)]) share_inverse(m.b, place(b.a));
      if (g_.is_constant(n.a, 1)) return power(m.b, -1);
      if (inverted_[static_cast<std::size_t>(n.b)] || powers_.contains({m.b, -1}))
        return put({.op = Op::mul, .a = m.a, .b = power(m.b, -1)});  // the digits of the division
    }
    if (n.op == Op::div && inverse_roots_.contains(m.b)) return put({.op = Op::mul, .a = m.a, .b = power(m.b, -1)});
    if (n.op == Op::sqrt) return root(m.a);
    if (n.op == Op::pow && g_.is_constant(n.b) && is_half_integer(g_[n.b].value))
      return half_power(m.a, static_cast<int>(2 * g_[n.b].value));
    return put(m);
  }

  // 1/sqrt(x) is sqrt(x) (1/x) where 1/x is there: one division, which does not wait for the root. At x = 0 it is no number,
  // where 1/sqrt(x) is infinite.
  void share_inverse(Id root, Id x) {
    if (const auto [found, is_new] = powers_.try_emplace({root, -1}, -1); is_new)
      found->second = put({.op = Op::mul, .a = root, .b = power(x, -1)});
  }
  // x^n by repeated squaring; the powers on the way are shared, and x^-n is (1/x)^n so that all of them share one division.
  Id power(Id x, int n) {
    if (n == 1) return x;
    const auto found = powers_.find({x, n});
    if (found != powers_.end()) return found->second;
    Id result = -1;
    if (n == -1) {
      result = inverse_roots_.contains(x) ? inverse_by_root(x) : put({.op = Op::div, .a = one(), .b = x});
    } else if (n < 0) {
      result = power(power(x, -1), -n);
    } else {
      const int rest = n % 2 == 0 ? n / 2 : n - 1;
      const Id other = power(x, rest);
      result = put({.op = Op::mul, .a = other, .b = n % 2 == 0 ? other : x});
    }
    powers_.emplace(std::pair{x, n}, result);
    return result;
  }
  Id root(Id x) {
    const auto [found, is_new] = roots_.emplace(x, -1);
    if (is_new) found->second = inverse_roots_.contains(x) ? root_by_inverse(x) : put({.op = Op::sqrt, .a = x});
    return found->second;
  }
  Id inverse_root(Id x) {
    Id& y = inverse_roots_.at(x);
    if (y < 0) y = put({.op = Op::inverse_sqrt, .a = x});
    return y;
  }
  // z = y^2 + y^2 (1 - x y^2), one rounding from 1/x, with y = 1/sqrt(x); but y^2 where that is infinite or 0.
  Id inverse_by_root(Id x) {
    const Id square = power(inverse_root(x), 2), product = put({.op = Op::mul, .a = x, .b = square});
    const Id error = put({.op = Op::sub, .a = one(), .b = product}), change = put({.op = Op::mul, .a = square, .b = error});
    const Id better = put({.op = Op::add, .a = square, .b = change}), minus = put({.op = Op::constant, .value = -1});
    const Id finite = put({.op = Op::less, .a = minus, .b = error});
    return put({.op = Op::where, .a = finite, .b = better, .c = square});
  }
  // x y; but x where y is infinite or 0.
  Id root_by_inverse(Id x) {
    const Id y = inverse_root(x), twice = put({.op = Op::add, .a = y, .b = y});
    const Id limit = put({.op = Op::equal, .a = twice, .b = y}), product = put({.op = Op::mul, .a = x, .b = y});
    return put({.op = Op::where, .a = limit, .b = x, .c = product});
  }
  // x^(n/2): of an odd n, sqrt(x) x^((n-1)/2).
  Id half_power(Id x, int n) {
    const int size = std::abs(n);
    if (size % 2 == 0) return power(x, n / 2);
    const bool by_inverse = n < 0 && inverse_roots_.contains(x);
    Id result = by_inverse ? inverse_root(x) : root(x);
    if (size > 1) result = put({.op = Op::mul, .a = result, .b = power(by_inverse ? power(x, -1) : x, (size - 1) / 2)});
    return n > 0 || by_inverse ? result : power(result, -1);
  }

  const Graph& g_;
  std::vector<Id> place_;
  std::vector<char> inverted_;
  bool infinities_stay_ = true;
  std::map<std::pair<Id, int>, Id> powers_;
  std::map<Id, Id> roots_;
  std::vector<char> rooted_;        // nodes x of which 1/sqrt(x) is asked for
  std::map<Id, Id> inverse_roots_;  // of their places; -1 before it is put
  Id one_ = -1;
};

}  // namespace

Program lower(const Graph& g, std::span<const Id> outputs, Roots roots) {
  Lowering lowering(g, outputs, roots);
  for (Id output : outputs) lowering.visit(output);
  lowering.program.outputs.reserve(outputs.size());
  for (Id output : outputs) lowering.program.outputs.push_back(lowering.place(output));
  return std::move(lowering.program);
}

}  // namespace actio::expr
