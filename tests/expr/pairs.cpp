#include <actio/expr/pairs.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <limits>

#include <actio/expr/kernel.hpp>
#include <common.hpp>

#include "support.hpp"

// Kernels that loop over pairs, compiled and interpreted, against single kernels called for each pair.
using namespace actio::expr;
using namespace actio::expr::test;

namespace {

using actio::test::eps;
using actio::test::interpreted;

// Every operation, of x at i and y at j; all finite where 0 < x, y < 1.
const std::vector<std::string> formulas{"x + y",
                                        "x - y",
                                        "x*y",
                                        "x/y",
                                        "-y",
                                        "y^7 + x",
                                        "(x + y)^-3",
                                        "(x + y)^2.5",
                                        "(x + y)^-1.5",
                                        "(x + 3)^y",
                                        "sqrt(x + y)",
                                        "exp(x - y)",
                                        "log(x + y)",
                                        "sin(3*x - 2*y)",
                                        "cos(x + y)",
                                        "tan(x - y)",
                                        "asin(x*y)",
                                        "acos(x*y)",
                                        "atan(x - 3*y)",
                                        "atan2(x - 0.5, y - 0.5)",
                                        "sinh(x - y)",
                                        "cosh(x + y)",
                                        "tanh(x - y)",
                                        "log10(x + y)",
                                        "hypot(x - 0.5, y - 0.5)",
                                        "erf(3*x - y)",
                                        "erfc(x - 3*y)",
                                        "floor(7*x - 5*y)*x",
                                        "round(7*x - 5*y)*y",
                                        "mod(7*x - 5*y, 1.5)",
                                        "abs(x - y)",
                                        "sign(x - y)",
                                        "min(x, y)",
                                        "max(x, y)",
                                        "where(x < y, x, y^2)",
                                        "where(x <= y and 3*x > y, x, y^2)",
                                        "where(x == y or not (x > 0.5), x, y^2)",
                                        "(x < y) + 2*(x > 0.3)",
                                        "c*x + t*y",
                                        "x^2 + y - y + 0*y"};

struct Pair {
  long i, j;
};
std::vector<Pair> pairs_of(const PairLoops& loops, const PairTile& tile) {
  std::vector<Pair> out;
  for (long i = std::max(tile.i, loops.first); i < tile.i_end && i <= loops.last; ++i)
    for (long j = std::max(tile.j, loops.from(i, 0)); j < tile.j_end && j <= loops.to(i, 0); ++j) out.push_back({i, j});
  return out;
}

struct Sums {
  std::vector<double> sum, sizes;  // of what is added, and of its sizes
};

// By single kernels.
Sums one_by_one(const KernelSource& source, const PairTile& tile, const std::vector<double>& u, const std::vector<double>& q,
                const std::vector<const double*>& tables) {
  KernelSource single = source;
  single.pairs = nullptr;
  single.split = single.columns;
  const Module module = Module::build(std::span(&single, 1), interpreted);
  const PairLayout& layout = *source.pairs;
  const bool derivatives = source.outputs.size() > 1;
  Sums out{std::vector<double>(derivatives ? q.size() : 1), std::vector<double>(derivatives ? q.size() : 1)};
  for (const auto& [i, j] : pairs_of(layout.loops, tile)) {
    std::vector<double> x, y(source.outputs.size());
    for (std::size_t k = 0; k < layout.columns.size(); ++k) {
      const long at = layout.columns[k](i, j);
      x.push_back(static_cast<long>(k) < layout.coordinates ? q[static_cast<std::size_t>(at)]
                                                            : tables[k - static_cast<std::size_t>(layout.coordinates)][at]);
    }
    module.single(0)(u.data(), x.data(), nullptr, y.data());
    for (std::size_t l = 0; l < y.size(); ++l) {
      const auto at = static_cast<std::size_t>(derivatives ? layout.columns[l](i, j) : 0);
      out.sum[at] += y[l];
      out.sizes[at] += std::abs(y[l]);
    }
  }
  return out;
}

// Compiled, then interpreted.
std::array<Module, 2> modules_of(std::span<const KernelSource> sources) {
  std::array<Module, 2> out{Module::build(sources), Module::build(sources, interpreted)};
  EXPECT_TRUE(out[0].compiled()) << out[0].why_interpreted();
  EXPECT_FALSE(out[1].compiled());
  return out;
}

void expect_sums(const std::array<Module, 2>& modules, std::size_t number, const KernelSource& source, const PairTile& tile,
                 const std::vector<double>& u, const std::vector<double>& q, const std::vector<const double*>& tables,
                 const std::string& what) {
  const Sums expected = one_by_one(source, tile, u, q, tables);
  for (const Module& module : modules) {
    std::vector<double> y(expected.sum.size(), 1.0);  // it is added to
    module.pairs(number)(u.data(), tile, q.data(), tables.data(), y.data());
    for (std::size_t k = 0; k < y.size(); ++k)
      EXPECT_NEAR(y[k] - 1, expected.sum[k], 100 * eps * (1 + expected.sizes[k]))
          << what << (module.compiled() ? ", compiled" : ", interpreted") << ", entry " << k;
  }
}

std::vector<double> places(std::size_t n) {
  std::vector<double> out;
  for (std::size_t k = 0; k < n; ++k) out.push_back(0.5 + 0.45 * std::sin(1.7 * static_cast<double>(k) + 0.3));
  return out;
}

}  // namespace

