#include "program.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "apply.hpp"

namespace actio::expr {
namespace {

constexpr double largest_half_integer = 16;

class Lowering {
 public:
  explicit Lowering(const Graph& g) : g_(g), place_(g.size(), -1) {}

  // Depth first, so that a value is computed shortly before it is used.
  void visit(Id root) {
    std::vector<std::pair<Id, int>> stack{{root, 0}};
    while (!stack.empty()) {
      auto& [id, stage] = stack.back();
      const Node n = g_[id];
      const Id operands[] = {n.a, n.b, n.c};
      if (place(id) >= 0) {
        stack.pop_back();
      } else if (stage < arity(n.op)) {
        const Id operand = operands[stage++];
        if (place(operand) < 0) stack.emplace_back(operand, 0);
      } else {
        place_[static_cast<std::size_t>(id)] = translate(n);
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

  Id translate(const Node& n) {
    Node m = n;
    if (n.a >= 0) m.a = place(n.a);
    if (n.b >= 0) m.b = place(n.b);
    if (n.c >= 0) m.c = place(n.c);
    if (n.op == Op::powi) return power(m.a, n.k);
    if (n.op == Op::div && g_.is_constant(n.a, 1)) return power(m.b, -1);
    if (n.op == Op::sqrt) return root(m.a);
    if (n.op == Op::pow && g_.is_constant(n.b)) {
      const double twice = 2 * g_[n.b].value;
      if (std::fabs(twice) <= 2 * largest_half_integer && twice == std::floor(twice))
        return half_power(m.a, static_cast<int>(twice));
    }
    return put(m);
  }

  // x^n by repeated squaring; the powers on the way are shared, and x^-n is (1/x)^n so that all of them share one division.
  Id power(Id x, int n) {
    if (n == 1) return x;
    const auto found = powers_.find({x, n});
    if (found != powers_.end()) return found->second;
    Id result = -1;
    if (n == -1) {
      result = put({.op = Op::div, .a = one(), .b = x});
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
    if (is_new) found->second = put({.op = Op::sqrt, .a = x});
    return found->second;
  }
  // x^(n/2), n odd: sqrt(x) x^((n-1)/2).
  Id half_power(Id x, int n) {
    const int size = std::abs(n);
    Id result = root(x);
    if (size > 1) result = put({.op = Op::mul, .a = result, .b = power(x, (size - 1) / 2)});
    return n > 0 ? result : power(result, -1);
  }

  const Graph& g_;
  std::vector<Id> place_;
  std::map<std::pair<Id, int>, Id> powers_;
  std::map<Id, Id> roots_;
  Id one_ = -1;
};

}  // namespace

Program lower(const Graph& g, std::span<const Id> outputs) {
  Lowering lowering(g);
  for (Id output : outputs) lowering.visit(output);
  lowering.program.outputs.reserve(outputs.size());
  for (Id output : outputs) lowering.program.outputs.push_back(lowering.place(output));
  return std::move(lowering.program);
}

}  // namespace actio::expr
