#include <actio/expr/kernel.hpp>
#include <common.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <limits>
#include <thread>

#include <folder.hpp>
#include "support.hpp"

using namespace actio::expr;
using namespace actio::expr::test;

namespace {

using actio::test::interpreted;

// Inputs and outputs of n elements as columns.
struct Columns {
  Columns(std::size_t count, std::size_t n) : values(count, std::vector<double>(n, 12345.0)) {
    for (auto& column : values) read.push_back(column.data()), write.push_back(column.data());
  }
  std::vector<std::vector<double>> values;
  std::vector<const double*> read;
  std::vector<double*> write;
};

struct Random {
  std::uint64_t state = 1;
  double operator()() {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 11U) / 9007199254740992.0;
  }
};

// All kernels of `outputs`, single and batch, against the bound of rounding in double precision. Counts the values compared.
int expect_close(const Graph& g, const std::vector<Id>& outputs, const Module& module, std::size_t single, std::size_t batch,
                 const Columns& in, double c) {
  const std::size_t n = in.values[0].size();
  const std::vector<double> u{0, c};
  Columns out(outputs.size(), n);
  module.batch(batch)(static_cast<long>(n), u.data(), in.read.data(), out.write.data());
  int compared = 0;
  for (std::size_t e = 0; e < n; ++e) {
    std::vector<double> x, alone(outputs.size());
    for (const auto& column : in.values) x.push_back(column[e]);
    module.single(single)(u.data(), x.data(), x.data() + 1, alone.data());
    const std::vector<Bounded> exact = evaluate_bounded(g, x, u);
    for (std::size_t j = 0; j < outputs.size(); ++j) {
      const auto [value, error] = exact[static_cast<std::size_t>(outputs[j])];
      if (!(error < 1e-6L * (1 + std::abs(value)))) continue;  // at a jump, or too ill-conditioned to say
      ++compared;
      const long double bound = error + 1e-300L;
      EXPECT_LE(std::abs(value - static_cast<long double>(alone[j])), bound) << "single, output " << j << ", element " << e;
      EXPECT_LE(std::abs(value - static_cast<long double>(out.values[j][e])), bound)
          << "batch, output " << j << ", element " << e;
    }
  }
  return compared;
}

}  // namespace

// Sizes around the widths of vectors and of the interpreter's blocks.
TEST(Kernel, computes_every_operation_to_rounding) {
  Graph g;
  std::vector<Id> outputs;
  for (const char* text : {"x + y",
                           "x - y",
                           "x*y",
                           "x/(y + 3)",
                           "-x",
                           "(x + 3)^y",
                           "x^7",
                           "(x + 3)^-3",
                           "(x + 3)^2.5",
                           "(x + 3)^-1.5",
                           "(x + 3)^0.3",
                           "sqrt(x + 2)",
                           "exp(x)",
                           "log(x + 2)",
                           "sin(5*x)",
                           "cos(5*x)",
                           "tan(x)",
                           "asin(x)",
                           "acos(x)",
                           "atan(3*x)",
                           "atan2(x, y)",
                           "sinh(x)",
                           "cosh(x)",
                           "tanh(x)",
                           "log10(x + 2)",
                           "hypot(x, y)",
                           "hypot(1e-200*x, 1e-200*y)",
                           "erf(2*x)",
                           "erfc(2*x)",
                           "floor(5*x)",
                           "floor(-x)",
                           "round(5*x)",
                           "round(4*x + 0.5)",
                           "mod(5*x, y)",
                           "abs(x)",
                           "sign(x)",
                           "min(x, y)",
                           "max(x, y)",
                           "x < y",
                           "x <= y",
                           "x == y",
                           "x != y",
                           "x < 0 and y < 0",
                           "x < 0 or y < 0",
                           "not x < 0",
                           "x*y and x",
                           "where(x < y, exp(x), log(x + 2))",
                           "where(x, y, c)",
                           "c",
                           "3",
                           "c*c + sin(c)",
                           "x",
                           "-y",
                           "x*c",
                           "(x < y)*x + (y < x)",
                           "1e-300*x",
                           "0.1*x + 1e17"})
    outputs.push_back(parsed(g, text));
  const KernelSource sources[] = {{"one", &g, outputs, false, 2, 1}, {"many", &g, outputs, true, 2, 0}};
  const actio::test::TemporaryFolder cache;
  const Module compiled = Module::build(sources, {.compiler = {}, .cache = cache.path});
  ASSERT_TRUE(compiled.compiled()) << compiled.why_interpreted();
  EXPECT_EQ(compiled.why_interpreted(), "");
  const Module by_hand = Module::build(sources, interpreted);
  ASSERT_FALSE(by_hand.compiled());
  Random random;
  for (const std::size_t n : {1U, 3U, 8U, 17U, 64U, 127U, 128U, 129U, 300U}) {
    Columns in(2, n);
    for (auto& column : in.values)
      for (double& v : column) v = 2 * random() - 1;
    in.values[0][0] = 0;
    in.values[1][n / 2] = in.values[0][n / 2];
    EXPECT_GT(expect_close(g, outputs, compiled, 0, 1, in, 1.5), static_cast<int>((outputs.size() - 6) * n));
    expect_close(g, outputs, by_hand, 0, 1, in, 1.5);
  }
}

