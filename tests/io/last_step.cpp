#include <cmath>

#include <gtest/gtest.h>

#include <actio/io/problem.hpp>

namespace {

using namespace actio;

io::Problem ends(const std::string& method, const std::string& run, const std::string& rest = "") {
  return io::load_text("[system]\ncoordinates = [\"x\"]\nmass = 1\npotential = \"x^2\"\n" + rest +
                           "\n[initial]\nposition = [1]\n[method]\nname = \"" + method + "\"\n[run]\n" + run,
                       "problem.toml");
}

}  // namespace

TEST(LastStep, is_shorter_where_the_end_is_not_a_whole_number_of_steps_away) {
  const run::Schedule s = ends("verlet", "step = 0.1\nend = 1.05").schedule;
  EXPECT_EQ(s.steps, 11);
  EXPECT_NEAR(s.time(11), 1.05, 1e-15);
  EXPECT_NEAR(s.last_step(), 0.05, 1e-15);
  EXPECT_TRUE(s.one_size());
  EXPECT_EQ(s.step_at(11), 0.1);  // by which the last state is measured
  EXPECT_EQ(s.past_end, "");
}

TEST(LastStep, is_as_the_others_where_the_end_is_met_but_for_round_off) {
  for (const double h : {0.1, 0.05, 0.3, 0.7, 1e-3}) {
    const run::Schedule s = ends("verlet", "step = " + std::to_string(h) + "\nend = " + std::to_string(300 * h)).schedule;
    EXPECT_TRUE(s.step.equal()) << h;
    EXPECT_EQ(s.steps, 300) << h;
  }
}

// Newmark conserves a form that depends on h; where a force acts it conserves none anyway.
TEST(LastStep, is_whole_where_the_method_would_lose_what_it_conserves) {
  const run::Schedule s = ends("newmark", "step = 0.1\nend = 1.05").schedule;
  EXPECT_NEAR(s.time(s.steps), 1.1, 1e-15);
  EXPECT_TRUE(s.step.equal());
  EXPECT_NE(s.past_end.find("t = 1.1 is past run.end = 1.05: what newmark conserves depends on the step"), std::string::npos)
      << s.past_end;
  EXPECT_NE(s.past_end.find("run.step = 0.09545454545 meets it"), std::string::npos) << s.past_end;
  const run::Schedule forced = ends("newmark", "step = 0.1\nend = 1.05", "dissipation = \"0.1*x'^2\"\n").schedule;
  EXPECT_NEAR(forced.time(forced.steps), 1.05, 1e-15);
}

TEST(LastStep, of_a_list_and_of_one_step_meets_the_end) {
  const run::Schedule list = ends("verlet", "step = [0.1, 0.2]\nend = 1.0").schedule;
  EXPECT_NEAR(list.time(list.steps), 1, 1e-14);
  const run::Schedule one = ends("verlet", "step = 2\nend = 1.0").schedule;
  EXPECT_EQ(one.steps, 1);
  EXPECT_NEAR(one.time(1), 1, 1e-15);
  const run::Schedule moving = ends("verlet", "step = \"0.1*(1 + t)\"\nend = 1.0").schedule;
  EXPECT_NEAR(moving.time(moving.steps), 1, 1e-14);
}
