#include "../../src/system/sweep.hpp"

#include <gtest/gtest.h>

#include <actio/core/parallel.hpp>
#include <actio/system/assembled.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <random>

#include "common.hpp"

// Steps of Verlet's in one pass over memory: the order of a sweep is right, and its numbers are those of one operation after the
// other.
namespace actio::system {
namespace {

using Eigen::VectorXd;
using Large = Assembled<algebra::SparseSpace>;
using actio::test::eps;
using actio::test::interpreted;

// A spring 1/2 d^2 + 1/4 d^4 + d sin(t)/10 of d = x1 - x0 for each pair of coordinates.
Term springs(const std::vector<std::array<std::int32_t, 2>>& pairs) {
  Term spring;
  spring.name = "spring";
  expr::Graph& g = spring.graph;
  const expr::Id d = g.sub(g.column(1), g.column(0)), d2 = g.mul(d, d);
  const expr::Id pull = g.mul(g.constant(0.1), g.unary(expr::Op::sin, g.uniform(0)));
  spring.value = g.add(g.add(g.mul(g.constant(0.5), d2), g.mul(g.constant(0.25), g.mul(d2, d2))), g.mul(pull, d));
  spring.locals = 2;
  spring.elements = static_cast<long>(pairs.size());
  for (std::size_t side = 0; side < 2; ++side)
    for (const auto& pair : pairs) spring.dofs.push_back(pair[side]);
  return spring;
}

Model with(long n, std::vector<Term> terms) {
  Model model;
  model.families.push_back({"q", n, 0, true});
  model.mass.kind = MassMatrix::Kind::diagonal;
  model.mass.diagonal = VectorXd::LinSpaced(n, 1, 2);
  model.terms = std::move(terms);
  return model;
}

std::vector<std::array<std::int32_t, 2>> chain(std::int32_t n, std::int32_t first = 0, std::int32_t apart = 1) {
  std::vector<std::array<std::int32_t, 2>> out;
  for (std::int32_t i = first; i + apart < first + n; ++i) out.push_back({i, i + apart});
  return out;
}

struct Pattern {
  std::string name;
  std::function<Model()> model;
  bool takes_one_pass = true;
};
std::vector<Pattern> patterns() {
  constexpr std::int32_t n = 150'000;
  return {
      {"chain", [] { return with(n, {springs(chain(n))}); }},
      {"chain that fits in one range", [] { return with(2000, {springs(chain(2000))}); }},
      {"of unit mass",
       [] {
         Model model = with(n, {springs(chain(n))});
         model.mass.diagonal.setOnes();
         return model;
       }},
      {"ring, its last spring alone",
       [] {
         return with(n, {springs(chain(n)), springs({{n - 1, 0}})});
       }},
      {"neighbours and second neighbours",
       [] {
         return with(n, {springs(chain(n)), springs(chain(n, 0, 2))});
       }},
      {"two families, joined place by place",
       [] {
         std::vector<std::array<std::int32_t, 2>> rungs;
         for (std::int32_t i = 0; i < n / 2; ++i) rungs.push_back({i, n / 2 + i});
         return with(n, {springs(chain(n / 2)), springs(chain(n / 2, n / 2)), springs(rungs)});
       }},
      {"lattice of 300 x 500",
       [] {
         std::vector<std::array<std::int32_t, 2>> along;
         for (std::int32_t row = 0; row < 300; ++row)
           for (const auto& pair : chain(500, 500 * row)) along.push_back(pair);
         return with(n, {springs(along), springs(chain(n, 0, 500))});
       }},
      {"coordinates that no spring takes", [] { return with(n, {springs(chain(n / 3, n / 3))}); }},
      {"some fixed",
       [] {
         Model model = with(n, {springs(chain(n))});
         model.fixed_dofs = {0, 511, 512, 70'000, n - 1};
         return model;
       }},
      {"coordinates from all over",
       [] {
         std::mt19937 random(1);
         std::uniform_int_distribution<std::int32_t> any(0, n - 2);
         std::vector<std::array<std::int32_t, 2>> pairs;
         for (std::int32_t i = 0; i < n; ++i) pairs.push_back({any(random), n - 1});
         return with(n, {springs(pairs)});
       },
       false},
      {"springs in any order within sixty-four",
       [] {
         auto pairs = chain(n);
         std::mt19937 random(3);
         for (std::size_t k = 0; k + 64 <= pairs.size(); k += 64)
           std::shuffle(pairs.begin() + static_cast<long>(k), pairs.begin() + static_cast<long>(k) + 64, random);
         return with(n, {springs(pairs)});
       }},
      {"springs from the last to the first, and more on a tenth of the chain",
       [] {
         auto pairs = chain(n);
         std::ranges::reverse(pairs);
         return with(n, {springs(pairs), springs(chain(n / 10))});
       }},
      {"friction",
       [] {
         Model model = with(n, {springs(chain(n))});
         model.damping.resize(n, n);
         model.damping.setIdentity();
         return model;
       },
       false},
      {"a full mass",
       [] {
         Model model = with(n, {springs(chain(n))});
         model.mass.kind = MassMatrix::Kind::full;
         model.mass.full.resize(n, n);
         model.mass.full.setIdentity();
         return model;
       },
       false},
      {"few", [] { return with(100, {springs(chain(100))}); }, false},
      {"a stiffness matrix beside the springs",
       [] {
         Model model = with(n, {springs(chain(n))});
         model.stiffness.resize(n, n);
         model.stiffness.setIdentity();
         return model;
       },
       false},
  };
}

// Every coordinate is drifted once, before any element that takes it, and kicked once, after all of these; ranges share none.
TEST(Sweep, drifts_before_elements_and_kicks_behind_them) {
  for (const Pattern& pattern : patterns()) {
    SCOPED_TRACE(pattern.name);
    const auto compiled = compile(pattern.model(), interpreted, false, Highest::first);
    const auto sweep = sweep_of(*compiled);
    ASSERT_EQ(sweep != nullptr, pattern.takes_one_pass);
    if (!sweep) continue;
    EXPECT_EQ(sweep->ranges() >= 4, compiled->n > 100'000);
    const long joints = sweep->ranges();
    std::vector<int> drifts(static_cast<std::size_t>(compiled->n)), kicks(drifts);
    std::vector<long> owner(drifts.size(), -1);
    std::vector<std::vector<int>> pushed;
    for (const Batch& b : compiled->lagrangian.batches) pushed.emplace_back(static_cast<std::size_t>(b.elements));
    bool right = true;
    const auto touch = [&](long i, long range) {
      long& of = owner[static_cast<std::size_t>(i)];
      right = right && (of == -1 || of == range || range == joints);
      of = range;
    };
    for (long range = 0; range <= joints; ++range) {
      const long end =
          range < joints ? sweep->starts[static_cast<std::size_t>(range + 1)] : static_cast<long>(sweep->tasks.size());
      for (long k = sweep->starts[static_cast<std::size_t>(range)]; k < end; ++k) {
        const Sweep::Task& task = sweep->tasks[static_cast<std::size_t>(k)];
        for (long e = task.begin; e < task.end; ++e) {
          const auto at = static_cast<std::size_t>(e);
          if (task.action == Sweep::Action::push) {
            const Batch& b = compiled->lagrangian.batches[static_cast<std::size_t>(task.batch)];
            ++pushed[static_cast<std::size_t>(task.batch)][at];
            for (long l = 0; l < b.locals; ++l) {
              const auto dof = static_cast<std::size_t>(b.dof(l, e));
              right = right && drifts[dof] == 1 && kicks[dof] == 0;
              touch(b.dof(l, e), range);
            }
            continue;
          }
          const bool kick = task.action == Sweep::Action::kick;
          right = right && drifts[at] == (kick ? 1 : 0) && kicks[at] == 0;
          ++(kick ? kicks : drifts)[at];
          touch(e, range);
        }
      }
    }
    EXPECT_TRUE(right);
    for (const auto& batch : pushed) EXPECT_TRUE(std::ranges::all_of(batch, [](int count) { return count == 1; }));
    EXPECT_TRUE(std::ranges::all_of(kicks, [](int count) { return count == 1; }));
  }
}

struct State {
  VectorXd q, p, f;
};

TEST(Sweep, steps_as_one_operation_after_the_other_and_alike_on_any_number_of_threads) {
  const int before = core::threads();
  for (const Pattern& pattern : patterns()) {
    if (!pattern.takes_one_pass) continue;
    SCOPED_TRACE(pattern.name);
    const auto compiled = compile(pattern.model(), interpreted, false, Highest::first);
    Large system(compiled, layout<algebra::SparseSpace>(*compiled, Entries::none));
    ASSERT_TRUE(system.takes_one_pass());
    const long n = compiled->n;
    double t = 0.7;
    std::mt19937 random(2);
    std::uniform_real_distribution<double> uniform(-1, 1);
    State start{VectorXd(n), VectorXd(n), VectorXd(n)};
    for (long i = 0; i < n; ++i) start.q[i] = uniform(random), start.p[i] = uniform(random);
    for (const auto i : compiled->fixed_dofs) start.p[i] = 0;
    system.force(t, start.q, start.f);

    State expected = start;
    std::array<State, 3> states{start, start, start};  // by one thread, two, three
    VectorXd v(n);
    for (const double h : {0.1, -0.07}) {
      t += h;
      expected.p += h / 2 * expected.f;
      system.velocity(expected.p, v);
      expected.q += h * v;
      system.force(t, expected.q, expected.f);
      expected.p += h / 2 * expected.f;
      for (std::size_t k = 0; k < states.size(); ++k) {
        core::set_threads(static_cast<int>(k) + 1);
        system.kick_drift_kick(t, h, states[k].q, states[k].p, states[k].f);
      }
      core::set_threads(before);
    }
    // distances are less than 4, so a spring pulls with less than 4 + 64 + 0.1, and a coordinate has at most four
    const double rounding = 32 * eps * 4 * 69;
    EXPECT_LE((states[0].q - expected.q).cwiseAbs().maxCoeff(), rounding);
    EXPECT_LE((states[0].p - expected.p).cwiseAbs().maxCoeff(), rounding);
    EXPECT_LE((states[0].f - expected.f).cwiseAbs().maxCoeff(), rounding);
    const auto same = [](const VectorXd& x, const VectorXd& y) {
      return std::ranges::equal(x, y, {}, std::bit_cast<std::uint64_t, double>, std::bit_cast<std::uint64_t, double>);
    };
    for (const State& x : states) EXPECT_TRUE(same(x.q, states[0].q) && same(x.p, states[0].p) && same(x.f, states[0].f));
  }
}

}  // namespace
}  // namespace actio::system
