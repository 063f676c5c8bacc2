#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include <actio/invariant/json.hpp>
#include <actio/io/problem.hpp>
#include <actio/run/integrate.hpp>
#include <actio/session/session.hpp>
#include <actio/system/callbacks.hpp>

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

class Levels : public testing::TestWithParam<const char*> {};

}  // namespace

TEST_P(Levels, quick_and_full_do_not_depend_on_the_time_that_steps_take) {
  for (const auto level : {invariant::Level::quick, invariant::Level::full})
    expect_the_same(certified(GetParam(), level, 0), certified(GetParam(), level, 100));
}

TEST_P(Levels, standard_measures_less_where_there_is_no_time_left_and_says_so) {
  const auto still = certified(GetParam(), invariant::Level::standard, 0);
  EXPECT_EQ(still.measuring.states, still.measuring.of_states);
  const auto late = certified(GetParam(), invariant::Level::standard, 100);
  EXPECT_LT(late.measuring.states, late.measuring.of_states);
  EXPECT_NE(late.measuring.why_less, "");
}
INSTANTIATE_TEST_SUITE_P(Runs, Levels, testing::Values(pendulum, sliding));

struct Ended : run::Observer {
  void observe(const run::Observation& o) override { yes = o.step == 200; }
  bool yes = false;
};

// Wrong derivatives of a code are seen although there is no time for a step: comparing them takes none.
TEST(LevelOfACode, standard_compares_the_derivatives_of_a_code_where_it_measures_no_step) {
  for (const double factor : {1.0, 2.0}) {
    system::Callbacks code;
    code.rows = code.columns = {0};
    code.energy = [](double, system::Callbacks::In q) { return 0.5 * q[0] * q[0]; };
    code.residual = [=](double, system::Callbacks::In q, system::Callbacks::Out r) { r[0] += factor * q[0]; };
    code.tangent = [=](double, system::Callbacks::In, system::Callbacks::Out K) { K[0] += factor; };
    system::Model model = system::model_of(1, code);
    model.mass = {system::MassMatrix::Kind::diagonal, Eigen::VectorXd::Ones(1), {}, nullptr};
    const method::Spec midpoint{method::Midpoint{}, false, {}};
    run::Task task{"", midpoint, Eigen::VectorXd::Ones(1), Eigen::VectorXd::Zero(1), {.step = 0.1, .steps = 200}};
    task.code = run::code_check(model);
    const auto integrator = method::make_integrator(model, midpoint);
    invariant::MomentumMap none;
    run::Options options;
    Ended ended;
    options.observers.push_back(&ended);
    double now = 0;
    options.clock = [&] { return now += ended.yes ? 100 : 0; };  // the steps take no time, each look after them 100 s
    const auto c = run::integrate(*integrator, none, task, options);
    EXPECT_EQ(c.measuring.states, 0);
    ASSERT_TRUE(c.code);
    using Verdict = invariant::Certificate::Verdict;
    EXPECT_EQ(c.verdict, factor == 1 ? Verdict::unresolved : Verdict::failed) << invariant::text(c);
  }
}

// A solid's steps are longer than the periods of most of its modes: where the differences of shorter and shorter steps show no
// order before they are round-off, none is claimed to be wrong.
// A beam of steel that is let go: modes of a millionth of a second swing, which no step of a thousand resolves.
TEST(LevelOfASolid, standard_does_not_find_a_lower_order_in_modes_that_steps_do_not_resolve) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "a second of steps of a solid";
  const std::atomic<bool> never = false;
  session::OneProcess here(never);
  for (const char* method : {"newmark", "midpoint"}) {
    session::Session s =
        session::open(io::load("examples/cantilever.toml",
                               {{std::string("method.name=\"") + method + "\"", "run.step=1e-4", "run.end=0.02",
                                 "system.solid.material.0.model=\"linear-elastic\"", "system.solid.material.0.E=210e9",
                                 "system.solid.material.0.nu=0.3", "system.solid.material.0.density=7850"},
                                {}}),
                      {}, here);
    const invariant::Certificate c = session::run(s, {}, here);
    EXPECT_NE(c.verdict, invariant::Certificate::Verdict::failed) << invariant::text(c);
  }
}

TEST(LevelOfASolid, full_does_not_find_a_lower_order_between_the_periods_of_many_modes) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "a second of steps of a solid";
  const std::atomic<bool> never = false;
  session::OneProcess here(never);
  session::Session s =
      session::open(io::load("examples/cantilever.toml", {{"run.end=0.01", "certificate.level=\"full\""}, {}}), {}, here);
  const invariant::Certificate c = session::run(s, {}, here);
  EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::kept) << invariant::text(c);
}