TEST(PairKernel, computes_every_operation_for_all_lengths_of_a_row) {
  const std::vector<double> u{0.3, 1.5}, q = places(60);
  const PairLayout layout{{0, 21, {1, 1, 0}, {22, 0, 0}}, {{0, 1, 0}, {30, 0, 1}}, 2};
  std::deque<Graph> graphs;
  std::vector<KernelSource> sources;
  for (const std::string& formula : formulas) {
    Graph& g = graphs.emplace_back();
    const Id value = parsed(g, formula);
    sources.push_back({"value", &g, {value}, false, 2, 0, &layout});
    sources.push_back({"slopes", &g, gradient(g, value, std::array{g.column(0), g.column(1)}), false, 2, 0, &layout});
  }
  const auto modules = modules_of(sources);
  for (std::size_t k = 0; k < sources.size(); ++k)
    expect_sums(modules, k, sources[k], {0, 100, 0, 100}, u, q, {}, formulas[k / 2] + ", " + sources[k].name);
}

TEST(PairKernel, takes_strides_tables_and_tiles) {
  const std::vector<double> u{0, 1}, q = places(400), by_i = places(50), by_j = places(200), by_both = places(2600);
  const std::vector<const double*> tables{by_i.data(), by_j.data(), by_both.data(), by_j.data()};
  Graph g;
  const Id x = g.column(0), y = g.column(1), z = g.column(2), w = g.column(3);
  const Id r2 = g.add(g.pow(g.sub(x, z), g.constant(2)), g.add(g.pow(g.sub(y, w), g.constant(2)), g.constant(0.01)));
  const Id data = g.add(g.mul(g.column(4), g.column(5)), g.mul(g.column(6), g.column(7)));
  const Id V = g.div(data, g.unary(Op::sqrt, r2));
  // the same family, three numbers a place; others of its own
  for (const PairLayout& layout :
       {PairLayout{{0, 49, {1, 1, 0}, {49, 0, 0}}, {{1, 3, 0}, {2, 3, 0}, {1, 0, 3}, {2, 0, 3}}, 4},
        PairLayout{{0, 49, {0, 0, 0}, {-1, 1, 0}}, {{0, 1, 0}, {200, 1, 0}, {0, 0, 1}, {200, 0, 1}}, 4},
        PairLayout{{3, 40, {0, 0, 0}, {45, 0, 0}}, {{0, 1, 0}, {50, 2, 0}, {150, 0, 1}, {200, 0, 4}}, 4},
        PairLayout{{0, 30, {40, -1, 0}, {10, 1, 0}}, {{0, 1, 0}, {50, 1, 0}, {0, 0, 1}, {50, 0, 1}}, 4}}) {
    PairLayout whole = layout;
    whole.columns.insert(whole.columns.end(), {{0, 1, 0}, {3, 0, 1}, {0, 50, 1}, {0, 0, 3}});
    ASSERT_TRUE(fit_for_loops(whole));
    const KernelSource value{"V", &g, {V}, false, 8, 0, &whole};
    KernelSource slopes = value;
    slopes.outputs = gradient(g, V, std::array{x, y, z, w});
    const std::array sources{value, slopes};
    const auto modules = modules_of(sources);
    for (const PairTile& tile : {PairTile{-10, 1000, -10, 1000}, PairTile{0, 20, 0, 20}, PairTile{0, 20, 20, 41},
                                 PairTile{20, 45, 0, 20}, PairTile{17, 18, 3, 48}, PairTile{5, 5, 0, 9}}) {
      expect_sums(modules, 0, value, tile, u, q, tables, "value");
      expect_sums(modules, 1, slopes, tile, u, q, tables, "derivatives");
    }
  }
}

