#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "ensembles.hpp"

// Members that fail, and members that stop.
namespace actio::run {
namespace {

// A free fall off a hill: the member that starts beyond the top runs away, the others do not.
const std::string hill = R"toml([system]
coordinates = ["x"]
mass = 1
potential = "0.5*x^2 - 0.25*x^4"
[initial]
position = [0.1]
[ensemble.initial.position]
x = [0.1, 0.5, 3, 0.2]
[method]
name = "METHOD"
[run]
step = 0.1
end = 30
every = 1000
)toml";

TEST(MemberFailures, name_the_member_and_the_step_and_leave_the_others_alone) {
  for (const char* method : {"verlet", "midpoint"}) {
    Ensemble e = ensemble_of(with(hill, "METHOD", method));
    run_all(e);
    ASSERT_EQ(e.failures().size(), 1U) << method;
    const MemberFailure& f = e.failures()[0];
    EXPECT_EQ(f.member, 2);
    EXPECT_GT(f.step, 0);
    EXPECT_NEAR(f.t, 0.1 * static_cast<double>(f.step), 1e-12);
    EXPECT_EQ(e.reduced(0).count, 3);
    EXPECT_TRUE(std::isnan(e.q(2, 0)));
    EXPECT_LT(std::abs(e.q(3, 0)), 0.25);
    Ensemble step_by_step = ensemble_of(with(hill, "METHOD", method), {"run.every=1"});
    while (step_by_step.advance() && step_by_step.failures().empty()) {}
    EXPECT_EQ(step_by_step.step(), f.step) << "the step does not depend on when it is looked at";
  }
}

TEST(MemberFailures, at_the_start_are_at_step_0) {
  Ensemble e =
      ensemble_of(with(hill, "METHOD", "verlet"), {"ensemble.members=3", "ensemble.initial.position.x='0.1 + 0.1*sqrt(1 - m)'"});
  run_all(e);
  ASSERT_EQ(e.failures().size(), 1U);
  EXPECT_EQ(e.failures()[0].member, 2);
  EXPECT_EQ(e.failures()[0].step, 0);
  EXPECT_EQ(e.reduced(0).count, 2);
}

// x'' = -x from x = 0 with x' = a reaches 1/2 at t = asin(1/(2 a)), if a is above 1/2.
TEST(MembersThatStop, stand_still_from_the_step_at_which_the_condition_holds) {
  const std::string text = R"toml([system]
coordinates = ["x"]
parameters = { level = 0.5 }
mass = 1
potential = "0.5*x^2"
[initial]
position = [0]
[ensemble]
members = 70
stop = "x > level and x' > 0"
[ensemble.initial.velocity]
x = "0.3 + 0.02*m"
[[observe]]
name = "stopped_at"
value = "stopped_at"
reduce = "histogram"
from = 0
to = 2
bins = 4
[method]
METHOD
[run]
step = 0.01
end = 10
every = 1000
)toml";
  for (const char* method : {"name = \"verlet\"", "name = \"verlet\"\nform = \"position\"", "name = \"midpoint\"",
                             "name = \"verlet\"\ncompose = { order = 4 }"}) {
    Ensemble e = ensemble_of(with(text, "METHOD", method));
    run_all(e);
    const std::size_t last = e.outputs() - 1;
    ASSERT_EQ(e.name(last), "stopped_at");
    long stopped = 0;
    for (long m = 0; m < 70; ++m) {
      const double a = 0.3 + 0.02 * static_cast<double>(m), t = e.values(last)[static_cast<std::size_t>(m)];
      if (a < 0.499) {
        EXPECT_TRUE(std::isnan(t)) << a;
      } else if (a > 0.501) {
        ++stopped;
        const double expected = std::asin(0.5 / a);
        EXPECT_GT(t, expected - 1e-3) << a;  // the method's error is below it
        EXPECT_LT(t, expected + 0.01 + 1e-3) << a;
        EXPECT_GT(e.q(m, 0), 0.5);
        EXPECT_LT(e.q(m, 0), 0.5 + 0.01 * a);
      }
    }
    EXPECT_LE(stopped, e.reduced(last).count);
    long counted = 0;
    for (const long b : e.reduced(last).bins) counted += b;
    EXPECT_EQ(counted, e.reduced(last).count);
    Ensemble alone = ensemble_of(with(text, "METHOD", method), {"ensemble.first=33", "ensemble.members=1", "run.every=7"});
    run_all(alone);
    EXPECT_TRUE(same(alone.q(0, 0), e.q(33, 0)));
    EXPECT_TRUE(same(alone.values(last)[0], e.values(last)[33]));
  }
}

