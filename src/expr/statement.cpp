#include "statement.hpp"

#include <cmath>

#include <fmt/format.h>

#include "apply.hpp"

namespace actio::expr {
namespace {

std::string literal(double x) {
  if (std::isnan(x)) return "__builtin_nan(\"\")";
  if (std::isinf(x)) return x > 0 ? "__builtin_inf()" : "(-__builtin_inf())";
  if (x == std::floor(x) && std::fabs(x) < 1e6) return fmt::format(fmt::runtime(x < 0 ? "({:.1f})" : "{:.1f}"), x);
  return fmt::format(fmt::runtime(x < 0 ? "({:a})" : "{:a}"), x);
}

}  // namespace

const char* infix(Op op) {
  switch (op) {
    case Op::add:
      return "+";
    case Op::sub:
      return "-";
    case Op::mul:
      return "*";
    case Op::div:
      return "/";
    case Op::less:
      return "<";
    case Op::less_equal:
      return "<=";
    case Op::equal:
      return "==";
    case Op::logical_and:
      return "&";
    case Op::logical_or:
      return "|";
    default:
      return nullptr;
  }
}

const char* c_function(Op op) {
  switch (op) {
    case Op::pow:
      return "pow";
    case Op::sqrt:
      return "__builtin_sqrt";
    case Op::exp:
      return "exp";
    case Op::log:
      return "log";
    case Op::sin:
      return "sin";
    case Op::cos:
      return "cos";
    case Op::tan:
      return "tan";
    case Op::asin:
      return "asin";
    case Op::acos:
      return "acos";
    case Op::atan:
      return "atan";
    case Op::atan2:
      return "atan2";
    case Op::sinh:
      return "sinh";
    case Op::cosh:
      return "cosh";
    case Op::tanh:
      return "tanh";
    case Op::abs:
      return "__builtin_fabs";
    default:
      return nullptr;
  }
}

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
      return fmt::format("{} {} {}", truth(n.a), infix(n.op), truth(n.b));
    case Op::where:
      return fmt::format("{} ? {} : {}", truth(n.a), number(n.b), number(n.c));
    default:
      break;
  }
  if (const char* name = c_function(n.op))
    return n.b < 0 ? fmt::format("{}({})", name, number(n.a)) : fmt::format("{}({}, {})", name, number(n.a), number(n.b));
  return fmt::format("{} {} {}", number(n.a), infix(n.op), number(n.b));
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