TEST(Kernel, compiled_and_interpreted_agree_to_rounding_for_any_expression) {
  // Many expressions in one module: one call of the compiler.
  Graph g;
  std::vector<std::vector<Id>> outputs;
  Random random;
  for (int k = 0; k < 60; ++k) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(5 + k / 2));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(256 * random());
    const Id f = from_bytes(g, bytes);
    std::vector<Id> all{f};
    for (const Id d : gradient(g, f, std::array{g.column(0), g.column(1), g.column(2)})) all.push_back(d);
    outputs.push_back(all);
  }
  std::vector<KernelSource> sources;
  for (const auto& all : outputs)
    for (const bool batch : {false, true})
      sources.push_back({fmt::format("f{}", sources.size()), &g, all, batch, 3, batch ? 0 : 1});
  const actio::test::TemporaryFolder cache;
  const Module compiled = Module::build(sources, {.compiler = {}, .cache = cache.path});
  ASSERT_TRUE(compiled.compiled()) << compiled.why_interpreted();
  const Module by_hand = Module::build(sources, interpreted);
  Columns in(3, 19);
  for (auto& column : in.values)
    for (double& v : column) v = 4 * random() - 2;
  int compared = 0;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    compared += expect_close(g, outputs[k], compiled, 2 * k, 2 * k + 1, in, 1.5);
    expect_close(g, outputs[k], by_hand, 2 * k, 2 * k + 1, in, 1.5);
  }
  EXPECT_GT(compared, 3000);  // of 60 expressions, 4 outputs, 19 points
}

TEST(Kernel, nan_comes_out_of_every_operation) {
  Graph g;
  std::vector<Id> outputs;
  for (const char* text :
       {"x + y",         "x - y",    "x*y",         "x/y",       "y/x",         "-x",          "x^y",       "y^x",
        "x^7",           "x^-3",     "x^2.5",       "sqrt(x)",   "exp(x)",      "log(x)",      "sin(x)",    "cos(x)",
        "tan(x)",        "asin(x)",  "acos(x)",     "atan(x)",   "atan2(x, y)", "atan2(y, x)", "sinh(x)",   "cosh(x)",
        "tanh(x)",       "abs(x)",   "sign(x)",     "min(x, y)", "min(y, x)",   "max(x, y)",   "max(y, x)", "where(y < 9, x, y)",
        "min(x, x + y)", "log10(x)", "hypot(x, y)", "erf(x)",    "erfc(x)",     "floor(x)",    "round(x)",  "mod(x, y)",
        "mod(y, x)"})
    outputs.push_back(parsed(g, text));
  const KernelSource sources[] = {{"one", &g, outputs, false, 2, 2}, {"many", &g, outputs, true, 2, 0}};
  const actio::test::TemporaryFolder cache;
  for (const CompileOptions& options : {CompileOptions{{}, cache.path}, interpreted}) {
    const Module module = Module::build(sources, options);
    ASSERT_EQ(module.compiled(), options.compiler.empty()) << module.why_interpreted();
    Columns in(2, 37), out(outputs.size(), 37);
    for (std::size_t e = 0; e < 37; ++e) in.values[0][e] = std::numeric_limits<double>::quiet_NaN(), in.values[1][e] = 0.5;
    const double u[] = {0, 0}, x[] = {in.values[0][0], 0.5};
    module.batch(1)(37, u, in.read.data(), out.write.data());
    std::vector<double> alone(outputs.size());
    module.single(0)(u, x, nullptr, alone.data());
    for (std::size_t j = 0; j < outputs.size(); ++j) {
      EXPECT_TRUE(std::isnan(alone[j])) << "output " << j;
      for (const double v : out.values[j]) EXPECT_TRUE(std::isnan(v)) << "output " << j;
    }
  }
}

