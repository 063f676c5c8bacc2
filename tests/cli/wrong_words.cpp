#include <gtest/gtest.h>

#include "program.hpp"

// What is wrong with the words of a command, or with a start, is said with its place and what to try.
namespace {

const std::string weight_on_rod = R"toml([system]
coordinates = ["x", "y"]
mass = 1
potential = "y"
constraints = ["x^2 + y^2 - 1"]
[initial]
position = [1, 0]
velocity = [0, 1]
[method]
name = "rattle"
[run]
step = 0.01
end = 0.1
)toml";

std::string with(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}

void expect_refused(const std::string& text, const std::string& message) {
  const test::Folder here;
  const std::string file = here.write("p.toml", text);
  const test::Result r = here.run("run " + file + " -q");
  EXPECT_EQ(r.code, 2);
  const std::string all = r.err.find(file) == 0 ? r.err.substr(file.size()) : "no place: " + r.err;
  EXPECT_EQ(all.substr(0, message.size()), message);
}

TEST(WrongStart, says_where_the_file_has_it) {
  expect_refused(with(weight_on_rod, "[1, 0]", "[1.1, 0]"),
                 ":7:12: error: the start is not on the constraints: it is 9.55e-02 away from \"constraint 0\"\n"
                 "  7 | position = [1.1, 0]\n"
                 "    |            ^~~~~~~~\n"
                 "  correct [initial]");
  expect_refused(with(weight_on_rod, "[0, 1]", "[1, 1]"),
                 ":8:12: error: the initial velocity is not tangent to the constraints: the rate of \"constraint 0\"");
  expect_refused(with(with(weight_on_rod, "[0, 1]", "[1, 1]"), "position = [1, 0]\n", "project = true\nposition = [0, 0]\n"),
                 ":5:16: error: the constraint \"constraint 0\" has no gradient at the start");
}

TEST(WrongConstraint, that_is_found_when_the_problem_is_made_says_where_it_stands) {
  const std::string space =
      with(with(with(weight_on_rod, "\"y\"]", "\"y\", \"z\"]"), "[1, 0]", "[1, 0, 0]"), "[0, 1]", "[0, 1, 0]");
  expect_refused(with(space, "[\"x^2 + y^2 - 1\"]", "[\"x^2 + y^2 - 1\", \"3*x^2 + 3*y^2 - 3\"]"),
                 ":5:33: error: the constraints \"constraint 0\", \"constraint 1\" depend on one another at the start");
  expect_refused(
      with(with(with(weight_on_rod, "mass = 1", "mass = 1\nparameters = { c = 0 }"), "[\"x^2 + y^2 - 1\"]", "[\"c*x - t\"]"),
           "rattle", "newmark"),
      ":6:16: error: the constraint \"constraint 0\" has a factor 0 before its coordinate");
}

TEST(WrongStart, a_static_one_says_where_it_is_asked_for) {
  expect_refused(
      "[system]\ncoordinates = [\"x\"]\nmass = 1\npotential = \"x^3 + x\"\n[initial]\nposition = [1]\nstatic = true\n"
      "[method]\nname = \"verlet\"\n[run]\nstep = 0.1\nend = 1\n",
      ":7:10: error: no static start");
}

TEST(WrongOption, is_named_with_the_one_that_was_meant) {
  const test::Folder here;
  const std::string file = here.write("p.toml", weight_on_rod);
  test::Result r = here.run("run " + file + " --ouput=x.h5");
  EXPECT_EQ(r.code, 2);
  EXPECT_EQ(r.err, "error: unknown option \"--ouput\"\n  did you mean \"--output\"?\n");
  r = here.run("run " + file + " --zork");
  EXPECT_EQ(r.err, "error: unknown option \"--zork\"\n  actio run --help lists the options\n");
  r = here.run("run " + file + " --json --qiet");
  EXPECT_NE(r.out.find("did you mean"), std::string::npos);
  EXPECT_NE(here.run("run --help").out.find("-np N"), std::string::npos);
  EXPECT_NE(here.run("explain leapfrog").err.find("did you mean \"verlet\"?"), std::string::npos);
}

// The rod is 1 long and the start 2 away: the energy of a run is that of the start that was put on the rod.
TEST(Check, prints_the_energy_of_the_start_that_run_takes) {
  const test::Folder here;
  const std::string file = here.write("p.toml", with(with(with(weight_on_rod, "[1, 0]", "[0, -2]"), "[0, 1]", "[1, 0.5]"),
                                                     "velocity", "project = true\nvelocity"));
  const test::Result check = here.run("check " + file), run = here.run("run " + file);
  ASSERT_EQ(check.code, 0) << check.err;
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(check.out.find("energy       -0.5 at the start"), std::string::npos) << check.out;
  EXPECT_NE(run.out.find("-0.5"), std::string::npos) << run.out;
}

}  // namespace
