#include <fmt/format.h>

#include "statement.hpp"

namespace actio::expr {

// As wide as the machine's. Functions of a vector are those of libmvec where there are some; else one after another.
const char* VectorStatements::prologue() {
  return "#if defined(__AVX512F__)\n"
         "#define ACTIO_LANES 8\n"
         "#elif defined(__AVX__)\n"
         "#define ACTIO_LANES 4\n"
         "#else\n"
         "#define ACTIO_LANES 2\n"
         "#endif\n"
         "typedef double actio_v __attribute__((vector_size(8 * ACTIO_LANES), may_alias));\n"
         "typedef double actio_u __attribute__((vector_size(8 * ACTIO_LANES), may_alias, aligned(8)));\n"
         "typedef long actio_m __attribute__((vector_size(8 * ACTIO_LANES), may_alias));\n"
         "#define ACTIO_INLINE static inline __attribute__((always_inline, unused))\n"
         "#define ACTIO_SPREAD(x) ((x) - (actio_v){0})\n"
         "#define ACTIO_SPREAD_MASK(x) ((actio_m){0} - (long)(x))\n"
         "ACTIO_INLINE actio_v actio_choose(actio_m m, actio_v a, actio_v b) {\n"
         "return (actio_v)((m & (actio_m)a) | (~m & (actio_m)b));\n"
         "}\n"
         "ACTIO_INLINE actio_v actio_v_abs(actio_v a) {\n"
         "return (actio_v)((actio_m)a & ((actio_m){0} + 0x7fffffffffffffffL));\n"
         "}\n"
         "ACTIO_INLINE actio_v actio_v_strided(const double *x, long step) {\n"
         "actio_v b;\n"
         "for (int k = 0; k < ACTIO_LANES; ++k) b[k] = x[k * step];\n"
         "return b;\n"
         "}\n"
         "ACTIO_INLINE actio_v actio_v_strided_some(const double *x, long step, long count) {\n"
         "actio_v b;\n"
         "for (int k = 0; k < ACTIO_LANES; ++k) b[k] = x[k < count ? k * step : 0];\n"
         "return b;\n"
         "}\n"
         "ACTIO_INLINE double actio_v_sum(actio_v a) {\n"
         "#if ACTIO_LANES == 8\n"
         "return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));\n"
         "#elif ACTIO_LANES == 4\n"
         "return (a[0] + a[2]) + (a[1] + a[3]);\n"
         "#else\n"
         "return a[0] + a[1];\n"
         "#endif\n"
         "}\n"
         "#if ACTIO_LANES == 8\n"
         "#define ACTIO_NUMBERS ((actio_m){0, 1, 2, 3, 4, 5, 6, 7})\n"
         "#elif ACTIO_LANES == 4\n"
         "#define ACTIO_NUMBERS ((actio_m){0, 1, 2, 3})\n"
         "#else\n"
         "#define ACTIO_NUMBERS ((actio_m){0, 1})\n"
         "#endif\n"
         "#define ACTIO_ONE(name, f) \\\n"
         "ACTIO_INLINE actio_v actio_v_##name(actio_v a) { \\\n"
         "actio_v b; \\\n"
         "for (int k = 0; k < ACTIO_LANES; ++k) b[k] = f(a[k]); \\\n"
         "return b; \\\n"
         "}\n"
         "#define ACTIO_TWO(name, f) \\\n"
         "ACTIO_INLINE actio_v actio_v_##name(actio_v a, actio_v b) { \\\n"
         "actio_v c; \\\n"
         "for (int k = 0; k < ACTIO_LANES; ++k) c[k] = f(a[k], b[k]); \\\n"
         "return c; \\\n"
         "}\n"
         "ACTIO_ONE(sqrt, __builtin_sqrt)\n";
}

// The first places of a vector, for the last pairs of a row; and 1/sqrt(x).
//   y = y0 (1 + e/2 + 3/8 e^2 + 5/16 e^3),  e = 1 - x y0^2,
// with y0 to 14 bits by the processor: the next term is 2^-54. e is no number where y0 is infinite or 0, and right.
const char* VectorStatements::processor_functions() {
  return "#if ACTIO_LANES == 8\n"
         "typedef double actio_8 __attribute__((vector_size(64)));\n"
         "ACTIO_INLINE actio_v actio_v_some(const double *x, long count) {\n"
         "return (actio_v)__builtin_ia32_loadupd512_mask(x, (actio_8){0}, (1U << count) - 1U);\n"
         "}\n"
         "ACTIO_INLINE void actio_v_add_some(double *y, actio_v a, long count) {\n"
         "__builtin_ia32_storeupd512_mask(y, (actio_8)(actio_v_some(y, count) + a), (1U << count) - 1U);\n"
         "}\n"
         "ACTIO_INLINE actio_v actio_v_inverse_sqrt(actio_v x) {\n"
         "const actio_v y = (actio_v)__builtin_ia32_rsqrt14pd512_mask((actio_8)x, (actio_8){0}, 255);\n"
         "const actio_v e = 1.0 - (x * y) * y, p = (0.3125 * e + 0.375) * e + 0.5;\n"
         "const unsigned char number = __builtin_ia32_cmppd512_mask((actio_8)e, (actio_8)e, 7, 255, 4);\n"
         "return (actio_v)__builtin_ia32_vfmaddpd512_mask3((actio_8)(y * e), (actio_8)p, (actio_8)y, number, 4);\n"
         "}\n"
         "#else\n"
         "ACTIO_INLINE actio_v actio_v_some(const double *x, long count) { return actio_v_strided_some(x, 1, count); }\n"
         "ACTIO_INLINE void actio_v_add_some(double *y, actio_v a, long count) {\n"
         "for (int k = 0; k < count; ++k) y[k] += a[k];\n"
         "}\n"
         "ACTIO_INLINE actio_v actio_v_inverse_sqrt(actio_v x) { return 1.0 / actio_v_sqrt(x); }\n"
         "#endif\n";
}

std::string VectorStatements::definition(Id i) const {
  return fmt::format("const {} v{} = {};\n", is_boolean(node(i).op) ? "actio_m" : "actio_v", i, value(node(i)));
}

std::string VectorStatements::spread(Id i) const {
  if (node(i).op == Op::constant) return {};
  if (is_boolean(node(i).op)) return fmt::format("const actio_m w{0} = ACTIO_SPREAD_MASK(t{0});\n", i);
  return fmt::format("const actio_v w{0} = ACTIO_SPREAD(t{0});\n", i);
}

std::string VectorStatements::value(const Node& n) const {
  const auto call = [&](const char* name) {
    return n.b < 0 ? fmt::format("actio_v_{}({})", name, number(n.a))
                   : fmt::format("actio_v_{}({}, {})", name, number(n.a), number(n.b));
  };
  switch (n.op) {
    case Op::column:
      return column_(n.k);
    case Op::neg:
      return fmt::format("-{}", number(n.a));
    case Op::sqrt:
      return call("sqrt");
    case Op::inverse_sqrt:
      return call("inverse_sqrt");
    case Op::abs:
      return call("abs");
    case Op::sign:
      return fmt::format("actio_choose({0} > 0.0, ACTIO_SPREAD(1.0), actio_choose({0} < 0.0, ACTIO_SPREAD(-1.0), {0}))",
                         number(n.a));
    case Op::min:
      return fmt::format("actio_choose({0} < {1}, {0}, actio_choose({1} <= {0}, {1}, {0} + {1}))", number(n.a), number(n.b));
    case Op::max:
      return fmt::format("actio_choose({0} > {1}, {0}, actio_choose({1} >= {0}, {1}, {0} + {1}))", number(n.a), number(n.b));
    case Op::logical_not:
      return fmt::format("~{}", truth(n.a));
    case Op::logical_and:
    case Op::logical_or:
      return fmt::format("{} {} {}", truth(n.a), operation(n.op).c, truth(n.b));
    case Op::where:
      return fmt::format("actio_choose({}, {}, {})", truth(n.a), number(n.b), number(n.c));
    default:
      const Operation& is = operation(n.op);
      return is.notation == Notation::infix ? fmt::format("{} {} {}", number(n.a), is.c, number(n.b)) : call(is.c);
  }
}

std::string VectorStatements::number(Id i) const {
  if (node(i).op == Op::constant) return fmt::format("ACTIO_SPREAD({})", scalar_.number(i));
  const char kind = varies(i) ? 'v' : 'w';
  if (!is_boolean(node(i).op)) return fmt::format("{}{}", kind, i);
  return fmt::format("(actio_v)({}{} & (actio_m)ACTIO_SPREAD(1.0))", kind, i);
}

std::string VectorStatements::truth(Id i) const {
  if (node(i).op == Op::constant) return node(i).value != 0 ? "ACTIO_SPREAD_MASK(1)" : "ACTIO_SPREAD_MASK(0)";
  const char kind = varies(i) ? 'v' : 'w';
  return is_boolean(node(i).op) ? fmt::format("{}{}", kind, i) : fmt::format("({}{} != 0.0)", kind, i);
}

}  // namespace actio::expr