// Both powers of 1/x share a division only where an infinity would not have ended in a number.
TEST(Kernel, inverses_at_zero_are_infinite_where_what_follows_is_finite) {
  for (const char* capped : {"min(1/sqrt(x), 3)", "exp(-1/sqrt(x))", "1/(1 + 1/sqrt(x))", "where(1/sqrt(x) > 2, 5, x)"}) {
    Graph g;
    const std::vector<Id> outputs{parsed(g, capped), parsed(g, "1/x")};
    const KernelSource source{"f", &g, outputs, true, 1, 0};
    const actio::test::TemporaryFolder cache;
    for (const CompileOptions& options : {CompileOptions{{}, cache.path}, interpreted}) {
      const Module module = Module::build(std::span(&source, 1), options);
      Columns in(1, 1), out(outputs.size(), 1);
      in.values[0] = {0.0};
      const double u[] = {0, 0};
      module.batch(0)(1, u, in.read.data(), out.write.data());
      EXPECT_TRUE(std::isfinite(out.values[0][0])) << capped;
      EXPECT_EQ(out.values[1][0], std::numeric_limits<double>::infinity());
    }
  }
}

TEST(Kernel, nan_outside_a_domain_and_infinity_are_visible) {
  Graph g;
  const std::vector<Id> outputs{parsed(g, "sqrt(x)"),        parsed(g, "log(x)"), parsed(g, "x^0.5"),
                                parsed(g, "acos(x)"),        parsed(g, "x^2.5"),  parsed(g, "where(x < 0, log(x), 1)"),
                                parsed(g, "0*y + 1/(x + 2)")};
  const KernelSource source{"f", &g, outputs, true, 1, 0};
  const actio::test::TemporaryFolder cache;
  for (const CompileOptions& options : {CompileOptions{{}, cache.path}, interpreted}) {
    const Module module = Module::build(std::span(&source, 1), options);
    Columns in(1, 21), out(outputs.size(), 21);
    in.values[0].assign(21, -2.0);
    const double u[] = {0, 0};
    module.batch(0)(21, u, in.read.data(), out.write.data());
    for (std::size_t j = 0; j < 6; ++j)
      for (const double v : out.values[j]) EXPECT_TRUE(std::isnan(v)) << "output " << j;
    for (const double v : out.values[6]) EXPECT_EQ(v, std::numeric_limits<double>::infinity());
  }
}

TEST(Kernel, constants_are_exact) {
  Graph g;
  const double values[] = {0.1,
                           -0.1,
                           1e22,
                           1e-310,
                           4.9406564584124654e-324,
                           1.7976931348623157e308,
                           3,
                           -7,
                           123456789.123456789,
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()};
  std::vector<Id> outputs;
  for (const double v : values) outputs.push_back(g.constant(v));
  outputs.push_back(g.constant(std::nan("")));
  const KernelSource sources[] = {{"one", &g, outputs, false, 0, 0}, {"many", &g, outputs, true, 0, 0}};
  const actio::test::TemporaryFolder cache;
  for (const CompileOptions& options : {CompileOptions{{}, cache.path}, interpreted}) {
    const Module module = Module::build(sources, options);
    std::vector<double> y(outputs.size());
    Columns out(outputs.size(), 5);
    const double u[] = {0};
    module.single(0)(u, nullptr, nullptr, y.data());
    module.batch(1)(5, u, nullptr, out.write.data());
    for (std::size_t j = 0; j < std::size(values); ++j) {
      EXPECT_EQ(y[j], values[j]);
      for (const double v : out.values[j]) EXPECT_EQ(v, values[j]);
    }
    EXPECT_TRUE(std::isnan(y.back()));
  }
}

