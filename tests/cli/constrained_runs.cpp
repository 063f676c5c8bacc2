#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <cli/program.hpp>
#include <run/json.hpp>

// Constrained runs from the problem file to the certificate.
namespace {

using test::Json;

using test::contains;

constexpr const char* double_pendulum = "examples/double-pendulum.toml";

// A bead on the circle x^2 + y^2 = 1, hanging.
std::string bead(const std::string& constraints, const std::string& position = "[0.6, -0.8]", const std::string& more = "") {
  return "[system]\ncoordinates = [\"x\", \"y\"]\nmass = 2.0\npotential = \"2*9.81*y\"\nconstraints = " + constraints + "\n" +
         more + "[initial]\nposition = " + position + "\n[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nend = 2\nevery = 10\n";
}
constexpr const char* circle = "[\"x^2 + y^2 - 1\"]";

std::vector<std::vector<double>> columns(const std::string& csv, std::vector<std::string>& names) {
  std::vector<std::vector<double>> out;
  std::size_t at = csv.find('\n'), from = 0;
  const std::string head = csv.substr(0, at);
  for (std::size_t end; from <= head.size(); from = end + 1) {
    end = std::min(head.find(',', from), head.size());
    names.push_back(head.substr(from, end - from));
  }
  out.resize(names.size());
  for (++at; at < csv.size();) {
    const std::size_t line = csv.find('\n', at);
    std::size_t column = 0;
    for (std::size_t k = at; k < line; ++column) {
      const std::size_t end = std::min(csv.find(',', k), line);
      EXPECT_LT(column, out.size()) << "more columns than names";
      if (column >= out.size()) return out;
      out[column].push_back(std::stod(csv.substr(k, end - k)));
      k = end + 1;
    }
    EXPECT_EQ(column, out.size());
    at = line + 1;
  }
  return out;
}

}  // namespace

TEST(ConstrainedRun, keeps_the_constraints_the_form_and_the_energy) {
  const test::Folder here;
  for (const char* method : {"method.name=rattle", "method.name=shake", "method.name=midpoint",
                             "method.name=variational method.alpha=0.25", "'method.compose={order=4,scheme=\"kahan-li\"}'"}) {
    const auto r = here.run(fmt::format("run {} {} run.end=10 --certificate full --json", double_pendulum, method));
    ASSERT_EQ(r.code, 0) << method << r.err;
    const Json c = Json::parse(r.out);
    EXPECT_EQ(c["verdict"].text(), "kept") << method;
    EXPECT_EQ(c["constraints"]["count"].number(), 2) << method;
    // some eps of the length of a rod, and of a velocity that is a difference of positions over h = 0.01
    EXPECT_LT(c["constraints"]["distance"].number(), 20 * 2.2e-16 * 2) << method;
    EXPECT_LT(c["constraints"]["speed"].number(), 20 * 2.2e-16 * 2) << method;
    EXPECT_LT(c["symplecticity"]["defect"].number(), 1e-10) << method;
    EXPECT_LT(c["reversibility"]["defect"].number(), 1e-13) << method;
    EXPECT_LT(c["energy"]["max_error"].number(), 1e-4) << method;
  }
}

TEST(ConstrainedRun, multipliers_are_the_forces_of_the_rods) {
  const test::Folder here;
  const auto r =
      here.run(fmt::format("run {} run.end=1 run.step=1e-3 run.every=10 -o {}", double_pendulum, (here / "rods.csv").string()));
  ASSERT_EQ(r.code, 0) << r.err;
  std::vector<std::string> names;
  const auto c = columns(test::read(here / "rods.csv"), names);
  ASSERT_EQ(names[names.size() - 2], "lambda(upper rod)");
  ASSERT_EQ(names.back(), "lambda(lower rod)");
  // At rest G M^-1 G' lambda = -G M^-1 f with G = [[0, -2, 0, 0], [-2, 2, 2, -2]], f = (0, -1, 0, -1):
  // [[4, -4], [-4, 16]] lambda = (-2, 0). Later the accelerations of the masses are their forces; the difference is O(h).
  EXPECT_NEAR(c[names.size() - 2].front(), -2.0 / 3, 1e-5);
  EXPECT_NEAR(c[names.size() - 1].front(), -1.0 / 6, 1e-5);
  // d/dt p = f + G' lambda, of the lower mass: its momentum over a tenth is the impulse, by Simpson's rule
  const std::size_t n = c[0].size() - 1 - (c[0].size() - 1) % 2;
  double impulse = 0;
  for (std::size_t k = 0; k <= n; ++k) {
    const double weight = k == 0 || k == n ? 1 : k % 2 ? 4 : 2;
    impulse += weight * 2 * (c[3][k] - c[1][k]) * c[names.size() - 1][k];  // 2 (x2 - x1) lambda
  }
  impulse *= 0.01 / 3;
  EXPECT_NEAR(impulse, c[11][n] - c[11][0], 1e-4);  // p(x2)
}