TEST(MembersThatStop, may_do_so_at_the_start) {
  Ensemble e = ensemble_of(with(hill, "METHOD", "midpoint"), {"ensemble.stop=\"x > 2\""});
  run_all(e);
  EXPECT_TRUE(e.failures().empty());
  EXPECT_EQ(e.q(2, 0), 3);
  EXPECT_EQ(e.values(e.outputs() - 1)[2], 0);
}

// A step of 2 on -1/2 x^2 divides by 0: no number is found for the member that does not take it, and none is wanted.
TEST(MembersThatStop, need_no_step) {
  Ensemble e = ensemble_of(R"toml([system]
coordinates = ["x"]
mass = 1
potential = "where(x > 2, -0.5*x^2, 0.5*x^2)"
[initial]
position = [0]
[ensemble]
members = 3
stop = "x > 2"
[ensemble.initial.position]
x = [0.1, 3, 0.5]
[method]
name = "midpoint"
[run]
step = 2
steps = 50
)toml");
  run_all(e);
  EXPECT_TRUE(e.failures().empty());
  EXPECT_EQ(e.q(1, 0), 3);
  for (const long m : {0L, 2L}) EXPECT_LE(std::abs(e.q(m, 0)), 0.5 + 1e-12);
}

// Expressions may be finite where the state is not.
TEST(MemberFailures, leave_no_number_in_any_output) {
  for (const char* method : {"verlet", "midpoint"}) {
    Ensemble e = ensemble_of(with(hill, "METHOD", method) + R"toml([[observe]]
name = "far"
value = "x > 1"
[[observe]]
name = "choice"
value = "where(x < 1, x, 7)"
[[observe]]
name = "time"
value = "t"
[[observe]]
name = "least"
value = "min(x, 0)"
)toml");
    run_all(e);
    ASSERT_EQ(e.failures().size(), 1U);
    for (std::size_t k = 0; k < e.outputs(); ++k) {
      EXPECT_TRUE(std::isnan(e.values(k)[2])) << method << ", " << e.name(k);
      EXPECT_EQ(e.reduced(k).count, 3) << method << ", " << e.name(k);
    }
  }
}

// Member 2 is lost on its way to minus infinity: then no comparison with it holds.
TEST(MemberFailures, are_no_stops) {
  for (const char* method : {"verlet", "midpoint"})
    for (const char* every : {"run.every=1000", "run.every=7"}) {
      Ensemble e = ensemble_of(with(hill, "METHOD", method),
                               {"ensemble.initial.position.x=[0.1, 0.5, -3, 2.5]", "ensemble.stop=\"not (x < 2)\"", every});
      run_all(e);
      ASSERT_EQ(e.failures().size(), 1U) << method;
      EXPECT_EQ(e.failures()[0].member, 2);
      const auto stopped = e.values(e.outputs() - 1);
      EXPECT_TRUE(std::isnan(stopped[0]) && std::isnan(stopped[1]) && std::isnan(stopped[2])) << method << ", " << stopped[2];
      EXPECT_EQ(stopped[3], 0);
      EXPECT_EQ(e.reduced(e.outputs() - 1).count, 1);
    }
}

// Steps that a member does not take have no iterations: those of the others are as many as without it.
TEST(MemberFailures, and_stops_do_not_change_the_mean_of_iterations) {
  const std::string text = with(hill, "METHOD", "midpoint");
  Ensemble alone = ensemble_of(text, {"ensemble.initial.position.x=[0.1]"});
  run_all(alone);
  EXPECT_GT(alone.iterations(), 1);
  for (const char* x : {"[0.1, 3]", "[0.1, -3]"}) {  // stops at once, fails
    Ensemble e = ensemble_of(text, {fmt::format("ensemble.initial.position.x={}", x), "ensemble.stop=\"x > 2\""});
    run_all(e);
    EXPECT_EQ(e.iterations(), alone.iterations()) << x;
  }
  Ensemble both = ensemble_of(text, {"ensemble.initial.position.x=[0.1, 3]"});
  run_all(both);
  EXPECT_EQ(both.failures().size(), 1U);
  EXPECT_EQ(both.iterations(), alone.iterations());
}

}  // namespace
}  // namespace actio::run
