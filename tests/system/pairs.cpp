#include <actio/system/pairs.hpp>

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/core/parallel.hpp>
#include <actio/system/assembled.hpp>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "../../src/system/pair_tiles.hpp"
#include "laws/systems.hpp"

// Terms over two loops of indices: their kernels are the loops, and what they give is the sum over the pairs, one after another.
namespace actio::system {
namespace {

using Eigen::VectorXd;
using Dense = Assembled<algebra::DenseSpace<Eigen::Dynamic>>;
using Sparse = Assembled<algebra::SparseSpace>;

struct Pattern {
  std::string name, families, over, potential;
  long coordinates;  // a particle
  std::string fixed;
};

std::string number(long n) { return std::to_string(n); }

// n particles, and as many of another kind less one third.
std::vector<Pattern> patterns(long n) {
  const std::string N = number(n), M = number(std::max(1L, 2 * n / 3)), last = number(n - 1),
                    of_m = number(std::max(1L, 2 * n / 3) - 1);
  const std::string r3 = "sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2)",
                    r2 = "sqrt((x[i] - a[j])^2 + (y[i] - b[j])^2)";
  const std::string xyz = "\"x[" + N + "]\", \"y[" + N + "]\", \"z[" + N + "]\"";
  return {
      {"gravity", xyz, "i = 0.." + last + ", j = i+1.." + last, "-m[i]*m[j]/" + r3, 3, ""},
      {"gravity, some fixed", xyz, "i = 0.." + last + ", j = i+1.." + last, "-m[i]*m[j]/" + r3, 3,
       "fixed = [\"x[0]\", \"y[" + last + "]\"]\n"},
      {"lower triangle", xyz, "i = 0.." + last + ", j = 0..i-1", "c*m[i]*sqrt(0.1 + cos(t)^2)*exp(-" + r3 + ")", 3, ""},
      {"Lennard-Jones of two kinds", "\"x[" + N + "]\", \"y[" + N + "]\", \"a[" + M + "]\", \"b[" + M + "]\"",
       "i = 0.." + last + ", j = 0.." + of_m, "4*c*((m[i]*s[j]/" + r2 + ")^12 - (m[i]*s[j]/" + r2 + ")^6)", 2, ""},
      {"one family, three numbers a place", "\"q[" + number(3 * n) + "]\"", "i = 0.." + last + ", j = i+1.." + last,
       "m[i]*m[j]/sqrt((q[3*i] - q[3*j])^2 + (q[3*i+1] - q[3*j+1])^2 + (q[3*i+2] - q[3*j+2])^2)^3", 3, ""},
      {"a table of pairs, and indices as numbers", xyz, "i = 0.." + last + ", j = i+1.." + last,
       "k[" + N + "*i+j]*(x[i] - y[j])^2*(1 + 0.01*i*j) + 0.01*j*z[i]^4", 3, ""},
      {"with itself", "\"x[" + N + "]\"", "i = 0.." + last + ", j = i.." + last, "0.05*sin(x[i])*x[j]^2", 1, ""},
      {"in both orders", "\"x[" + N + "]\", \"y[" + N + "]\"", "i = 0.." + last + ", j = 0.." + last,
       "m[i]*(x[i] - x[j])^2*(y[j] + 2) + where(x[i] > x[j], y[i]*y[j], min(y[i], y[j])^3)", 2, ""},
  };
}

io::Problem problem_of(const Pattern& pattern, long n) {
  std::string m, s, k, zeros;
  for (std::size_t at = 0; (at = pattern.families.find('[', at)) != std::string::npos; ++at)
    zeros += (zeros.empty() ? "" : ", ") + pattern.families.substr(at - 1, 1) + " = 0";
  for (long i = 0; i < n; ++i) m += std::to_string(0.5 + 0.1 * static_cast<double>(i % 7)) + ", ";
  for (long i = 0; i < n; ++i) s += std::to_string(0.7 + 0.05 * static_cast<double>(i % 5)) + ", ";
  const bool has_k = pattern.potential.find("k[") != std::string::npos;
  for (long i = 0; i < (has_k ? n * n : 1); ++i) k += std::to_string(0.1 + 0.01 * static_cast<double>(i % 97)) + ", ";
  io::Problem problem =
      laws::problem("[system]\ncoordinates = [" + pattern.families + "]\nparameters = { c = 0.3 }\nmass = 1\n" + pattern.fixed +
                    "tables = { m = [" + m + "], s = [" + s + "], k = [" + k + "] }\n" + "[[system.term]]\nover = \"" +
                    pattern.over + "\"\npotential = \"" + pattern.potential + "\"\n[initial]\nposition = { " + zeros + " }\n");
  // at random, no two closer than they may be
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  for (long i = 0; i < problem.q0.size(); ++i) problem.q0[i] = 1.3 * static_cast<double>((i * 7) % (2 * n + 3)) + uniform(random);
  return problem;
}

Model with_tables(Model model) {
  for (Term& term : model.terms) tabulate(term);
  return model;
}

// The sum over the pairs by the interpreter, one after another in long double: potential and force, and the sums of what is
// added up, in size.
struct Sum {
  long double V = 0, size_of_V = 0;
  std::vector<long double> f, size_of_f;
};
Sum one_after_another(const Model& model, double t, const VectorXd& q) {
  const Model tables = with_tables(model);
  Sum out;
  out.f.assign(static_cast<std::size_t>(q.size()), 0);
  out.size_of_f = out.f;
  for (const Term& term : tables.terms) {
    expr::Graph g = term.graph;
    std::vector<expr::Id> x;
    for (long l = 0; l < term.locals; ++l) x.push_back(g.column(static_cast<int>(l)));
    std::vector<expr::Id> outputs = expr::gradient(g, term.value, x);
    outputs.push_back(term.value);
    const long columns = term.locals + static_cast<long>(term.data.size());
    const expr::KernelSource source{"pair", &g, outputs, false, static_cast<int>(columns), static_cast<int>(columns)};
    const expr::Module module = expr::Module::build(std::span(&source, 1), {"none", {}});
    std::vector<double> u{t};
    u.insert(u.end(), model.parameters.begin(), model.parameters.end());
    std::vector<double> in(static_cast<std::size_t>(columns)), y(outputs.size());
    for (long e = 0; e < term.elements; ++e) {
      for (long l = 0; l < term.locals; ++l) in[static_cast<std::size_t>(l)] = q[term.dof(l, e)];
      for (std::size_t k = 0; k < term.data.size(); ++k) in[static_cast<std::size_t>(term.locals) + k] = term.datum(k, e);
      module.single(0)(u.data(), in.data(), nullptr, y.data());
      out.V += static_cast<long double>(y.back());
      out.size_of_V += std::abs(static_cast<long double>(y.back()));
      for (long l = 0; l < term.locals; ++l) {
        const auto at = static_cast<std::size_t>(term.dof(l, e));
        out.f[at] -= static_cast<long double>(y[static_cast<std::size_t>(l)]);
        out.size_of_f[at] += std::abs(static_cast<long double>(y[static_cast<std::size_t>(l)]));
      }
    }
  }
  return out;
}

template <class System>
void expect_sum(const io::Problem& problem, System& system, const std::string& what) {
  // of a pair some tens of roundings, more where terms of it cancel; of the sum one for each pair
  const double eps = std::numeric_limits<double>::epsilon();
  const double t = 0.4, of_each = (300 + static_cast<double>(problem.q0.size())) * eps;
  const Sum expected = one_after_another(problem.model, t, problem.q0);
  VectorXd f = problem.q0;
  EXPECT_NEAR(system.potential(t, problem.q0), static_cast<double>(expected.V), of_each * static_cast<double>(expected.size_of_V))
      << what;
  system.force(t, problem.q0, f);
  const auto& fixed = problem.model.fixed_dofs;
  for (long i = 0; i < f.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool held = std::find(fixed.begin(), fixed.end(), i) != fixed.end();
    EXPECT_NEAR(f[i], held ? 0.0 : static_cast<double>(expected.f[k]), of_each * static_cast<double>(expected.size_of_f[k]))
        << what << ", coordinate " << i;
  }
}

std::shared_ptr<const CompiledModel> compiled(const Model& model, const char* compiler = "") {
  return compile(model, {compiler, {}}, false);
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

}  // namespace

TEST(Pairs, have_the_force_and_the_energy_of_the_pairs_one_after_another) {
  for (const long n : {2L, 3L, 4L, 5L, 7L, 8L, 9L, 12L, 15L, 16L, 17L, 23L, 33L, 64L, 70L})
    for (const Pattern& pattern : patterns(n)) {
      const io::Problem problem = problem_of(pattern, n);
      ASSERT_TRUE(problem.model.terms[0].pairs) << pattern.name;
      for (const char* compiler : {"", "none"}) {
        const auto model = compiled(problem.model, compiler);
        ASSERT_TRUE(model->lagrangian.batches[0].pair_first) << pattern.name;
        ASSERT_EQ(model->module.compiled(), *compiler == '\0') << model->module.why_interpreted();
        Dense system(model, layout<Dense::Space>(*model, Entries::none));
        expect_sum(problem, system, pattern.name + ", n = " + number(n) + (*compiler ? ", interpreted" : ""));
      }
    }
}

TEST(Pairs, have_the_stiffness_of_tables_on_every_space) {
  const auto compare = [](auto* of, const Pattern& pattern, long n) {
    using System = std::remove_pointer_t<decltype(of)>;
    const io::Problem problem = problem_of(pattern, n);
    std::vector<VectorXd> forces;
    std::vector<Eigen::MatrixXd> matrices;
    for (const Model& model : {problem.model, with_tables(problem.model)}) {
      const auto one = compiled(model);
      System system(one, layout<typename System::Space>(*one, Entries::potential));
      VectorXd f = problem.q0;
      auto K = system.space().matrix();
      system.stiffness(0.4, problem.q0, 2, 0.5, f, K);
      forces.push_back(f);
      matrices.emplace_back(algebra::EigenMatrix<typename System::Space>(K));
    }
    const double eps = std::numeric_limits<double>::epsilon();
    EXPECT_LE((matrices[0] - matrices[1]).norm(), 100 * eps * matrices[1].norm()) << pattern.name;
    EXPECT_LE((forces[0] - forces[1]).norm(), 100 * eps * (1 + forces[1].norm())) << pattern.name;
  };
  for (const long n : {5L, 21L})
    for (const Pattern& pattern : patterns(n)) {
      compare(static_cast<Dense*>(nullptr), pattern, n);
      compare(static_cast<Sparse*>(nullptr), pattern, n);
    }
}

TEST(Pairs, are_the_same_to_the_bit_by_any_number_of_threads) {
  struct Restored {
    int before = core::threads();
    ~Restored() { core::set_threads(before); }
  } restored;
  const long n = 391;
  for (const Pattern& pattern : patterns(n)) {
    const io::Problem problem = problem_of(pattern, n);
    const auto model = compiled(problem.model);
    ASSERT_GT(model->lagrangian.batches[0].tiles->tasks(), 1) << pattern.name;
    core::set_threads(1);
    Dense alone(model, layout<Dense::Space>(*model, Entries::none));
    VectorXd expected = problem.q0, f = expected;
    alone.force(0.4, problem.q0, expected);
    const double V = alone.potential(0.4, problem.q0);
    expect_sum(problem, alone, pattern.name + " in tiles");
    for (const int threads : {1, 2, 3}) {
      core::set_threads(threads);
      Dense system(model, layout<Dense::Space>(*model, Entries::none));
      for (int again = 0; again < 5; ++again) {
        system.force(0.4, problem.q0, f);
        for (long i = 0; i < f.size(); ++i)
          ASSERT_EQ(bits(f[i]), bits(expected[i])) << pattern.name << " by " << threads << " threads, coordinate " << i;
        ASSERT_EQ(bits(system.potential(0.4, problem.q0)), bits(V)) << pattern.name << " by " << threads << " threads";
      }
    }
  }
}

TEST(Pairs, of_tiles_run_at_once_meet_in_no_index) {
  for (const Pairs& pairs : {Pairs({0, 999, {1, 1, 0}, {999, 0, 0}}, {{0, 1, 0}, {0, 0, 1}}, {}),
                             Pairs({0, 999, {}, {999, 0, 0}}, {{0, 1, 0}, {0, 0, 1}}, {}),
                             Pairs({5, 305, {-40, 0, 0}, {700, 1, 0}}, {{0, 1, 0}, {2000, 0, 1}}, {})}) {
    const PairTiles tiles = tiles_of(pairs);
    long covered = 0;
    std::size_t task = 0;
    for (const long count : tiles.counts) {
      std::vector<std::int32_t> taken;
      for (long k = 0; k < count; ++k, ++task) {
        const auto [a, b] = tiles.blocks[task];
        taken.push_back(a);
        if (a != b) taken.push_back(b);
        tiles.for_each_tile(task, [&](const expr::PairTile& tile) {
          for (long i = std::max(tile.i, pairs.loops.first); i < std::min(tile.i_end, pairs.loops.last + 1); ++i)
            covered +=
                std::max(0L, std::min(tile.j_end - 1, pairs.loops.to(i, 0)) - std::max(tile.j, pairs.loops.from(i, 0)) + 1);
        });
      }
      std::sort(taken.begin(), taken.end());
      EXPECT_TRUE(std::adjacent_find(taken.begin(), taken.end()) == taken.end());
    }
    EXPECT_EQ(task, static_cast<std::size_t>(tiles.tasks()));
    EXPECT_EQ(covered, pairs.elements());
    EXPECT_GT(tiles.counts.size(), 4U);
  }
}

TEST(Pairs, take_no_memory_each) {
  const long n = 400;
  for (const Pattern& pattern : patterns(n)) {
    const io::Problem problem = problem_of(pattern, n);
    const Term& term = problem.model.terms[0];
    const auto model = compiled(problem.model);
    const Batch& batch = model->lagrangian.batches[0];
    EXPECT_EQ(term.dofs.capacity() + batch.dofs.capacity() + batch.runs.capacity() + batch.contiguous.capacity(), 0U);
    if (pattern.name.starts_with("a table of pairs")) continue;  // that of the file
    for (const auto* data : {&term.data, &batch.data})
      for (const auto& column : *data) EXPECT_LE(column.capacity(), static_cast<std::size_t>(n));
    EXPECT_LE(term.pairs->starts.capacity(), static_cast<std::size_t>(n + 1));
  }
}

TEST(Pairs, become_tables_and_parts_of_them_that_say_the_same) {
  for (const Pattern& pattern : patterns(9)) {
    const Term term = problem_of(pattern, 9).model.terms[0];
    Term tables = term;
    tabulate(tables);
    ASSERT_FALSE(tables.pairs);
    const Term some = of_elements(term, {5, 0, 7});
    ASSERT_FALSE(some.pairs);
    for (long e = 0; e < term.elements; ++e) {
      for (long l = 0; l < term.locals; ++l) EXPECT_EQ(term.dof(l, e), tables.dof(l, e));
      for (std::size_t k = 0; k < term.data.size(); ++k) EXPECT_EQ(term.datum(k, e), tables.datum(k, e));
    }
    for (long l = 0; l < term.locals; ++l) EXPECT_EQ(some.dof(l, 2), term.dof(l, 7));
    for (std::size_t k = 0; k < term.data.size(); ++k) EXPECT_EQ(some.datum(k, 2), term.datum(k, 7));
  }
}

// What no loop can run over, or must not: such terms have tables, and the same meaning.
TEST(Pairs, that_meet_at_different_indices_have_tables) {
  for (const char* potential :
       {"(x[i] - x[j])^2*x[j+1]", "x[i+j]^2", "(x[i] - x[9-j])^2", "x[i]*x[j]*x[9]", "(x[i] - x[j % 3])^2"}) {
    const io::Problem problem = laws::problem(
        "[system]\ncoordinates = [\"x[10]\"]\nmass = 1\n[[system.term]]\nover = \"i = 0..4, j = i..4\"\npotential = \"" +
        std::string(potential) + "\"\n[initial]\nposition = { x = \"sin(i + 1)\" }\n");
    const auto model = compiled(problem.model);
    EXPECT_FALSE(model->lagrangian.batches[0].pair_first) << potential;
    Dense system(model, layout<Dense::Space>(*model, Entries::none));
    expect_sum(problem, system, potential);
  }
}

// Short loops within a pair are a sum in its energy: atoms of molecules, beside tables, which an index has that is not affine.
TEST(Pairs, sum_the_short_loops_within_them) {
  struct Within {
    std::string ranges, factor;
    long locals;  // of a pair; 0: these loops are no part of it
  };
  const Within cases[] = {{"i = 0..2, j = 0..2", "w[i]*w[j]*(1 + i)*m[a]", 12},
                          {"i = 0..2, j = i..2", "w[i + 3*j]*m[b]", 12},
                          {"j = 1..3", "w[j]", 2 + 6},
                          {"i = 0..a, j = 0..2", "w[j]", 0},
                          {"i = 0..8, j = 0..8", "w[i]*w[j]", 0}};
  for (const Within& c : cases) {
    const std::string i = c.ranges.starts_with("i") ? "i" : "4";
    const auto of = [&](const std::string& j) {
      const std::string x = "(x[9*a+" + i + "] - x[9*b+" + j + "])^2", y = "(y[9*a+" + i + "] - y[9*b+" + j + "])^2";
      return laws::problem(
          "[system]\ncoordinates = [\"x[60]\", \"y[60]\"]\nmass = 1\n"
          "tables = { w = [0.4, -0.8, 0.3, 0.5, 0.6, 0.7, -0.2, 0.1, 0.9], m = [1, 2, 3, 1, 2, 3] }\n"
          "[[system.term]]\nover = \"a = 1..4, b = a+1..5, " +
          c.ranges + "\"\npotential = \"" + c.factor + "/sqrt(" + x + " + " + y +
          ")\"\n[initial]\nposition = { x = \"i + sin(7*i)\", y = \"cos(5*i)\" }\n");
    };
    const io::Problem loops = of("j"), tables = of("(j % 9)");
    const Term &term = loops.model.terms[0], &table = tables.model.terms[0];
    ASSERT_FALSE(table.pairs);
    ASSERT_EQ(term.pairs != nullptr, c.locals > 0) << c.ranges;
    if (c.locals == 0) continue;
    EXPECT_EQ(term.elements, 10);
    EXPECT_EQ(term.locals, c.locals) << c.ranges;
    const auto model = compiled(loops.model);
    EXPECT_TRUE(model->lagrangian.batches[0].pair_first) << c.ranges;
    Dense system(model, layout<Dense::Space>(*model, Entries::none));
    expect_sum(loops, system, c.ranges);
    const Sum expected = one_after_another(tables.model, 0.4, tables.q0);
    EXPECT_NEAR(system.potential(0.4, loops.q0), static_cast<double>(expected.V),
                1e-14 * static_cast<double>(expected.size_of_V));
    VectorXd f = loops.q0;
    system.force(0.4, loops.q0, f);
    for (long k = 0; k < f.size(); ++k)
      EXPECT_NEAR(f[k], static_cast<double>(expected.f[static_cast<std::size_t>(k)]),
                  1e-14 * static_cast<double>(expected.size_of_f[static_cast<std::size_t>(k)]))
          << c.ranges << ", coordinate " << k;
  }
}

// Methods that take the mass alone have no second derivatives, and no matrix of them.
TEST(Pairs, couple_no_coordinates_in_a_matrix_of_the_mass) {
  const io::Problem problem = problem_of(patterns(9)[0], 9);
  const auto model = compile(problem.model, {"none", {}}, false, Highest::first);
  EXPECT_EQ(model->lagrangian.batches[0].second.function, nullptr);
  const auto where = layout<algebra::SparseSpace>(*model, Entries::mass);
  EXPECT_EQ(where.space.pattern->nonZeros(), problem.model.size());
  Sparse system(model, where);
  auto K = system.space().matrix();
  VectorXd f = problem.q0, p = f;
  system.tangent(0, problem.q0, problem.q0, {.vv = 2}, f, p, K);
  EXPECT_EQ(Eigen::MatrixXd(K), Eigen::MatrixXd(2 * Eigen::MatrixXd::Identity(f.size(), f.size())));
  expect_sum(problem, system, "the force beside the mass");
}

}  // namespace actio::system