TEST(ConstrainedRun, refuses_a_start_off_the_constraints_and_projects_it_when_asked) {
  const test::Folder here;
  const auto file = here.write("off.toml", bead(circle, "[0.7, -0.8]"));
  const auto refused = here.run("run " + file);
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "not on the constraints")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "initial.project = true")) << refused.err;
  const auto projected = here.run("run " + file + " initial.project=true --json");
  ASSERT_EQ(projected.code, 0) << projected.err;
  // the nearest point of the circle, sqrt(.7^2 + .8^2) - 1 away
  EXPECT_NEAR(Json::parse(projected.out)["constraints"]["corrected_q"].number(), std::sqrt(1.13) - 1, 2e-3);
  // A penalty starts there too.
  const auto soft =
      here.run("run " + file + " initial.project=true --json system.constraint_method=penalty system.omega=20 run.steps=1");
  const Json answer = Json::parse(soft.out)["constraints"];
  EXPECT_NEAR(answer["corrected_q"].number(), std::sqrt(1.13) - 1, 2e-3) << soft.err;
  EXPECT_LT(answer["distance"].number(), 1e-3);
  const auto fast = here.write("fast.toml", bead(circle, "[0.6, -0.8]\nvelocity = [1.0, 0.0]"));
  const auto leaving = here.run("run " + fast);
  EXPECT_EQ(leaving.code, 2);
  EXPECT_TRUE(contains(leaving.err, "not tangent to the constraints")) << leaving.err;
  const auto along = here.run("run " + fast + " initial.project=true --json");
  ASSERT_EQ(along.code, 0) << along.err;
  EXPECT_NEAR(Json::parse(along.out)["constraints"]["corrected_v"].number(), 0.6, 1e-12);  // the normal part of (1, 0)
}

TEST(ConstrainedRun, says_that_constraints_contradict_one_another) {
  const test::Folder here;
  const auto file = here.write("never.toml", bead("[\"x^2 + y^2 - 1\", \"(x - 3)^2 + y^2 - 1\"]"));
  const auto r = here.run("run " + file + " initial.project=true");
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "no position near the start")) << r.err;
  EXPECT_TRUE(contains(r.err, "contradict")) << r.err;
}

TEST(ConstrainedRun, names_redundant_constraints_and_takes_them_in_the_least_squares_sense) {
  const test::Folder here;
  const std::string twice =
      "[{ name = \"circle\", expression = \"x^2 + y^2 - 1\" }, { name = \"again\", expression = \"2*x^2 + 2*y^2 - 2\" }]";
  const auto file = here.write("twice.toml", bead(twice));
  const auto r = here.run("run " + file);
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "\"circle\"") && contains(r.err, "\"again\"") && contains(r.err, "least-squares")) << r.err;
  const auto solved = here.run("run " + file + " system.redundant=least-squares --json");
  ASSERT_EQ(solved.code, 0) << solved.err << solved.out;
  const auto once = here.run("run " + here.write("once.toml", bead(circle)) + " --json");
  ASSERT_EQ(once.code, 0) << once.err;
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(Json::parse(solved.out)["final"]["q"][i].number(), Json::parse(once.out)["final"]["q"][i].number(), 1e-10);
}

