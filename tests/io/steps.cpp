#include "support.hpp"

#include <cmath>

// run.step as a number, a list, or an expression of the time.
namespace actio::io::test {
namespace {

run::Schedule schedule(const std::string& lines, const std::string& parameters = "c = 1.0") {
  return load_text(with(with(oscillator, "step = 0.2\nend = 10.0", lines), "c = 1.0", parameters), "p.toml").schedule;
}

std::string error(const std::string& lines) { return error_of(with(oscillator, "step = 0.2\nend = 10.0", lines)); }

void expect_error(const std::string& lines, const std::string& place, const std::string& message) {
  const std::string what = error(lines);
  EXPECT_EQ(what.rfind("p.toml:" + place + ": error: ", 0), 0U) << what;
  EXPECT_NE(what.find(message), std::string::npos) << what;
  EXPECT_NE(what.find('^'), std::string::npos) << what;
}

}  // namespace

TEST(Steps, of_a_list_are_taken_once_or_round_and_round_until_the_end) {
  const auto once = schedule("step = [0.1, 0.2, 0.3]");
  EXPECT_EQ(once.steps, 3);
  EXPECT_EQ(once.step[2], 0.3);
  const auto count = schedule("step = [0.1, 0.2]\nsteps = 101");
  EXPECT_EQ(count.steps, 101);
  EXPECT_EQ(count.step[100], 0.1);
  // 66 cycles of 0.15 reach 9.9; 0.1 more reaches 10 in spite of rounding.
  const auto until = schedule("step = [0.1, 0.05]\nend = 10");
  EXPECT_EQ(until.steps, 133);
  EXPECT_DOUBLE_EQ(until.time(133), 10);
  EXPECT_EQ(schedule("step = [0.1, 0.05]\nend = 10.001").steps, 134);
  EXPECT_EQ(schedule("step = [0.1, 0.05]\nend = 0.01").steps, 1);
  EXPECT_EQ(schedule("step = [0.3, 0.1]\nstart = -1e3\nend = 1e3").steps, 10000);
}

TEST(Steps, that_do_not_differ_are_one_size) {
  EXPECT_EQ(schedule("step = [0.2, 0.2]\nend = 10").step, run::Steps(0.2));
  EXPECT_EQ(schedule("step = [0.2, 0.2]\nend = 10").steps, 50);
  EXPECT_EQ(schedule("step = [0.2, 0.3]\nsteps = 1").step, run::Steps(0.2));
  EXPECT_EQ(schedule("step = \"c/5\"\nend = 10").step, run::Steps(0.2));
  EXPECT_EQ(schedule("step = \"c/5 + 0*t\"\nend = 10").step, run::Steps(0.2));
  EXPECT_EQ(schedule("step = \"c/5 + 0*t\"\nend = 10").steps, 50);
}

TEST(Steps, of_a_list_may_be_expressions_of_parameters) {
  const auto s = schedule("step = [\"c/8\", 0.25]\nsteps = 4", "c = 1.0, d = 2");
  EXPECT_EQ(s.step[2], 0.125);
  EXPECT_EQ(s.step[3], 0.25);
}

TEST(Steps, of_an_expression_are_evaluated_where_each_begins) {
  const auto s = schedule("step = \"0.01*(1 + 0.5*sin(t))\"\nstart = 2\nend = 10");
  double t = 2;
  for (long k = 0; k < s.steps; ++k) {
    const double h = 0.01 * (1 + 0.5 * std::sin(t));
    EXPECT_NEAR(s.step[k], h, 1e-16 + 1e-2 * 1e-15 * t) << k;  // h, and what rounding of t makes of it
    t += s.step[k];
  }
  EXPECT_GE(s.time(s.steps), 10);
  EXPECT_LT(s.time(s.steps - 1), 10);
  EXPECT_NEAR(s.time(s.steps), t, 1e-12);
  const auto count = schedule("step = \"where(t < 1, 0.1, 0.2)\"\nsteps = 15");
  EXPECT_EQ(count.steps, 15);
  EXPECT_EQ(count.step[9], 0.1);
  EXPECT_EQ(count.step[14], 0.2);
  EXPECT_EQ(count.step.different(), 2);
}

TEST(Steps, that_cannot_be_taken_are_shown_with_their_place) {
  expect_error("step = [0.1, 0]\nend = 1", "14:14", "run.step[1] is 0; it must be positive");
  expect_error("step = [0.1, -2, 1]", "14:14", "run.step[1] is -2; it must be positive");
  expect_error("step = [nan]", "14:9", "run.step[0] is nan; it must be finite");
  expect_error("step = [0.1, inf]", "14:14", "run.step[1] is inf; it must be finite");
  expect_error("step = [0.1, [0.2]]", "14:14", "run.step[1] must be a number, not");
  expect_error("step = []", "14:8", "run.step is an empty list");
  expect_error("step = true\nend = 1", "14:8", "must be a number, a list of them, or an expression of t, not a boolean");
  expect_error("step = \"0.5 - t\"\nend = 1", "14:8", "run.step is 0 at t = 0.5; it must be positive");
  expect_error("step = \"0.1*sqrt(0.35 - t)\"\nend = 1", "14:8", "run.step is ");
  expect_error("step = \"0.1/(t - 1)\"\nstart = 1\nend = 2", "14:8", "run.step is inf at t = 1; it must be finite");
  expect_error("step = \"1e-20*(1 + t)\"\nstart = 1\nend = 2", "14:8", "run.step is 2e-20 at t = 1: too small to change t");
  expect_error("step = \"0.1*x\"\nend = 1", "14:13", "x is a coordinate, not allowed in run.step");
  expect_error("step = \"0.1*y'\"\nend = 1", "14:13", "not allowed in run.step");
  expect_error("step = \"0.1*normal()\"\nend = 1", "14:13", "in run.step");
  expect_error("step = \"0.1*d\"\nend = 1", "14:13", "unknown name \"d\" in run.step");
  expect_error("step = \"0.1 + t\"", "13:1", "run.end is missing");
  expect_error("step = \"-0.1\"\nend = 1", "14:8", "run.step is -0.1; it must be positive");
  expect_error("step = [0.1, 0.2]\nend = 1e300", "15:7", "steps away; at most 1e+15 can be taken");
}

// A list may be as long as a file can hold; what is kept is bounded.
TEST(Steps, that_differ_too_often_are_refused) {
  const std::string what = error("step = \"1e-6*(1 + t)\"\nend = 1e3");
  EXPECT_NE(what.find("run.step changes more than 4000000 times until t = "), std::string::npos) << what;
}

}  // namespace actio::io::test