TEST(Kernel, columns_split_between_two_arrays) {
  Graph g;
  const std::vector<Id> outputs{parsed(g, "x + 10*y + 100*z")};
  const KernelSource source{"f", &g, outputs, false, 3, 2};
  const actio::test::TemporaryFolder cache;
  for (const CompileOptions& options : {CompileOptions{{}, cache.path}, interpreted}) {
    const double u[] = {0}, a[] = {1, 2}, b[] = {3};
    double y = 0;
    Module::build(std::span(&source, 1), options).single(0)(u, a, b, &y);
    EXPECT_EQ(y, 321);
  }
}

TEST(Kernel, needs_no_memory_for_columns_it_does_not_read) {
  Graph g;
  const KernelSource source{"f", &g, {parsed(g, "2*z")}, true, 3, 0};
  const actio::test::TemporaryFolder cache;
  for (const CompileOptions& options : {CompileOptions{{}, cache.path}, interpreted}) {
    const double u[] = {0}, z[] = {1, 2, 3};
    const double* const x[] = {nullptr, nullptr, z};
    double out[3] = {};
    double* const y[] = {out};
    const Module module = Module::build(std::span(&source, 1), options);
    module.batch(0)(3, u, x, y);
    EXPECT_EQ(out[2], 6);
    module.batch(0)(0, u, x, y);  // an empty batch is none
  }
}

TEST(Kernel, outlives_the_module_it_came_from_while_a_copy_lives) {
  Graph g;
  const KernelSource source{"f", &g, {parsed(g, "x^2")}, false, 1, 1};
  const actio::test::TemporaryFolder cache;
  for (const CompileOptions& options : {CompileOptions{{}, cache.path}, interpreted}) {
    Module copy;
    Kernel kernel;
    {
      const Module module = Module::build(std::span(&source, 1), options);
      kernel = module.single(0);
      copy = module;
    }
    const double u[] = {0}, x[] = {3};
    double y = 0;
    kernel(u, x, nullptr, &y);
    EXPECT_EQ(y, 9);
  }
}