TEST(ConstrainedRun, does_not_advise_what_the_file_says_already) {
  const test::Folder here;
  const std::string shrinking = "[\"x^2 + y^2 - (1 - t)\", \"2*x^2 + 2*y^2 - 2*(1 - t)\"]";
  const auto file = here.write("twice.toml", bead(shrinking));
  const auto r = here.run("run " + file + " system.redundant=least-squares initial.project=true run.end=2");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.err, "no positions on the constraints") && contains(r.err, "halve run.step")) << r.err;
  EXPECT_FALSE(contains(r.err, "least-squares")) << r.err;
}

// A circle that shrinks to a point at t = 1, and is none from then on.
TEST(ConstrainedRun, stops_where_no_point_satisfies_the_constraints) {
  const test::Folder here;
  const auto file = here.write("shrinking.toml", R"toml([system]
coordinates = ["x", "y"]
mass = 1.0
potential = "y"
constraints = ["x^2 + y^2 - (1 - t)"]
[initial]
position = [1.0, 0.0]
velocity = [-0.5, 0.0]
[method]
name = "rattle"
[run]
step = 0.15
steps = 20
)toml");
  const auto r = here.run("run " + file);
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.err, "no positions on the constraints")) << r.err;
}

// TO 4.1: at omega = 2000 the penalised pendulum is too stiff for h = 0.1.
TEST(ConstrainedRun, says_that_a_penalty_is_too_stiff) {
  const test::Folder here;
  for (const char* method : {"zhang-skeel", "zhang-skeel-simplified", "newmark", "midpoint", "verlet"}) {
    const auto r =
        here.run(fmt::format("run {} system.constraint_method=penalty system.omega=2000 method.name={} run.step=0.1 run.every=1",
                             double_pendulum, method));
    EXPECT_EQ(r.code, 1) << method << r.out;
    EXPECT_TRUE(contains(r.err, "step")) << method << r.err;
    EXPECT_FALSE(contains(r.out, "nan")) << method << r.out;
  }
}

// A bead on a circle whose centre is shaken: what the moving constraint does to the energy is in the ledger, and what is left is
// the method's, O(h^2).
TEST(ConstrainedRun, moving_constraints_do_work) {
  const test::Folder here;
  const std::string shaken = "[\"(x - 0.3*sin(3*t))^2 + y^2 - 1\"]";
  const auto file = here.write("shaken.toml", bead(shaken, "[0.6, -0.8]\nvelocity = [0.9, 0.0]\nproject = true"));
  double last = 0;
  for (const char* step : {"0.02", "0.01", "0.005"}) {
    const auto r = here.run(fmt::format("run {} run.step={} run.every=1 --json", file, step));
    ASSERT_EQ(r.code, 0) << r.err;
    const Json c = Json::parse(r.out);
    EXPECT_TRUE(c["constraints"]["moving"].boolean());
    EXPECT_GT(std::abs(c["ledger"]["constraints"].number()), 0.5);
    const double lost = c["ledger"]["worst_method"].number();
    EXPECT_LT(lost, 0.05);
    if (last > 0) { EXPECT_NEAR(std::log2(last / lost), 2, 0.3) << step; }
    last = lost;
  }
}

// A rotation about z keeps the sphere and the weight; a shift keeps only the weight, and of it nothing is claimed.
TEST(ConstrainedRun, keeps_the_momentum_of_symmetries_of_the_constraints_alone) {
  const test::Folder here;
  const auto file = here.write("sphere.toml", R"([system]
coordinates = ["x", "y", "z"]
mass = 1.0
potential = "9.81*z"
constraints = ["x^2 + y^2 + z^2 - 1"]
[[symmetry]]
name = "Lz"
generator = ["-y", "x", "0"]
[[symmetry]]
name = "Px"
generator = ["1", "0", "0"]
[initial]
position = [0.6, 0.0, -0.8]
velocity = [0.0, 1.5, 0.0]
[method]
name = "rattle"
[run]
step = 0.01
end = 20
)");
  for (const char* method : {"rattle", "shake", "midpoint"}) {
    const auto r = here.run(fmt::format("run {} method.name={} --json", file, method));
    ASSERT_EQ(r.code, 0) << r.err;
    const Json c = Json::parse(r.out);
    EXPECT_TRUE(c["momentum"]["Lz"]["claimed"].boolean()) << method;
    EXPECT_LT(c["momentum"]["Lz"]["max_error"].number(), 1e-12) << method;
    EXPECT_FALSE(c["momentum"]["Px"]["claimed"].boolean()) << method;
  }
}

