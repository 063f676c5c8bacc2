#pragma once
#include <algorithm>
#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <actio/expr/graph.hpp>
#include <actio/expr/parse.hpp>

namespace actio::expr::test {

using Precise = boost::multiprecision::cpp_bin_float_50;

// x, y, z are columns 0, 1, 2; t and c are uniforms 0 and 1; q[i] is column 10 + i, and with primes 100 a prime more.
class Names : public Scope {
 public:
  Id resolve(Graph& g, const Symbol& s) override {
    if (s.name == "q" && s.indices.size() == 1)
      return g.column(static_cast<int>(10 + 100 * s.primes + s.indices[0](loop_values)));
    const std::string known = "xyz";
    if (s.name.size() == 1 && s.indices.empty() && known.find(s.name[0]) != known.npos)
      return g.column(static_cast<int>(known.find(s.name[0])) + 100 * s.primes);
    if (s.name == "t") return g.uniform(0);
    if (s.name == "c") return g.uniform(1);
    throw SyntaxError(s.offset, s.length, "unknown name \"" + std::string(s.name) + "\"");
  }
  std::span<const std::string> loops() const override { return loop_names; }
  std::span<const std::pair<std::string, long>> integers() const override { return integer_names; }
  std::vector<std::string> loop_names{"i", "j"};
  std::vector<long> loop_values{2, 5};
  std::vector<std::pair<std::string, long>> integer_names{{"N", 7}};
};

inline Id parsed(Graph& g, std::string_view text) {
  Names names;
  return parse(g, text, names);
}

inline long double error_function(long double x) { return std::erf(x); }
inline Precise error_function(const Precise& x) { return boost::math::erf(x); }
inline double error_function(double x) { return std::erf(x); }
inline long double complement(long double x) { return std::erfc(x); }
inline Precise complement(const Precise& x) { return boost::math::erfc(x); }
inline double complement(double x) { return std::erfc(x); }

// The nearest integer, halves to the even one.
template <class T>
T nearest(const T& x) {
  using std::floor;
  const T low = floor(x), rest = x - low;
  if (rest == T(0.5)) return T(2 * floor(T((low + 1) / 2)));
  return rest < T(0.5) ? low : T(low + 1);
}

// What an operation means, written apart from the library, in any arithmetic.
template <class T>
T operation(const Node& n, const T& a, const T& b, const T& c) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::floor, std::log, std::log10,
      std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  switch (n.op) {
    case Op::constant:
      return T(n.value);
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
      return pow(a, b);
    case Op::powi: {
      T product = 1;
      for (int i = 0; i < std::abs(n.k); ++i) product *= a;
      return n.k < 0 ? T(1 / product) : product;
    }
    case Op::sqrt:
      return sqrt(a);
    case Op::inverse_sqrt:
      return 1 / sqrt(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::log10:
      return log10(a);
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::atan2:
      return atan2(a, b);
    case Op::hypot:
      return sqrt(T(a * a + b * b));
    case Op::sinh:
      return sinh(a);
    case Op::cosh:
      return cosh(a);
    case Op::tanh:
      return tanh(a);
    case Op::erf:
      return error_function(a);
    case Op::erfc:
      return complement(a);
    case Op::abs:
      return abs(a);
    case Op::sign:
      return T(a > 0 ? 1 : a < 0 ? -1 : 0);
    case Op::floor:
      return floor(a);
    case Op::round:
      return nearest(a);
    case Op::min:
      return a < b ? a : b;
    case Op::max:
      return a > b ? a : b;
    case Op::less:
      return T(a < b);
    case Op::less_equal:
      return T(a <= b);
    case Op::equal:
      return T(a == b);
    case Op::logical_and:
      return T(a != 0 && b != 0);
    case Op::logical_or:
      return T(a != 0 || b != 0);
    case Op::logical_not:
      return T(a == 0);
    case Op::where:
      return a != 0 ? b : c;
    case Op::column:
    case Op::uniform:
      break;
  }
  return T(0);
}

// Every node up to f, by columns and uniforms.
template <class T>
T evaluate(const Graph& g, Id f, const std::vector<T>& columns, const std::vector<T>& uniforms = {}) {
  std::vector<T> value(static_cast<std::size_t>(f) + 1);
  const auto at = [&](Id i) { return i < 0 ? T(0) : value[static_cast<std::size_t>(i)]; };
  for (Id i = 0; i <= f; ++i) {
    const Node& n = g[i];
    const auto k = static_cast<std::size_t>(std::max(n.k, 0));
    T& v = value[static_cast<std::size_t>(i)];
    if (n.op == Op::column)
      v = k < columns.size() ? columns[k] : T(0);
    else if (n.op == Op::uniform)
      v = k < uniforms.size() ? uniforms[k] : T(0);
    else
      v = operation<T>(n, at(n.a), at(n.b), at(n.c));
  }
  return at(f);
}

// The value in extended precision with a bound on the error of computing it in double precision: each operation rounds by a few
// units in the last place and carries on the errors of its operands. The bound is infinite where double precision may overflow.
struct Bounded {
  long double value = 0, error = 0;
};
inline std::vector<Bounded> evaluate_bounded(const Graph& g, const std::vector<double>& columns,
                                             const std::vector<double>& uniforms) {
  constexpr long double eps = std::numeric_limits<double>::epsilon();
  std::vector<Bounded> value(g.size());
  const auto at = [&](Id i) { return i < 0 ? Bounded{} : value[static_cast<std::size_t>(i)]; };
  for (std::size_t i = 0; i < g.size(); ++i) {
    const Node& n = g[static_cast<Id>(i)];
    const auto k = static_cast<std::size_t>(std::max(n.k, 0));
    Bounded& v = value[i];
    if (n.op == Op::constant || n.op == Op::column || n.op == Op::uniform) {
      v.value = n.op == Op::constant ? n.value : n.op == Op::column ? columns.at(k) : uniforms.at(k);
      continue;
    }
    const Bounded a = at(n.a), b = at(n.b), c = at(n.c);
    v.value = operation<long double>(n, a.value, b.value, c.value);
    for (int corner = 0; corner < 8; ++corner) {
      const auto moved = [&](const Bounded& o, int bit) { return o.value + ((corner >> bit & 1) != 0 ? o.error : -o.error); };
      const long double there = operation<long double>(n, moved(a, 0), moved(b, 1), moved(c, 2));
      const long double change = 2 * std::abs(there - v.value);
      if (!(change <= v.error)) v.error = std::isnan(change) ? std::numeric_limits<long double>::infinity() : change;
    }
    const int roundings = n.op == Op::powi ? 4 + 2 * std::abs(n.k) : n.op == Op::pow ? 40 : 8;
    v.error += static_cast<long double>(roundings) * eps * std::abs(v.value);
    if (!(std::abs(v.value) < 1e100L)) v.error = std::numeric_limits<long double>::infinity();
  }
  return value;
}

// An expression of columns 0, 1, 2 and uniform 1 from any bytes, by a stack machine: shrinking the bytes shrinks the expression.
// Arguments are brought into the domains of log, sqrt, asin, acos and of general powers.
inline Id from_bytes(Graph& g, const std::vector<std::uint8_t>& bytes) {
  std::vector<Id> stack{g.column(0), g.column(1), g.column(2)};
  const auto pop = [&] {
    const Id top = stack.back();
    if (stack.size() > 1) stack.pop_back();
    return top;
  };
  const Id one = g.constant(1), half = g.constant(0.5);
  const auto positive = [&](Id x) { return g.add(half, g.pow(x, g.constant(2))); };
  const auto inside = [&](Id x) { return g.mul(g.constant(0.75), g.unary(Op::tanh, x)); };
  constexpr std::array plain{Op::neg,  Op::sin,  Op::cos, Op::atan, Op::tanh,  Op::abs,  Op::sinh,
                             Op::cosh, Op::sign, Op::exp, Op::erf,  Op::floor, Op::erfc, Op::round};
  constexpr std::array two{Op::add, Op::sub, Op::mul, Op::min, Op::max, Op::atan2, Op::less, Op::less_equal, Op::hypot};
  for (const std::uint8_t byte : bytes) {
    const int kind = byte % 8, rest = byte / 8;
    if (kind == 0)
      stack.push_back(rest % 4 < 3 ? g.column(rest % 4) : g.uniform(1));
    else if (kind == 1)
      stack.push_back(g.constant((rest - 15) / 4.0));
    else if (kind == 2)
      stack.push_back(g.unary(plain[static_cast<std::size_t>(rest) % plain.size()], pop()));
    else if (kind == 3 && rest % 6 < 2)
      stack.push_back(g.unary(rest % 6 == 0 ? Op::log : Op::sqrt, positive(pop())));
    else if (kind == 3 && rest % 6 < 5)
      stack.push_back(g.unary(rest % 6 == 2 ? Op::asin : rest % 6 == 3 ? Op::acos : Op::tan, inside(pop())));
    else if (kind == 3 && rest > 20)
      stack.push_back(g.unary(Op::log10, positive(pop())));
    else if (kind == 3)
      stack.push_back(g.div(pop(), positive(pop())));
    else if (kind == 4)
      stack.push_back(g.pow(positive(pop()), rest % 2 == 0 ? inside(pop()) : g.constant((rest - 15) / 4.0)));
    else if (kind == 5)
      stack.push_back(g.pow(pop(), g.constant(rest % 6)));
    else if (kind == 6 && rest % 4 == 0)
      stack.push_back(g.where(g.binary(Op::less, pop(), one), pop(), pop()));
    else
      stack.push_back(g.binary(two[static_cast<std::size_t>(rest) % two.size()], pop(), pop()));
  }
  Id sum = pop();
  while (stack.size() > 1) sum = g.add(sum, pop());
  return sum;
}

}  // namespace actio::expr::test
