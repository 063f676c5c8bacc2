#include <array>
#include <cmath>
#include <sstream>
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
  expect(verlet, "step = { reversible = \"r\", eps = 0.1 }\nsteps = 10\nat = [1]", "when they end is not known");
  expect("name = \"log-hamiltonian\"", "step = { eps = 0.1, power = -7 }" + end, "power belongs to an expression");
  expect(verlet, "step = { reversible = \"-r\", first = 0.1 }" + end, "it must be positive");
  expect("name = \"minimising-newmark\"\ngamma = 0.6", "step = { reversible = \"r\", eps = 0.1 }" + end,
         "minimising-newmark is not one unless");
}

TEST(FollowingSteps, end_where_a_look_is_due_to_the_bit) {
  const Folder here;
  const std::string circle = R"toml(
system = { coordinates = ["x", "y"], mass = 1, potential = "-1/sqrt(x^2 + y^2)" }
initial = { position = [1, 0], velocity = [0, 1] }
method = { name = "log-hamiltonian" }
run = { start = START, end = END, step = STEP, at = [START, END] }
)toml";
  for (const auto& [start, end, step] : {std::array{"0.1", "0.2", "0.025"},
                                         {"0.3", "0.7", "0.05"},
                                         {"0.1", "0.9", "0.0125"},
                                         {"0", "0.1", "0.0015625"},
                                         {"0", "0.9", "0.3"}}) {
    std::string text = circle;
    for (const auto& [name, value] : {std::pair{"START", start}, {"END", end}, {"STEP", step}})
      for (std::size_t at; (at = text.find(name)) != std::string::npos;) text.replace(at, std::string(name).size(), value);
    const auto run = run_of(here, text, fmt::format("-o '{}'", (here / "c.csv").string()));
    ASSERT_EQ(run.code, 0) << run.err << text;
    const std::string rows = test::read(here / "c.csv");
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 3) << rows;
  }
}

TEST(FollowingSteps, of_equations_take_no_sigma_of_an_energy) {
  const Folder here;
  const auto equations = [&](const std::string& method, const std::string& step) {
    return run_of(here, fmt::format(R"toml(
system = {{ coordinates = ["x"], equations = {{ x = "x'' + x" }} }}
initial = {{ position = [1], velocity = [0] }}
method = {{ name = "newmark"{} }}
run = {{ step = {}, end = 1 }}
)toml",
                                    method, step));
  };
  for (const char* sigma : {"energy", "force"}) {
    const auto r = equations("", fmt::format("{{ reversible = \"{}\", eps = 0.1 }}", sigma));
    EXPECT_EQ(r.code, 2);
    EXPECT_TRUE(test::contains(r.err, "need a Lagrangian of the form")) << r.err;
  }
  const auto lossy = equations(", gamma = 0.6", "{ reversible = \"1 + x^2\", eps = 0.1 }");
  EXPECT_TRUE(test::contains(lossy.err, "newmark is not one unless")) << lossy.err;
}

TEST(FollowingSteps, take_no_sigma_of_an_energy_that_depends_on_the_time) {
  const Folder here;
  const auto r = run_of(here, R"toml(
system = { coordinates = ["x"], mass = 1, potential = "-(1 + t)/(1 + x^2)" }
initial = { position = [1], velocity = [0] }
method = { name = "verlet" }
run = { step = { reversible = "energy", eps = 0.1 }, end = 1 }
)toml");
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(test::contains(r.err, "something depends on the time")) << r.err;
}

// A sigma that does not turn with the system: no momentum is claimed, and none found broken.
TEST(FollowingSteps, claim_the_momenta_of_symmetries_that_sigma_has) {
  const Folder here;
  const std::string symmetry = "[[symmetry]]\nname = \"turn\"\ngenerator = [\"-y\", \"x\"]\n";
  const std::string gauss = "name = \"gauss\"\nstages = 2";
  const auto uneven = run_of(here, orbit(gauss, "step = { poincare = \"0.1 + x^2 + 1.3*y^2\", eps = 0.05 }\nend = 20", symmetry));
  EXPECT_EQ(uneven.code, 0) << uneven.err;
  EXPECT_TRUE(test::contains(uneven.out, "neither claimed nor conserved: turn")) << uneven.out;
  const auto round = run_of(here, orbit(gauss, "step = { poincare = \"r\", eps = 0.05 }\nend = 20", symmetry));
  EXPECT_EQ(round.code, 0) << round.err;
  EXPECT_TRUE(test::contains(round.out, "kept: the symplectic form, turn")) << round.out;
}