// TO (8): the means of -omega^2 g over a window are the multipliers, up to O(omega^-2), the window and the step.
TEST(ConstrainedRun, a_penalty_shows_the_multipliers_by_means) {
  const test::Folder here;
  std::vector<std::string> names, soft_names;
  ASSERT_EQ(here.run(fmt::format("run {} run.end=4 run.every=1 -o {}", double_pendulum, (here / "hard.csv").string())).code, 0);
  const auto soft_run = here.run(fmt::format(
      "run {} run.end=4 run.every=1 run.step=0.001 system.constraint_method=penalty system.omega=100 method.name=verlet "
      "run.window=0.2 -o {}",
      double_pendulum, (here / "soft.csv").string()));
  ASSERT_EQ(soft_run.code, 0) << soft_run.err;
  const auto hard = columns(test::read(here / "hard.csv"), names), soft = columns(test::read(here / "soft.csv"), soft_names);
  ASSERT_EQ(names, soft_names);
  double worst = 0;
  for (std::size_t k = 20; k + 20 < hard[0].size(); k += 5) {
    const double t = hard[0][k] + 0.1;  // a window's mean belongs to its middle
    const auto row = static_cast<std::size_t>(std::lround(t / 0.001));
    worst = std::max(worst, std::abs(soft[names.size() - 2][row] - hard[names.size() - 2][k]));
  }
  // From rest on the rods -omega^2 g swings between 0 and 2 lambda, |lambda| < 0.8, at 2 omega at least: its mean over the window
  // is off by 2 lambda / (window 2 omega) at most; the window itself, by window^2/24 lambda'' with |lambda''| < 10.
  EXPECT_LT(worst, 2 * 0.8 / (0.2 * 2 * 100) + 0.2 * 0.2 / 24 * 10);
}

// Steps so long that the quick way to the multipliers gives up: what takes over must be what counts, on every space.
TEST(ConstrainedRun, takes_long_steps_alike_on_every_space) {
  const test::Folder here;
  const auto file = here.write("long.toml", R"([system]
coordinates = ["x", "y"]
mass = 1.0
potential = "y"
constraints = ["x^2 + y^2 - 1"]
[initial]
position = [0.6, -0.8]
velocity = [1.44, 1.08]
[method]
name = "rattle"
[run]
step = 0.5
end = 10
)");
  std::vector<double> x;
  for (const char* space : {"fixed", "dense", "sparse"}) {
    const auto r = here.run(fmt::format("run {} --space {} --json", file, space));
    ASSERT_EQ(r.code, 0) << space << r.err;
    const Json c = Json::parse(r.out);
    EXPECT_LT(c["constraints"]["distance"].number(), 1e-14) << space;
    x.push_back(c["final"]["q"][0].number());
  }
  EXPECT_NEAR(x[0], x[1], 1e-10);
  EXPECT_NEAR(x[0], x[2], 1e-10);
}

// Whether a constraint is written in metres or in nanometres, and beside what: it counts all the same.
TEST(ConstrainedRun, keeps_rows_of_any_size) {
  const test::Folder here;
  for (const char* scale : {"1e-7", "1", "1e7"})
    for (const char* space : {"fixed", "dense", "sparse"}) {
      const auto file = here.write("rows.toml", fmt::format(R"toml([system]
coordinates = ["x", "y", "u", "v"]
mass = 1.0
potential = "y + v"
constraints = ["x^2 + y^2 - 1", "{}*(u^2 + v^2 - 1)"]
[initial]
position = [0.6, -0.8, 0.8, -0.6]
[method]
name = "rattle"
[run]
step = 0.02
end = 2
)toml",
                                                            scale));
      const auto r = here.run(fmt::format("run {} --space {} --json", file, space));
      ASSERT_EQ(r.code, 0) << space << scale << r.err;
      EXPECT_LT(Json::parse(r.out)["constraints"]["distance"].number(), 1e-14) << space << scale;
    }
}