TEST(PairKernel, of_rows_longer_than_a_buffer) {
  const std::vector<double> u{0, 1}, q = places(2400);
  Graph g;
  const Id x = g.column(0), y = g.column(1);
  const Id V = g.mul(g.unary(Op::cos, x), g.pow(y, g.constant(2)));
  const PairLayout layout{{0, 1, {0, 0, 0}, {700, 0, 0}}, {{0, 1, 0}, {2, 0, 3}}, 2};
  const KernelSource slopes{"V", &g, gradient(g, V, std::array{x, y}), false, 2, 0, &layout};
  expect_sums(modules_of(std::span(&slopes, 1)), 0, slopes, {0, 10, 0, 1000}, u, q, {}, "derivatives");
}

TEST(PairKernel, is_the_same_text_for_any_number_of_particles) {
  std::string last;
  for (const long n : {10L, 1000L}) {
    Graph g;
    const Id V = g.div(g.constant(1), g.sub(g.column(0), g.column(1)));
    const PairLayout layout{{0, n - 1, {1, 1, 0}, {n - 1, 0, 0}}, {{n, 1, 0}, {n, 0, 1}}, 2};
    const KernelSource source{"V", &g, {V}, false, 2, 0, &layout};
    const std::string text = emit_c(std::span(&source, 1));
    if (!last.empty()) { EXPECT_EQ(text, last); }
    last = text;
  }
}

