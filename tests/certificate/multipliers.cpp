#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <certificate/suite/suite.hpp>
#include <certificate/suite/systems.hpp>
#include <common.hpp>

// Multipliers that a trajectory shows: at its first state, between steps of different sizes, at its last.
namespace certificate {
namespace {

using actio::test::interpreted;

// The mass of 2 on a rod of 1 m: g = x^2 + y^2 - 1, and M q'' = -grad V + 2 lambda q, so lambda = (q . grad V - m v^2)/2.
struct Forces : run::Observer {
  double worst = 0, first = 0, largest = 0;
  long count = 0;
  void observe(const run::Observation& now) override {
    ASSERT_EQ(now.multipliers.size(), 1u);
    const auto& s = now.state;
    const double exact = 0.5 * (2 * 9.81 * s.q[1] - 2 * s.v.squaredNorm()), off = std::abs(now.multipliers[0] - exact);
    if (count++ == 0) first = off;
    worst = std::max(worst, off);
    largest = std::max(largest, std::abs(exact));
  }
};

Forces forces(const char* method, const char* steps, const char* position) {
  Run r{.problem =
            problem(fmt::format("[system]\ncoordinates = [\"x\", \"y\"]\nmass = 2.0\npotential = \"2*9.81*y\"\nconstraints = "
                                "[\"x^2 + y^2 - 1\"]\n[initial]\nposition = {}\n",
                                position),
                    method, 0.01, 200)};
  r.overrides = {fmt::format("run.step={}", steps)};
  Opened o = open(r, interpreted);
  Forces seen;
  run::Options options;
  options.observers = {&seen};
  options.multipliers = true;
  const auto c = run::integrate(*o.integrator, o.momentum, o.task, options);
  EXPECT_FALSE(c.failure.has_value()) << invariant::text(c);
  EXPECT_EQ(seen.count, 201);
  return seen;
}

constexpr const char* methods[] = {"rattle", "shake", "midpoint", "variational", "lobatto", "energy-momentum"};

}  // namespace

// A weight that hangs: 19.62 N along the gradient, which is 2 m long.
TEST(Multipliers, of_a_weight_that_hangs_are_its_weight_at_every_state) {
  for (const char* method : methods)
    for (const char* steps : {"0.01", "[0.01, 0.03, 0.002]"}) {
      const Forces f = forces(method, steps, "[0, -1]");
      EXPECT_LT(f.worst, 1e-9) << method << ", " << steps;
    }
}

// One that swings: to second order where steps are equal, to first where they differ, a few hundredths of 30 here; half of one is
// half of all.
TEST(Multipliers, of_a_weight_that_swings_are_what_holds_it) {
  for (const char* method : methods) {
    const Forces equal = forces(method, "0.005", "[0.6, -0.8]"), unequal = forces(method, "[0.005, 0.009, 0.004]", "[0.6, -0.8]");
    EXPECT_GT(equal.largest, 10) << method;
    EXPECT_LT(equal.first, 0.02 * equal.largest) << method;
    EXPECT_LT(equal.worst, 0.02 * equal.largest) << method;
    EXPECT_LT(unequal.first, 0.03 * unequal.largest) << method;
    EXPECT_LT(unequal.worst, 0.03 * unequal.largest) << method;
  }
}

}  // namespace certificate
