#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <cli/program.hpp>
#include <run/json.hpp>

// run.step = { ... }: steps that follow the motion, from the file to what a user reads.
namespace {

using test::Folder;
using test::Json;

std::string orbit(const std::string& method, const std::string& run, const std::string& more = "") {
  return fmt::format(R"toml([system]
coordinates = ["x", "y"]
define = {{ r = "sqrt(x^2 + y^2)" }}
mass = 1
potential = "-1/r"
[initial]
position = [0.1, 0]
velocity = [0, 4.358898943540674]
[method]
{}
[run]
{}
{})toml",
                     method, run, more);
}

test::Result run_of(const Folder& here, const std::string& text, const std::string& words = "") {
  std::ofstream(here / "p.toml") << text;
  return here.run(fmt::format("run '{}' {}", (here / "p.toml").string(), words));
}

TEST(FollowingSteps, say_how_long_they_were_and_what_was_kept) {
  const Folder here;
  const auto run = run_of(here, orbit("name = \"verlet\"", "step = { reversible = \"r^1.5\", eps = 0.02 }\nend = 100"));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(test::contains(run.out, "verlet, reversible steps by r^1.5, order 2")) << run.out;
  EXPECT_TRUE(test::contains(run.out, " steps that follow the motion, of ")) << run.out;
  EXPECT_TRUE(test::contains(run.out, "kept: the energy near its start, reversibility")) << run.out;
  const auto json = run_of(here, orbit("name = \"log-hamiltonian\"", "step = 0.01\nend = 100"), "--json");
  ASSERT_EQ(json.code, 0) << json.err;
  const Json c = Json::parse(json.out);
  EXPECT_EQ(c["verdict"].text(), "kept");
  EXPECT_LT(c["shortest"].number(), 0.02);
  EXPECT_GT(c["longest"].number(), 0.1);
}

TEST(FollowingSteps, are_observed_at_times_and_have_events) {
  const Folder here;
  const std::string turn = "[[event]]\nname = \"turn\"\nwhen = \"y\"\ndirection = \"up\"\nrecord = [\"x\"]\n";
  const auto run = run_of(here, orbit("name = \"log-hamiltonian\"", "step = { eps = 0.02 }\nend = 70\nat = [0, 33.3, 70]", turn),
                          fmt::format("-o '{}'", (here / "p.csv").string()));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(test::contains(run.out, "turn            event 11 times")) << run.out;
  const std::string rows = test::read(here / "p.csv");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 4);
  EXPECT_NE(rows.find("\n33.3"), std::string::npos);
  EXPECT_NE(rows.find("\n70,"), std::string::npos);
}

TEST(FollowingSteps, say_what_is_wrong_with_them) {
  const Folder here;
  const auto expect = [&](const std::string& method, const std::string& run, const std::string& words) {
    const auto r = run_of(here, orbit(method, run));
    EXPECT_NE(r.code, 0) << run;
    EXPECT_TRUE(test::contains(r.err, words)) << r.err;
  };
  const std::string verlet = "name = \"verlet\"", end = "\nend = 10";
  expect(verlet, "step = { reversibel = \"r\", eps = 0.1 }" + end, "reversible");
  expect(verlet, "step = { reversible = \"r\" }" + end, "run.step says nothing of how long a step is");
  expect(verlet, "step = { eps = 0.1 }" + end, "run.step says nothing that steps follow");
  expect(verlet, "step = { reversible = \"r\", poincare = \"r\", eps = 0.1 }" + end, "both reversible and poincare");
  expect(verlet, "step = { reversible = \"r\", eps = -0.1 }" + end, "run.step.eps");
  expect(verlet, "step = { reversible = \"distance\", eps = 0.1 }" + end, "of the pairs of one family of points");
  expect(verlet, "step = { reversible = \"x - 0.1\", eps = 0.1 }" + end, "sigma is 0 at the start");
  expect(verlet, "step = { reversible = \"x'^2\", eps = 0.1 }" + end, "sigma is a function of positions");
  expect(verlet, "step = { poincare = \"r\", eps = 0.1 }" + end, "midpoint, gauss and lobatto");
  expect("name = \"rk4\"", "step = { reversible = \"r\", eps = 0.1 }" + end, "symmetric methods, and rk4 is not one");
  expect("name = \"cvode-adams\"", "step = { reversible = \"r\", eps = 0.1 }" + end, "chooses its own steps");
  expect("name = \"log-hamiltonian\"", "step = { reversible = \"r\", eps = 0.1 }" + end, "follow the motion by themselves");
  expect("name = \"symplectic-energy-momentum\"", "step = { eps = 0.1 }" + end, "has no eps");
  expect("name = \"symplectic-energy-momentum\"\ncompose = { order = 4 }", "step = 0.1" + end, "cannot be composed");
  expect("name = \"verlet\"", "step = { reversible = \"-r\", eps = 0.1 }" + end, "it must be positive");
}

TEST(FollowingSteps, take_no_means_over_the_time) {
  const Folder here;
  const auto r = run_of(here, orbit("name = \"log-hamiltonian\"", "step = { eps = 0.1 }\nend = 10",
                                    "[[observe]]\nname = \"far\"\nvalue = \"r\"\nreduce = \"mean\"\n"));
  EXPECT_NE(r.code, 0);
  EXPECT_TRUE(test::contains(r.err, "not even in it")) << r.err;
  const auto largest = run_of(here, orbit("name = \"log-hamiltonian\"", "step = { eps = 0.02 }\nend = 10",
                                          "[[observe]]\nname = \"far\"\nvalue = \"r\"\nreduce = \"largest\"\n"));
  ASSERT_EQ(largest.code, 0) << largest.err;
  EXPECT_TRUE(test::contains(largest.out, "far")) << largest.out;
}

}  // namespace