// L has a part that is odd in the velocities, so that the motion is none backwards, and its energy drifts.
TEST(FollowingSteps, claim_no_energy_where_the_motion_is_not_reversible) {
  const Folder here;
  const auto r = run_of(here, R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) + 0.3*x*y*y' - 0.5*(x^2 + 2*y^2)"
[initial]
position = [1, 0.5]
velocity = [0, 0.7]
[method]
name = "midpoint"
[run]
step = { reversible = "1/(1 + x^2)", eps = 0.05 }
end = 50
)toml");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(test::contains(r.out, "kept: reversibility")) << r.out;
  EXPECT_FALSE(test::contains(r.out, "energy near its start")) << r.out;
}

TEST(FollowingSteps, through_a_sigma_of_zero_are_not_certified) {
  const Folder here;
  const auto r = run_of(here, orbit("name = \"gauss\"", "step = { poincare = \"x\", eps = 0.05 }\nend = 10"));
  EXPECT_FALSE(test::contains(r.out, "verdict         kept")) << r.out;
}

TEST(FollowingSteps, have_the_multipliers_of_their_own_size) {
  const Folder here;
  const std::string text = R"toml(
[system]
coordinates = ["x", "y"]
mass = 1
potential = "9.81*y"
[[system.constraint]]
expression = "x^2 + y^2 - 1"
[initial]
position = [1, 0]
[method]
name = "rattle"
[run]
end = 1
)toml";
  const auto last = [&](const std::string& step) {
    const auto r = run_of(here, text + "step = " + step, fmt::format("-o '{}'", (here / "c.csv").string()));
    EXPECT_EQ(r.code, 0) << r.err;
    return test::read(here / "c.csv");
  };
  // lambda = 3/2 g y, with the sign of the constraint's gradient
  const std::string rows = last("{ reversible = \"(1.02 + y)^2\", eps = 0.02 }");
  std::istringstream lines(rows);
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> names;
  for (std::istringstream cells(line); std::getline(cells, line, ',');) names.push_back(line);
  const auto column = [&](std::string_view word) {
    return static_cast<std::size_t>(
        std::find_if(names.begin(), names.end(), [&](const std::string& name) { return name.starts_with(word); }) -
        names.begin());
  };
  const std::size_t y = column("y"), lambda = column("lambda");
  ASSERT_LT(lambda, names.size()) << rows.substr(0, 200);
  double most = 0;
  while (std::getline(lines, line)) {
    std::vector<double> numbers;
    for (std::istringstream cells(line); std::getline(cells, line, ',');) numbers.push_back(std::stod(line));
    most = std::max(most, std::abs(std::abs(numbers[lambda]) - 1.5 * 9.81 * std::abs(numbers[y])));
  }
  EXPECT_LT(most, 0.05);
}

// Where the potential ends. Batches of other sizes fail at the same state.
TEST(FollowingSteps, that_fail_show_the_last_state_of_the_run) {
  const Folder here;
  std::string last[2];
  for (const bool one_by_one : {true, false}) {
    const auto r = run_of(here, R"toml(
system = { coordinates = ["x", "y", "z"], mass = 1, potential = "-1/sqrt(x^2 + y^2) - 1e-9*sqrt(2 - z)" }
initial = { position = [0.4, 0, 0], velocity = [0, 2, 0.1] }
method = { name = "verlet" }
run = { step = { reversible = "(x^2 + y^2)^0.75", eps = 0.1 }, end = 100 }
)toml",
                          fmt::format("run.every={} -o '{}'", one_by_one ? 1 : 100000, (here / "c.csv").string()));
    EXPECT_EQ(r.code, 1);
    const std::string rows = test::read(here / "c.csv");
    last[one_by_one] = rows.substr(rows.rfind('\n', rows.size() - 2));
  }
  EXPECT_EQ(last[0], last[1]);
}

TEST(FollowingSteps, that_sigma_cannot_guide_say_so) {
  const Folder here;
  const auto r = run_of(here, R"toml(
system = { coordinates = ["x"], mass = 1, potential = "0.5*x^2 + 0.1*x^4" }
initial = { position = [1], velocity = [0] }
method = { name = "verlet" }
run = { step = { reversible = "force", eps = 0.02 }, end = 10 }
)toml");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(test::contains(r.err, "sigma changes by") || test::contains(r.err, "times what sigma says")) << r.err;
  EXPECT_TRUE(test::contains(r.err, "halve run.step.eps")) << r.err;
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
