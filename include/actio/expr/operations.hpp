#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <actio/expr/graph.hpp>

// What there is to know of each operation beside its value (src/expr/apply.hpp) and its derivatives (src/expr/partials.cpp).
// The parser's functions, the C text, the interpreter, and what is smooth and how far it rounds are made from this table.
namespace actio::expr {

// How C writes it.
enum class Notation : std::uint8_t {
  own,      // a formula: statement.cpp has it
  infix,    // a sign between two operands
  builtin,  // an instruction of the processor, by a name that every compiler knows
  library   // a function of libm
};
enum class Parity : std::uint8_t { none, even, odd };  // f(-a) = f(a), or -f(a)
enum class Shape : std::uint8_t { smooth, kink, jump };
// kink: its first derivative jumps, as that of abs; jump: its value does, as that of floor. Derivatives are those of the pieces.

struct Operation {
  Op op;
  int operands;
  std::string_view function = {};  // its name in an expression
  Notation notation = Notation::own;
  const char* c = nullptr;  // the sign, or the name of the function
  int vector_since = 0;     // of the library: the minor version of glibc 2 whose libmvec has it
  double rounding = 4;      // of its value, in units of eps
  Shape shape = Shape::smooth;
  Parity parity = Parity::none;
  bool commutes = false;  // f(a, b) = f(b, a), to the bit
  bool repeats = false;   // of more than two operands: f(f(a, b), c)
};

namespace detail {

// Of libm, under the name that expressions have for it; libmvec has it since glibc 2.`since`.
constexpr Operation library(Op op, int operands, const char* name, int since, Parity parity = Parity::none) {
  return {.op = op,
          .operands = operands,
          .function = name,
          .notation = Notation::library,
          .c = name,
          .vector_since = since,
          .parity = parity};
}
constexpr Operation infix(Op op, const char* c, double rounding, Shape shape = Shape::smooth, bool commutes = false) {
  return {
      .op = op, .operands = 2, .notation = Notation::infix, .c = c, .rounding = rounding, .shape = shape, .commutes = commutes};
}
constexpr Operation builtin(Op op, std::string_view name, const char* c, double rounding, Shape shape, Parity parity) {
  return {.op = op,
          .operands = 1,
          .function = name,
          .notation = Notation::builtin,
          .c = c,
          .rounding = rounding,
          .shape = shape,
          .parity = parity};
}
constexpr Operation exact(Op op, int operands, std::string_view name = {}, Shape shape = Shape::smooth,
                          Parity parity = Parity::none) {
  return {.op = op, .operands = operands, .function = name, .rounding = 0, .shape = shape, .parity = parity};
}
constexpr Operation extreme(Op op, std::string_view name) {
  return {.op = op, .operands = 2, .function = name, .rounding = 0, .shape = Shape::kink, .commutes = true, .repeats = true};
}

}  // namespace detail

inline constexpr std::array operations{detail::exact(Op::constant, 0),
                                       detail::exact(Op::column, 0),
                                       detail::exact(Op::uniform, 0),
                                       detail::infix(Op::add, "+", 1),
                                       detail::infix(Op::sub, "-", 1),
                                       detail::infix(Op::mul, "*", 1),
                                       detail::infix(Op::div, "/", 1),
                                       detail::exact(Op::neg, 1),
                                       detail::library(Op::pow, 2, "pow", 22),
                                       Operation{.op = Op::powi, .operands = 1},
                                       detail::builtin(Op::sqrt, "sqrt", "__builtin_sqrt", 1, Shape::smooth, Parity::none),
                                       Operation{.op = Op::inverse_sqrt, .operands = 1, .rounding = 1},
                                       detail::library(Op::exp, 1, "exp", 22),
                                       detail::library(Op::log, 1, "log", 22),
                                       detail::library(Op::log10, 1, "log10", 35),
                                       detail::library(Op::sin, 1, "sin", 22, Parity::odd),
                                       detail::library(Op::cos, 1, "cos", 22, Parity::even),
                                       detail::library(Op::tan, 1, "tan", 35, Parity::odd),
                                       detail::library(Op::asin, 1, "asin", 35, Parity::odd),
                                       detail::library(Op::acos, 1, "acos", 35),
                                       detail::library(Op::atan, 1, "atan", 35, Parity::odd),
                                       detail::library(Op::atan2, 2, "atan2", 35),
                                       Operation{.op = Op::hypot,
                                                 .operands = 2,
                                                 .function = "hypot",
                                                 .notation = Notation::library,
                                                 .c = "hypot",
                                                 .vector_since = 35,
                                                 .commutes = true,
                                                 .repeats = true},
                                       detail::library(Op::sinh, 1, "sinh", 35, Parity::odd),
                                       detail::library(Op::cosh, 1, "cosh", 35, Parity::even),
                                       detail::library(Op::tanh, 1, "tanh", 35, Parity::odd),
                                       detail::library(Op::erf, 1, "erf", 35, Parity::odd),
                                       detail::library(Op::erfc, 1, "erfc", 35),
                                       detail::builtin(Op::abs, "abs", "__builtin_fabs", 0, Shape::kink, Parity::even),
                                       detail::exact(Op::sign, 1, "sign", Shape::jump, Parity::odd),
                                       detail::builtin(Op::floor, "floor", "__builtin_floor", 0, Shape::jump, Parity::none),
                                       detail::builtin(Op::round, "round", "__builtin_rint", 0, Shape::jump, Parity::odd),
                                       detail::extreme(Op::min, "min"),
                                       detail::extreme(Op::max, "max"),
                                       detail::infix(Op::less, "<", 0, Shape::jump),
                                       detail::infix(Op::less_equal, "<=", 0, Shape::jump),
                                       detail::infix(Op::equal, "==", 0, Shape::jump, true),
                                       detail::infix(Op::logical_and, "&", 0, Shape::jump, true),
                                       detail::infix(Op::logical_or, "|", 0, Shape::jump, true),
                                       detail::exact(Op::logical_not, 1, {}, Shape::jump),
                                       detail::exact(Op::where, 3, "where", Shape::jump)};

inline constexpr std::size_t operation_count = operations.size();
static_assert(
    [] {
      for (std::size_t k = 0; k < operation_count; ++k)
        if (operations[k].op != static_cast<Op>(k)) return false;
      return operations.back().op == Op::where;
    }(),
    "the table has every operation, in the order of Op");

constexpr const Operation& operation(Op op) { return operations[static_cast<std::size_t>(op)]; }
constexpr int arity(Op op) { return operation(op).operands; }
constexpr bool is_boolean(Op op) { return op >= Op::less && op <= Op::logical_not; }  // 1 or 0

// Whether f is pieced together by an operation of that shape, or a worse one, of one of the columns first to last - 1.
bool has_pieces(const Graph& g, Id f, long first, long last, Shape least = Shape::kink);

}  // namespace actio::expr
