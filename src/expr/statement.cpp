#include "statement.hpp"

#include <cmath>

#include <fmt/format.h>

namespace actio::expr {
namespace {

std::string literal(double x) {
  if (std::isnan(x)) return "__builtin_nan(\"\")";
  if (std::isinf(x)) return x > 0 ? "__builtin_inf()" : "(-__builtin_inf())";
  if (x == std::floor(x) && std::fabs(x) < 1e6) return fmt::format(fmt::runtime(x < 0 ? "({:.1f})" : "{:.1f}"), x);
  return fmt::format(fmt::runtime(x < 0 ? "({:a})" : "{:a}"), x);
}

}  // namespace

Statements::Statements(const Program& program, const KernelSource& source)
    : program_(program), column_([batch = source.batch, split = source.split](int k) {
        if (batch) return fmt::format("x{}[e]", k);
        return k < split ? fmt::format("a[{}]", k) : fmt::format("b[{}]", k - split);
      }) {}

Statements::Statements(const Program& program, const LeafNames& names)
    : program_(program), column_([&names](int k) { return names.columns[static_cast<std::size_t>(k)]; }), names_(&names) {}

bool Statements::is_leaf(Id i) const { return arity(node(i).op) == 0; }

std::string Statements::definition(Id i) const {
  const Node& n = node(i);
  if (n.op == Op::constant) return {};
  return fmt::format("const {} t{} = {};\n", is_boolean(n.op) ? "_Bool" : "double", i, value(n));
}

std::string Statements::value(const Node& n) const {
  switch (n.op) {
    case Op::column:
      return column_(n.k);
    case Op::uniform:
      return names_ ? names_->uniforms[static_cast<std::size_t>(n.k)] : fmt::format("u[{}]", n.k);
    case Op::neg:
      return fmt::format("-{}", number(n.a));
    case Op::inverse_sqrt:
      return fmt::format("1.0 / __builtin_sqrt({})", number(n.a));
    case Op::sign:
      return fmt::format("{0} > 0.0 ? 1.0 : ({0} < 0.0 ? -1.0 : {0})", number(n.a));
    case Op::min:
      return fmt::format("{0} < {1} ? {0} : ({1} <= {0} ? {1} : {0} + {1})", number(n.a), number(n.b));
    case Op::max:
      return fmt::format("{0} > {1} ? {0} : ({1} >= {0} ? {1} : {0} + {1})", number(n.a), number(n.b));
    case Op::logical_not:
      return fmt::format("!{}", truth(n.a));
    case Op::logical_and:
    case Op::logical_or:
      return fmt::format("{} {} {}", truth(n.a), operation(n.op).c, truth(n.b));
    case Op::where:
      return fmt::format("{} ? {} : {}", truth(n.a), number(n.b), number(n.c));
    default:
      break;
  }
  const Operation& is = operation(n.op);
  if (is.notation == Notation::infix) return fmt::format("{} {} {}", number(n.a), is.c, number(n.b));
  return n.b < 0 ? fmt::format("{}({})", is.c, number(n.a)) : fmt::format("{}({}, {})", is.c, number(n.a), number(n.b));
}

std::string Statements::number(Id i) const {
  if (node(i).op == Op::constant) return literal(node(i).value);
  return is_boolean(node(i).op) ? fmt::format("(t{} ? 1.0 : 0.0)", i) : fmt::format("t{}", i);
}

std::string Statements::truth(Id i) const {
  if (node(i).op == Op::constant) return node(i).value != 0 ? "(_Bool)1" : "(_Bool)0";
  return is_boolean(node(i).op) ? fmt::format("t{}", i) : fmt::format("(t{} != 0.0)", i);
}

}  // namespace actio::expr