TEST(Kernel, runs_in_several_threads_at_once) {
  Graph g;
  const Id f = parsed(g, "sin(x)*exp(y) + x^3*y");
  const KernelSource source{"f", &g, gradient(g, f, std::array{g.column(0), g.column(1)}), true, 2, 0};
  const Module module = Module::build(std::span(&source, 1), interpreted);
  std::vector<std::thread> threads;
  std::array<bool, 4> right{};
  for (std::size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      const std::size_t n = 100 + 77 * t;
      Columns in(2, n), out(2, n);
      for (std::size_t e = 0; e < n; ++e)
        in.values[0][e] = static_cast<double>(e) / 100, in.values[1][e] = static_cast<double>(t);
      const double u[] = {0};
      right[t] = true;
      for (int again = 0; again < 50; ++again) {
        module.batch(0)(static_cast<long>(n), u, in.read.data(), out.write.data());
        for (std::size_t e = 0; e < n; ++e)
          right[t] = right[t] && std::abs(out.values[1][e] - std::sin(in.values[0][e]) * std::exp(static_cast<double>(t)) -
                                          std::pow(in.values[0][e], 3)) < 1e-12 * std::exp(3);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const bool r : right) EXPECT_TRUE(r);
}

TEST(Kernel, only_what_the_outputs_need_is_written) {
  Graph g;
  parsed(g, "exp(x)*tan(y)");
  const KernelSource source{"f", &g, {parsed(g, "(x + y)^4")}, true, 2, 0};
  const std::string text = emit_c(std::span(&source, 1));
  const std::string body = text.substr(text.find("actio_0_f"));
  EXPECT_EQ(body.find("exp("), body.npos);
  EXPECT_EQ(body.find("pow("), body.npos);
  EXPECT_EQ(std::count(body.begin(), body.end(), '*') - 9, 2) << body;  // two squarings, beside the pointers
}

// A sine and a cosine of one argument, which a scalar sincos would keep from becoming vector code; functions of functions,
// truths, inputs and constants that are outputs.
TEST(Kernel, takes_vector_functions_or_scalar_ones) {
  Graph g;
  std::vector<Id> outputs;
  for (const char* text :
       {"sin(x)*exp(-cos(x))", "where(cos(x) < y, exp(sin(x)), y) + tan(sin(x) + y)", "x", "3", "c*sin(c)", "x*y"})
    outputs.push_back(parsed(g, text));
  const KernelSource source{"f", &g, outputs, true, 2, 0};
  const actio::test::TemporaryFolder cache;
  constexpr std::size_t n = 71;
  std::vector<double> x(n), y(n);
  for (std::size_t e = 0; e < n; ++e) x[e] = 0.3 * static_cast<double>(e) - 5, y[e] = 0.01 * static_cast<double>(e) - 0.2;
  const double* in[] = {x.data(), y.data()};
  const double uniforms[] = {0, 1.7};
  for (const bool vector_functions : {true, false}) {
    EXPECT_EQ(emit_c(std::span(&source, 1), vector_functions).find("ACTIO_VECTOR double") != std::string::npos, vector_functions);
    const Module module =
        Module::build(std::span(&source, 1), {.compiler = {}, .cache = cache.path, .vector_functions = vector_functions});
    ASSERT_TRUE(module.compiled()) << module.why_interpreted();
    std::vector<std::vector<double>> values(outputs.size(), std::vector<double>(n));
    std::vector<double*> out;
    for (auto& column : values) out.push_back(column.data());
    module.batch(0)(static_cast<long>(n), uniforms, in, out.data());
    for (std::size_t e = 0; e < n; ++e) {
      const double u = std::sin(x[e]), w = std::cos(x[e]), v = y[e];
      const double expected[] = {u * std::exp(-w), (w < v ? std::exp(u) : v) + std::tan(u + v), x[e], 3, 1.7 * std::sin(1.7),
                                 x[e] * v};
      // 4 units in the last place of each function, and what the tangent's slope makes of the sine's
      const double slope = 1 + std::pow(std::tan(u + v), 2);
      for (std::size_t k = 0; k < outputs.size(); ++k)
        EXPECT_NEAR(values[k][e], expected[k], 16 * 2.2e-16 * (std::exp(1) + std::abs(expected[k]) + slope)) << k << ' ' << x[e];
    }
  }
}

TEST(Kernel, of_a_great_expression_is_compiled_in_linear_time) {
  Graph g;
  Id f = g.constant(0);
  std::vector<Id> x;
  for (int i = 0; i < 2000; ++i) {
    x.push_back(g.column(i));
    if (i > 0) f = g.add(f, g.unary(Op::cos, g.sub(x[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(i) - 1])));
  }
  const KernelSource sources[] = {{"one", &g, gradient(g, f, x), false, 2000, 2000}, {"many", &g, {f}, true, 2000, 0}};
  const actio::test::TemporaryFolder cache;
  const Module compiled = Module::build(sources, {.compiler = {}, .cache = cache.path});
  ASSERT_TRUE(compiled.compiled()) << compiled.why_interpreted();
  std::vector<double> q(2000), d(2000), e(2000);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = std::sin(static_cast<double>(i));
  const double u[] = {0};
  compiled.single(0)(u, q.data(), nullptr, d.data());
  Module::build(sources, interpreted).single(0)(u, q.data(), nullptr, e.data());
  for (std::size_t i = 1; i + 1 < q.size(); ++i) {
    EXPECT_NEAR(d[i], std::sin(q[i + 1] - q[i]) - std::sin(q[i] - q[i - 1]), 4e-16);
    EXPECT_NEAR(d[i], e[i], 4e-16);
  }
}