// V = -m m'/r: a factor of the three derivatives, and it is as exact as the roundings of its formula.
TEST(PairKernel, of_gravity_takes_one_inverse_root) {
  Graph g;
  std::vector<Id> x;
  Id r2 = g.constant(0);
  for (int k = 0; k < 6; ++k) x.push_back(g.column(k));
  for (int k = 0; k < 3; ++k)
    r2 = g.add(r2, g.pow(g.sub(x[static_cast<std::size_t>(k)], x[static_cast<std::size_t>(3 + k)]), g.constant(2)));
  const Id V = g.neg(g.div(g.mul(g.column(6), g.column(7)), g.unary(Op::sqrt, r2)));
  constexpr long n = 300;
  PairLayout layout{{0, n - 1, {0, 0, 0}, {n - 1, 0, 0}}, {}, 6};
  for (long k = 0; k < 3; ++k) layout.columns.push_back({k * n, 1, 0});
  for (long k = 0; k < 3; ++k) layout.columns.push_back({(3 + k) * n, 0, 1});
  layout.columns.insert(layout.columns.end(), {{0, 1, 0}, {0, 0, 1}});
  const KernelSource source{"gravity", &g, gradient(g, V, x), false, 8, 0, &layout};
  const std::string text = emit_c(std::span(&source, 1));
  const auto count = [&](const std::string& what) {
    int found = 0;
    for (std::size_t at = text.find("void actio_0"); (at = text.find(what, at)) != text.npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count(" / "), 0);
  EXPECT_EQ(count("sqrt("), 2);  // in the vectors, and in the last of a row
  EXPECT_EQ(count("actio_v_inverse_sqrt("), 2);

  const std::vector<double> u{0, 1}, q = places(6 * n), m = places(n);
  const std::vector<const double*> tables{m.data(), m.data()};
  const Module module = Module::build(std::span(&source, 1));
  long double squares = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {  // one pair at a time
      std::vector<double> y(6 * n);
      module.pairs(0)(u.data(), {i, i + 1, j, j + 1}, q.data(), tables.data(), y.data());
      const auto at = [&](long k) { return static_cast<long double>(q[static_cast<std::size_t>(k)]); };
      const long double dx = at(i) - at(3 * n + j), dy = at(n + i) - at(4 * n + j), dz = at(2 * n + i) - at(5 * n + j);
      const long double R2 = dx * dx + dy * dy + dz * dz;
      const long double exact = static_cast<long double>(m[static_cast<std::size_t>(i)]) *
                                static_cast<long double>(m[static_cast<std::size_t>(j)]) * dx / (R2 * std::sqrt(R2));
      const long double error = (static_cast<long double>(y[static_cast<std::size_t>(i)]) - exact) / exact * 2 / eps;
      squares += error * error;
    }
  EXPECT_LT(std::sqrt(static_cast<double>(squares) / (n * n)), 1.9);  // of some ten roundings of up to 1, most of them less
}

namespace {

// What one pair of a layout of x at i and y at j gives, of each q.
std::vector<double> of_one_pair(const Module& module, std::size_t k, double x, double y) {
  const std::vector<double> u{0, 1}, q{x, y};
  std::vector<double> out(2);
  module.pairs(k)(u.data(), {0, 1, 0, 1}, q.data(), nullptr, out.data());
  return out;
}

}  // namespace

// Of |x| of each pair the root and the inverses that forces are made of, where 1/sqrt(|x|) is asked for too.
TEST(PairKernel, takes_roots_and_inverses_to_the_last_places_over_all_exponents) {
  Graph g;
  const Id s = g.unary(Op::abs, g.column(1)), root = g.unary(Op::sqrt, s), one = g.constant(1);
  const std::vector<std::array<Id, 2>> outputs{{g.div(one, root), g.div(g.column(0), root)},
                                               {g.div(one, s), g.div(g.column(0), root)},
                                               {root, g.div(g.column(0), root)},
                                               {g.pow(s, g.constant(-1.5)), g.div(g.column(0), root)}};
  const PairLayout layout{{0, 0, {0, 0, 0}, {0, 0, 0}}, {{0, 1, 0}, {1, 0, 1}}, 2};
  std::vector<KernelSource> sources;
  for (const auto& both : outputs) sources.push_back({"f", &g, {both[0], both[1]}, false, 2, 0, &layout});
  const auto modules = modules_of(sources);
  const double inf = std::numeric_limits<double>::infinity(), tiny = std::numeric_limits<double>::denorm_min();
  std::vector<double> xs{0, inf, -inf, std::nan(""), tiny, 3 * tiny, -2};
  for (int e = -1074; e < 1024; ++e) xs.push_back(std::ldexp(1 + 0.37 * std::abs(std::sin(1.0 * e)), e));
  const std::array<double, 4> bounds{1, 1.5, 2, 2.5};  // units of eps
  for (const Module& module : modules)
    for (std::size_t k = 0; k < outputs.size(); ++k)
      for (const double x : xs) {
        if (k == 3 && (std::abs(x) < 1e-200 || std::abs(x) > 1e200)) continue;  // |x|^1.5 may not be one
        const long double S = std::abs(x), R = std::sqrt(S);
        const long double exact = k == 0 ? 1 / R : k == 1 ? 1 / S : k == 2 ? R : 1 / (R * S);
        const double rounded = static_cast<double>(exact), found = of_one_pair(module, k, 1, x)[0];
        if (std::isnan(x))
          EXPECT_TRUE(std::isnan(found)) << k;
        else if (rounded == 0 || std::isinf(rounded))
          EXPECT_EQ(found, rounded) << k << " of " << x;
        else
          EXPECT_NEAR(static_cast<double>((found - exact) / exact), 0,
                      bounds[k] * eps + std::numeric_limits<double>::denorm_min() / rounded)
              << k << " of " << x;
      }
}

// Overlapping points: the force is no number.
TEST(PairKernel, shows_points_at_the_same_place) {
  Graph g;
  const Id d = g.sub(g.column(0), g.column(1)), r = g.unary(Op::sqrt, g.pow(d, g.constant(2)));
  const PairLayout layout{{0, 0, {0, 0, 0}, {0, 0, 0}}, {{0, 1, 0}, {1, 0, 1}}, 2};
  const Id V = g.div(g.constant(1), r), W = g.pow(g.sub(r, g.constant(1)), g.constant(2));
  std::vector<KernelSource> sources;
  for (const Id energy : {V, W})
    sources.push_back({"f", &g, gradient(g, energy, std::array{g.column(0), g.column(1)}), false, 2, 0, &layout});
  sources.push_back({"V", &g, {V}, false, 2, 0, &layout});
  for (const Module& module : modules_of(sources)) {
    for (std::size_t k = 0; k < 2; ++k)
      for (const double f : of_one_pair(module, k, 0.3, 0.3)) EXPECT_FALSE(std::isfinite(f)) << k;
    EXPECT_TRUE(std::isinf(of_one_pair(module, 2, 0.3, 0.3)[0]));
  }
}

// x = -1 has a 1/x, though no root.
TEST(PairKernel, inverts_negative_numbers_beside_their_roots) {
  Graph g;
  const Id x = g.column(1), y = g.column(0), root = g.unary(Op::sqrt, x);
  const PairLayout layout{{0, 0, {0, 0, 0}, {0, 0, 0}}, {{0, 1, 0}, {1, 0, 1}}, 2};
  const KernelSource source{"f", &g, {g.div(y, x), g.div(y, root)}, false, 2, 0, &layout};
  for (const Module& module : modules_of(std::span(&source, 1))) {
    const std::vector<double> found = of_one_pair(module, 0, 1, -1);
    EXPECT_EQ(found[0], -1);
    EXPECT_TRUE(std::isnan(found[1]));
  }
}

TEST(PairLayout, is_fit_for_loops_where_no_two_columns_meet_at_different_indices) {
  const PairLoops loops{0, 9, {1, 1, 0}, {9, 0, 0}};
  const auto fit = [&](std::vector<Affine> columns) {
    const long count = static_cast<long>(columns.size());
    return fit_for_loops({loops, std::move(columns), count});
  };
  EXPECT_TRUE(fit({{0, 1, 0}, {0, 0, 1}}));
  EXPECT_TRUE(fit({{0, 3, 0}, {1, 3, 0}, {0, 0, 3}, {1, 0, 3}}));
  EXPECT_TRUE(fit({{0, 1, 0}, {10, 0, 1}}));
  EXPECT_FALSE(fit({{0, 1, 0}, {5, 0, 1}}));               // x[i], x[j+5]
  EXPECT_FALSE(fit({{0, 1, 0}, {0, 0, 1}, {1, 0, 1}}));    // x[j], x[j+1]
  EXPECT_FALSE(fit({{0, 1, 0}, {0, 0, 2}}));               // x[i], x[2*j]
  EXPECT_FALSE(fit({{0, 1, 1}, {100, 0, 1}}));             // x[i+j]
  EXPECT_FALSE(fit({{0, 1, 0}, {50, 0, -1}}));             // backwards
  EXPECT_FALSE(fit({{0, 1, 0}, {50, 0, 0}, {60, 0, 1}}));  // the same for all
  EXPECT_FALSE(fit({{0, 0, 1}}));                          // of one index
}
