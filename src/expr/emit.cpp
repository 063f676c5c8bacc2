#include <cmath>
#include <cstdio>
#include <iterator>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include <fmt/format.h>
#include <actio/expr/kernel.hpp>

#include "apply.hpp"
#include "emit.hpp"
#include "program.hpp"

namespace actio::expr {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string literal(double x) {
  if (std::isnan(x)) return "__builtin_nan(\"\")";
  if (std::isinf(x)) return x > 0 ? "__builtin_inf()" : "(-__builtin_inf())";
  if (x == std::floor(x) && std::fabs(x) < 1e6) return fmt::format(fmt::runtime(x < 0 ? "({:.1f})" : "{:.1f}"), x);
  return fmt::format(fmt::runtime(x < 0 ? "({:a})" : "{:a}"), x);
}

const char* function(Op op) {
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

// One kernel's C function.
class Emitter {
 public:
  Emitter(std::string& text, const KernelSource& source, std::string name)
      : out_(text),
        source_(source),
        name_(std::move(name)),
        program_(lower(*source.graph, source.outputs)),
        stores_(program_.code.size()) {
    for (std::size_t j = 0; j < program_.outputs.size(); ++j)
      stores_[static_cast<std::size_t>(program_.outputs[j])].push_back(static_cast<int>(j));
  }

  void operator()() {
    if (source_.batch)
      batch();
    else
      single();
  }

 private:
  void single() {
    fmt::format_to(out_,
                   "void {}(const void *self, const double *restrict u, const double *restrict a, const double *restrict b, "
                   "double *restrict y) {{\n",
                   name_);
    for (Id i = 0; i < size(); ++i) {
      statement(i);
      for (int j : stores(i)) fmt::format_to(out_, "y[{}] = {};\n", j, number(i));
    }
    fmt::format_to(out_, "}}\n");
  }

  void batch() {
    fmt::format_to(out_,
                   "void {}(const void *self, long n, const double *restrict u, const double *const *x, double *const *y) {{\n",
                   name_);
    for (Id i = 0; i < size(); ++i)
      if (node(i).op == Op::column) fmt::format_to(out_, "const double *restrict x{0} = x[{0}];\n", node(i).k);
    for (std::size_t j = 0; j < program_.outputs.size(); ++j) fmt::format_to(out_, "double *restrict y{0} = y[{0}];\n", j);
    for (Id i = 0; i < size(); ++i)
      if (!varying(i)) statement(i);
    fmt::format_to(out_, "ACTIO_INDEPENDENT\nfor (long e = 0; e < n; ++e) {{\n");
    for (Id i = 0; i < size(); ++i) {
      if (varying(i)) statement(i);
      for (int j : stores(i)) fmt::format_to(out_, "y{}[e] = {};\n", j, number(i));
    }
    fmt::format_to(out_, "}}\n}}\n");
  }

  // The definition of t<i>. Truth values are _Bool, so that the compiler makes masks of them; choices are ?: of names, so that
  // it makes blends.
  void statement(Id i) {
    const Node& n = node(i);
    if (n.op == Op::constant) return;
    fmt::format_to(out_, "const {} t{} = ", is_boolean(n.op) ? "_Bool" : "double", i);
    switch (n.op) {
      case Op::column:
        if (source_.batch)
          fmt::format_to(out_, "x{}[e]", n.k);
        else if (n.k < source_.split)
          fmt::format_to(out_, "a[{}]", n.k);
        else
          fmt::format_to(out_, "b[{}]", n.k - source_.split);
        break;
      case Op::uniform:
        fmt::format_to(out_, "u[{}]", n.k);
        break;
      case Op::neg:
        fmt::format_to(out_, "-{}", number(n.a));
        break;
      case Op::sign:
        fmt::format_to(out_, "{0} > 0.0 ? 1.0 : ({0} < 0.0 ? -1.0 : {0})", number(n.a));
        break;
      case Op::min:
        fmt::format_to(out_, "{0} < {1} ? {0} : ({1} <= {0} ? {1} : {0} + {1})", number(n.a), number(n.b));
        break;
      case Op::max:
        fmt::format_to(out_, "{0} > {1} ? {0} : ({1} >= {0} ? {1} : {0} + {1})", number(n.a), number(n.b));
        break;
      case Op::logical_not:
        fmt::format_to(out_, "!{}", truth(n.a));
        break;
      case Op::logical_and:
      case Op::logical_or:
        fmt::format_to(out_, "{} {} {}", truth(n.a), infix(n.op), truth(n.b));
        break;
      case Op::where:
        fmt::format_to(out_, "{} ? {} : {}", truth(n.a), number(n.b), number(n.c));
        break;
      default:
        if (const char* name = function(n.op))
          fmt::format_to(out_, "{}({}{})", name, number(n.a), n.b < 0 ? "" : ", " + number(n.b));
        else
          fmt::format_to(out_, "{} {} {}", number(n.a), infix(n.op), number(n.b));
    }
    fmt::format_to(out_, ";\n");
  }

  std::string number(Id i) const {
    if (node(i).op == Op::constant) return literal(node(i).value);
    return is_boolean(node(i).op) ? fmt::format("(t{} ? 1.0 : 0.0)", i) : fmt::format("t{}", i);
  }
  std::string truth(Id i) const {
    if (node(i).op == Op::constant) return node(i).value != 0 ? "(_Bool)1" : "(_Bool)0";
    return is_boolean(node(i).op) ? fmt::format("t{}", i) : fmt::format("(t{} != 0.0)", i);
  }
  Id size() const { return static_cast<Id>(program_.code.size()); }
  const Node& node(Id i) const { return program_.code[static_cast<std::size_t>(i)]; }
  bool varying(Id i) const { return program_.varying[static_cast<std::size_t>(i)] != 0; }
  const std::vector<int>& stores(Id i) const { return stores_[static_cast<std::size_t>(i)]; }

  Out out_;
  const KernelSource& source_;
  std::string name_;
  Program program_;
  std::vector<std::vector<int>> stores_;  // outputs that are position i
};

// No headers: they cost more to compile than most kernels. The vector variants of libmvec are declared here, which needs no
// -ffast-math, so NaN stays visible and nothing is reassociated.
constexpr const char* prologue =
    "#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)\n"
    "#define ACTIO_VECTOR __attribute__((simd(\"notinbranch\"), const))\n"
    "#else\n"
    "#define ACTIO_VECTOR __attribute__((const))\n"
    "#endif\n"
    "#ifdef __clang__\n"
    "#define ACTIO_INDEPENDENT _Pragma(\"clang loop vectorize(assume_safety)\")\n"
    "#else\n"
    "#define ACTIO_INDEPENDENT _Pragma(\"GCC ivdep\")\n"
    "#endif\n";

// libmvec has exp, log, sin, cos and pow since glibc 2.22 and the others since 2.35.
bool has_vector_variant(Op op) {
#ifdef __GLIBC__
  int major = 0, minor = 0;
  if (std::sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor) != 2) return false;
  const bool old = op == Op::exp || op == Op::log || op == Op::sin || op == Op::cos || op == Op::pow;
  return major > 2 || minor >= (old ? 22 : 35);
#else
  return op == Op::constant;
#endif
}

}  // namespace

std::string c_name(const KernelSource& source, std::size_t k) { return fmt::format("actio_{}_{}", k, source.name); }

std::string emit_c(std::span<const KernelSource> sources) {
  std::string text = prologue;
  for (Op op : {Op::exp, Op::log, Op::sin, Op::cos, Op::tan, Op::asin, Op::acos, Op::atan, Op::sinh, Op::cosh, Op::tanh, Op::pow,
                Op::atan2})
    fmt::format_to(Out(text), "{} double {}(double{});\n", has_vector_variant(op) ? "ACTIO_VECTOR" : "__attribute__((const))",
                   function(op), arity(op) == 2 ? ", double" : "");
  for (std::size_t k = 0; k < sources.size(); ++k) Emitter(text, sources[k], c_name(sources[k], k))();
  return text;
}

}  // namespace actio::expr
