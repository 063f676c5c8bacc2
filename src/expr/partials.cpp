#include "partials.hpp"

#include <cmath>
#include <numbers>

#include <actio/expr/operations.hpp>

namespace actio::expr {
namespace {

// The formulas, one line an operation. `second` false leaves aa, ab, bb out.
struct Rules {
  Graph& g;
  Id f;
  Node n;
  bool second;

  Id number(double x) { return g.constant(x); }
  Id times(double x, Id y) { return g.mul(number(x), y); }
  Id square(Id x) { return g.pow(x, number(2)); }
  Id over(Id x) { return g.div(number(1), x); }

  Partials one(Id d) { return {.a = d}; }
  template <class Second>
  Partials one(Id d, Second&& dd) {
    return {.a = d, .aa = second ? dd() : -1};
  }

  Partials division() {  // f = a / b
    const Node b = g[n.b];
    const Id r = over(n.b), fr = b.op == Op::sqrt ? g.mul(n.a, over(b.a)) : g.mul(f, r);  // a/b^2: of a root without rounding it
    Partials p{.a = r, .b = g.neg(fr)};
    if (second) p.aa = number(0), p.ab = g.neg(square(r)), p.bb = times(2, g.mul(fr, r));
    return p;
  }
  Partials angle() {  // f = atan2(a, b)
    const Id m = over(g.add(square(n.a), square(n.b)));
    Partials p{.a = g.mul(n.b, m), .b = g.neg(g.mul(n.a, m))};
    if (second) {
      p.bb = times(2, g.mul(p.a, g.mul(n.a, m)));
      p.aa = g.neg(p.bb);
      p.ab = g.mul(g.mul(g.sub(n.a, n.b), g.add(n.a, n.b)), square(m));
    }
    return p;
  }
  Partials length() {  // f = hypot(a, b)
    const Id r = over(f), cos = g.mul(n.a, r), sin = g.mul(n.b, r);
    Partials p{.a = cos, .b = sin};
    if (second) {
      p.aa = g.mul(square(sin), r);
      p.ab = g.neg(g.mul(g.mul(cos, sin), r));
      p.bb = g.mul(square(cos), r);
    }
    return p;
  }
  // b a^(b-1) and b (b-1) a^(b-2) are 0, not 0 times infinity, where the factor is 0 and a is 0.
  Id scaled_power(Id factor, Id exponent) {
    const Id value = g.mul(factor, g.pow(n.a, exponent));
    return g.is_constant(factor) ? value : g.where(g.binary(Op::equal, factor, number(0)), number(0), value);
  }
  Partials power() {  // f = a^b
    const Id b1 = g.sub(n.b, number(1));
    Partials p{.a = scaled_power(n.b, b1)};
    if (second) p.aa = scaled_power(g.mul(n.b, b1), g.sub(n.b, number(2)));
    if (g.is_constant(n.b)) return p;
    const auto f_times = [this](Id x) { return g.where(g.binary(Op::equal, f, number(0)), number(0), g.mul(f, x)); };
    const Id log_a = g.unary(Op::log, n.a);
    p.b = f_times(log_a);
    if (second) {
      p.bb = f_times(square(log_a));
      p.ab = g.mul(g.pow(n.a, b1), g.add(number(1), g.mul(n.b, log_a)));
    }
    return p;
  }

  Partials operator()() {
    switch (n.op) {
      case Op::add:
        return {number(1), number(1), number(0), number(0), number(0)};
      case Op::sub:
        return {number(1), number(-1), number(0), number(0), number(0)};
      case Op::mul:
        return {n.b, n.a, number(0), number(1), number(0)};
      case Op::div:
        return division();
      case Op::pow:
        return power();
      case Op::atan2:
        return angle();
      case Op::hypot:
        return length();
      case Op::neg:
        return one(number(-1), [&] { return number(0); });
      case Op::powi:
        return one(times(n.k, g.pow(n.a, number(n.k - 1))),
                   [&] { return times(double(n.k) * (n.k - 1), g.pow(n.a, number(n.k - 2))); });
      case Op::sqrt: {
        const Id r = over(f);
        return one(times(0.5, r), [&] { return times(-0.25, g.pow(r, number(3))); });
      }
      case Op::exp:
        return one(f, [&] { return f; });
      case Op::log: {
        const Id r = over(n.a);
        return one(r, [&] { return g.neg(square(r)); });
      }
      case Op::log10: {
        const Id d = g.div(number(1 / std::numbers::ln10), n.a);
        return one(d, [&] { return g.neg(g.mul(d, over(n.a))); });
      }
      case Op::erf:
      case Op::erfc: {
        const double sign = n.op == Op::erf ? 1 : -1;
        const Id d = times(sign * 2 * std::numbers::inv_sqrtpi, g.unary(Op::exp, g.neg(square(n.a))));
        return one(d, [&] { return times(-2, g.mul(n.a, d)); });
      }
      case Op::sin:
        return one(g.unary(Op::cos, n.a), [&] { return g.neg(f); });
      case Op::cos:
        return one(g.neg(g.unary(Op::sin, n.a)), [&] { return g.neg(f); });
      case Op::tan: {
        const Id d = g.add(number(1), square(f));
        return one(d, [&] { return times(2, g.mul(f, d)); });
      }
      case Op::asin:
      case Op::acos: {
        const Id r = over(g.unary(Op::sqrt, g.mul(g.sub(number(1), n.a), g.add(number(1), n.a))));
        const Id d = n.op == Op::asin ? r : g.neg(r);
        return one(d, [&] { return g.mul(n.a, g.pow(d, number(3))); });
      }
      case Op::atan: {
        const Id d = over(g.add(number(1), square(n.a)));
        return one(d, [&] { return times(-2, g.mul(n.a, square(d))); });
      }
      case Op::sinh:
        return one(g.unary(Op::cosh, n.a), [&] { return f; });
      case Op::cosh:
        return one(g.unary(Op::sinh, n.a), [&] { return f; });
      case Op::tanh: {
        const Id d = g.sub(number(1), square(f));
        return one(d, [&] { return times(-2, g.mul(f, d)); });
      }
      case Op::abs:
        return one(g.unary(Op::sign, n.a), [&] { return number(0); });
      default:
        break;  // piecewise constant
    }
    const int operands = arity(n.op);
    const Id zero = number(0);
    return {operands > 0 ? zero : -1, operands > 1 ? zero : -1, zero, zero, zero};
  }
};

}  // namespace

Partials first_partials(Graph& g, Id f) { return Rules{g, f, g[f], false}(); }
Partials partials(Graph& g, Id f) { return Rules{g, f, g[f], true}(); }

bool is_choice(Op op) { return op == Op::where || op == Op::min || op == Op::max; }

Choice choice(const Graph& g, Id f) {
  const Node& n = g[f];
  return n.op == Op::where ? Choice{n.b, n.c} : Choice{n.a, n.b};
}
Id choose(Graph& g, Id f, Id yes, Id no) {
  const Node n = g[f];
  if (n.op == Op::where) return g.where(n.a, yes, no);
  if (yes == no) return yes;
  const Id low = n.op == Op::min ? n.a : n.b, high = n.op == Op::min ? n.b : n.a;
  const Id otherwise = g.where(g.binary(Op::less, high, low), no, g.constant(std::nan("")));
  return g.where(g.binary(Op::less_equal, low, high), yes, otherwise);
}

}  // namespace actio::expr
