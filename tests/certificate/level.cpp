#include <gtest/gtest.h>

#include <cmath>

#include <actio/invariant/json.hpp>
#include <actio/io/problem.hpp>
#include <actio/run/integrate.hpp>

// What is measured at each level, and what it depends on.
using namespace actio;

namespace {

const char* const pendulum = R"toml(
[system]
coordinates = ["theta"]
lagrangian = "0.5*theta'^2 + cos(theta)"
[initial]
position = [1.0]
[method]
name = "midpoint"
[run]
step = 0.1
steps = 200
)toml";

const char* const sliding = R"toml(
[system]
coordinates = ["x"]
lagrangian = "0.5*x'^2 - 50*x^2"
dissipation = "3*sqrt(x'^2 + 1e-6)"
[initial]
position = [1.0]
[method]
name = "midpoint"
[run]
step = 0.01
steps = 200
)toml";

// A clock that goes on by so much at each look.
invariant::Certificate certified(const char* text, invariant::Level level, double by) {
  const io::Problem p = io::load_text(text, "level.toml");
  const auto integrator = method::make_integrator(p.model, p.method);
  invariant::MomentumMap momentum(p.model);
  run::Options options;
  options.level = level;
  options.clock = [now = 0.0, by]() mutable { return now += by; };
  const run::Task task{p.model.title, p.method, p.q0, p.v0, p.schedule, p.bounds, run::is_autonomous(p.model)};
  return run::integrate(*integrator, momentum, task, options);
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
void expect_the_same(const invariant::Certificate& a, const invariant::Certificate& b) {
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.measuring.states, b.measuring.states);
  EXPECT_EQ(a.measuring.why_less, b.measuring.why_less);
  EXPECT_PRED2(same, a.symplecticity.canonical.value, b.symplecticity.canonical.value);
  EXPECT_PRED2(same, a.symplecticity.canonical.floor, b.symplecticity.canonical.floor);
  EXPECT_PRED2(same, a.reversibility, b.reversibility);
  EXPECT_PRED2(same, a.accuracy.error, b.accuracy.error);
  EXPECT_PRED2(same, a.accuracy.order, b.accuracy.order);
  EXPECT_EQ(a.accuracy.ringing, b.accuracy.ringing);
  EXPECT_EQ(a.accuracy.slips, b.accuracy.slips);
}

class Level : public testing::TestWithParam<const char*> {};

}  // namespace

TEST_P(Level, quick_and_full_do_not_depend_on_the_time_that_steps_take) {
  for (const auto level : {invariant::Level::quick, invariant::Level::full})
    expect_the_same(certified(GetParam(), level, 0), certified(GetParam(), level, 100));
}

TEST_P(Level, standard_measures_less_where_there_is_no_time_left_and_says_so) {
  const auto still = certified(GetParam(), invariant::Level::standard, 0);
  EXPECT_EQ(still.measuring.states, still.measuring.of_states);
  const auto late = certified(GetParam(), invariant::Level::standard, 100);
  EXPECT_LT(late.measuring.states, late.measuring.of_states);
  EXPECT_NE(late.measuring.why_less, "");
}
INSTANTIATE_TEST_SUITE_P(Runs, Level, testing::Values(pendulum, sliding));
