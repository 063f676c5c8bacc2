#pragma once
#include <cmath>

#include <actio/expr/operations.hpp>

// The value of one operation. Constant folding and the interpreter use it; the C text means the same.
namespace actio::expr {

// NaN in either operand comes out, as it does not from fmin.
inline double least(double a, double b) { return a < b ? a : (b <= a ? b : a + b); }
inline double largest(double a, double b) { return a > b ? a : (b >= a ? b : a + b); }
inline double sign(double a) { return a > 0 ? 1.0 : (a < 0 ? -1.0 : a); }

// x^n by repeated squaring; a negative n costs one division.
inline double integer_power(double x, int n) {
  double result = 1;
  for (unsigned m = n < 0 ? 0U - static_cast<unsigned>(n) : static_cast<unsigned>(n); m != 0; m >>= 1U, x *= x)
    if (m & 1U) result *= x;
  return n < 0 ? 1 / result : result;
}

inline double apply(Op op, double a, double b = 0, double c = 0) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::neg:
      return -a;
    case Op::pow:
      return std::pow(a, b);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::inverse_sqrt:
      return 1 / std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::log10:
      return std::log10(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::hypot:
      return std::hypot(a, b);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::erf:
      return std::erf(a);
    case Op::erfc:
      return std::erfc(a);
    case Op::abs:
      return std::fabs(a);
    case Op::sign:
      return sign(a);
    case Op::floor:
      return std::floor(a);
    case Op::round:
      return std::rint(a);
    case Op::min:
      return least(a, b);
    case Op::max:
      return largest(a, b);
    case Op::less:
      return a < b ? 1 : 0;
    case Op::less_equal:
      return a <= b ? 1 : 0;
    case Op::equal:
      return a == b ? 1 : 0;
    case Op::logical_and:
      return a != 0 && b != 0 ? 1 : 0;
    case Op::logical_or:
      return a != 0 || b != 0 ? 1 : 0;
    case Op::logical_not:
      return a == 0 ? 1 : 0;
    case Op::where:
      return a != 0 ? b : c;
    case Op::constant:
    case Op::column:
    case Op::uniform:
    case Op::powi:
      break;
  }
  return std::nan("");
}

}  // namespace actio::expr
