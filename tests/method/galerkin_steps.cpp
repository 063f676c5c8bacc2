#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/method/galerkin_steps.hpp>
#include <actio/method/integrator.hpp>
#include <cmath>
#include <common.hpp>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../../src/expr/compiled_text.hpp"
#include "../../src/expr/emit.hpp"
#include "../../src/method/lanes/angles.hpp"

// Steps of Gauss' methods that are generated, beside those of the stepper.
namespace actio::method {
namespace {

using Eigen::VectorXd;

io::Problem of(const std::string& system, const std::string& position, const std::string& velocity, int stages = 2) {
  return io::load_text(fmt::format("[system]\n{}\n[initial]\nposition = [{}]\nvelocity = [{}]\n[method]\nname = \"gauss\"\n"
                                   "stages = {}\n[run]\nstep = 0.1\nsteps = 1\n",
                                   system, position, velocity, stages),
                       "gauss.toml");
}
io::Problem double_pendulum(int stages) {
  return of(R"toml(coordinates = ["u", "v"]
parameters = { g = 1.3 }
lagrangian = "u'^2 + v'^2/2 + u'*v'*cos(u - v) + 2*g*cos(u) + g*cos(v)")toml",
            "1, -0.5", "0.3, 0.7", stages);
}
io::Problem kepler(int stages) {
  return of(R"toml(coordinates = ["x", "y"]
mass = [1, 2]
parameters = { k = 1.1 }
potential = "-k/sqrt(x^2 + y^2)")toml",
            "1, 0", "0, 0.9", stages);
}
io::Problem driven(int stages) {
  return of(R"toml(coordinates = ["x"]
mass = 0.5
potential = "x^4/4"
force = { x = "0.3*sin(t)*x" })toml",
            "1", "0.2", stages);
}
io::Problem spinning(int stages) {  // L_v depends on q, and L_vv is not constant
  return of(R"toml(coordinates = ["a", "b", "c"]
mass = [1, 1, 1]
lagrangian = "0.5*sin(a)^2*b'^2 + 0.2*a'*c' + 0.3*b*c' - cos(a) - 0.5*c^2 - 0.1*b^4")toml",
            "0.8, 0.1, 0.2", "0.1, 1.2, -0.3", stages);
}
// The one in the middle does not move, and others feel it.
io::Problem fixed(int stages) {
  return of(R"toml(coordinates = ["a", "b", "c"]
fixed = [1]
lagrangian = "0.5*(1 + b^2)*a'^2 + 0.5*c'^2 + 0.2*a'*c'*cos(b) + 0.3*b'*a' - cos(a - b) - 0.5*(c - b)^2")toml",
            "0.8, 0.4, 0.2", "0.1, 0, -0.3", stages);
}
io::Problem fixed_of_a_potential(int stages) {
  return of(R"toml(coordinates = ["a", "b", "c"]
fixed = [0]
mass = [1, 2, 3]
potential = "(a - b)^4 + 0.5*(b - c)^2 + 0.1*a*c^3")toml",
            "0.8, 0.4, 0.2", "0, 0.1, -0.3", stages);
}

io::Problem of_steep_angles(int stages) {  // they turn too far for a series within a step's iteration
  return of(R"toml(coordinates = ["x", "y"]
mass = 1
potential = "0.0002*cos(300*x + 2*y) + 0.5*x^2 + sin(x)*y"
force = { y = "0.1*cos(40*t)" })toml",
            "1, 0.3", "0.5, -0.8", stages);
}

struct Ends {
  Snapshot made, stepped;
};
Ends ends(const io::Problem& problem, double h, long steps) {
  Ends out;
  for (const bool generated : {true, false}) {
    const auto integrator = make_integrator(problem.model, problem.method,
                                            {{}, generated ? BuildOptions::Space::automatic : BuildOptions::Space::dense});
    integrator->start(0.3, problem.q0, problem.v0);
    EXPECT_TRUE(integrator->advance(steps, h).ok);
    integrator->snapshot(generated ? out.made : out.stepped);
  }
  return out;
}

TEST(GalerkinSteps, are_those_of_the_stepper_but_for_rounding) {
  for (int stages = 1; stages <= 6; ++stages)
    for (const io::Problem& problem : {double_pendulum(stages), kepler(stages), driven(stages), spinning(stages), fixed(stages),
                                       fixed_of_a_potential(stages), of_steep_angles(stages)}) {
      ASSERT_TRUE(GalerkinSteps::make(problem.model, discrete::Galerkin::gauss(stages), {}));
      const Ends at = ends(problem, 0.1, 50);
      EXPECT_LT((at.made.q - at.stepped.q).norm(), 2e-13) << stages << " " << problem.model.size();
      EXPECT_LT((at.made.v - at.stepped.v).norm(), 2e-13) << stages;
      EXPECT_EQ(at.made.t, at.stepped.t);
      EXPECT_GT((at.made.q - problem.q0).norm(), 0.05);
    }
}

TEST(GalerkinSteps, go_back_and_take_steps_of_other_sizes) {
  for (const io::Problem& problem : {double_pendulum(4), kepler(3)}) {
    const auto integrator = make_integrator(problem.model, problem.method);
    integrator->start(0, problem.q0, problem.v0);
    for (const double h : {0.1, 0.05, 0.2, -0.2, -0.05, -0.1}) ASSERT_TRUE(integrator->advance(3, h).ok);
    Snapshot s;
    integrator->snapshot(s);
    EXPECT_LT((s.q - problem.q0).norm(), 1e-13);
    EXPECT_LT((s.v - problem.v0).norm(), 1e-13);
  }
}

TEST(GalerkinSteps, go_on_from_an_archive_to_the_bit) {
  const io::Problem problem = double_pendulum(5);
  const auto whole = make_integrator(problem.model, problem.method), rest = make_integrator(problem.model, problem.method);
  whole->start(0, problem.q0, problem.v0);
  ASSERT_TRUE(whole->advance(37, 0.1).ok);
  core::Archive out;
  whole->archive(out);
  core::Archive in(out.bytes());
  rest->archive(in);
  ASSERT_TRUE(whole->advance(20, 0.1).ok);
  ASSERT_TRUE(rest->advance(20, 0.1).ok);
  Snapshot a, b;
  whole->snapshot(a);
  rest->snapshot(b);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.p, b.p);
}

// The sums carry what rounding takes from them; without that the energy strays by 3e-14. Larger steps have errors of their own.
TEST(GalerkinSteps, leave_the_energy_within_round_off) {
  const io::Problem problem = double_pendulum(6);
  const auto integrator = make_integrator(problem.model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  const double E0 = integrator->energy();
  double worst = 0;
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(integrator->advance(1000, 0.03).ok);
    worst = std::max(worst, std::abs(integrator->energy() - E0));
  }
  EXPECT_LT(worst, 1e-14);
}

// At the farthest that a series is taken, to the rounding of the value it begins at and of itself.
TEST(GalerkinSteps, take_sines_near_known_ones_to_rounding) {
  expr::Graph graph;
  const expr::Id x = graph.column(0);
  const std::vector<expr::Id> outputs{graph.unary(expr::Op::sin, x), graph.unary(expr::Op::cos, x)};
  const expr::Program program = expr::lower(graph, outputs);
  const expr::LeafNames names{{"x"}, {}};
  const expr::Statements statements(program, names);
  const lanes::Angles angles(program, statements);
  ASSERT_FALSE(angles.empty());
  std::string text =
      expr::declarations(true, true) + "void near_angle(double from, double to, double *out) {\n" + angles.arrays(1);
  for (const bool near : {false, true}) {
    text += fmt::format("{{ const long l = 0; const double x = {};\n", near ? "to" : "from");
    for (expr::Id i = 0; i < static_cast<expr::Id>(program.code.size()); ++i)
      text += near ? angles.near(i) + angles.turn(i) : angles.exact(i) + angles.keep(i);
    if (near)
      text += fmt::format("out[0] = {}; out[1] = {}; out[2] = {};", statements.number(program.outputs[0]),
                          statements.number(program.outputs[1]), angles.moved());
    text += "}\n";
  }
  const expr::CompiledText code = expr::CompiledText::build(text + "}\n", {});
  const auto near_angle = reinterpret_cast<void (*)(double, double, double*)>(code.symbol("near_angle"));
  ASSERT_NE(near_angle, nullptr) << code.why_not();
  for (double from = -8; from < 8; from += 0.0371)
    for (const double turn : {-4e-5, 1e-9, 4e-5}) {
      const double to = from + turn;
      double out[3];
      near_angle(from, to, out);
      EXPECT_NEAR(out[0], std::sin(to), 1.5 * std::numeric_limits<double>::epsilon()) << from;
      EXPECT_NEAR(out[1], std::cos(to), 1.5 * std::numeric_limits<double>::epsilon()) << from;
      EXPECT_NEAR(out[2], turn * turn, 1e-6 * turn * turn + 1e-22);
    }
  EXPECT_GT(std::stod(lanes::Angles::nearest), 4e-5 * 4e-5);
}

// A step that is too long is left to the other iterations.
TEST(GalerkinSteps, leave_stiff_steps_to_matrices) {
  const io::Problem problem = of(R"toml(coordinates = ["x", "y"]
mass = 1
potential = "1e6*(x - y^2)^2 + y^2")toml",
                                 "1, 1", "0, 0.1", 3);
  const Ends at = ends(problem, 0.01, 200);
  EXPECT_LT((at.made.q - at.stepped.q).norm(), 1e-8);
}

TEST(GalerkinSteps, are_not_made_of_what_they_do_not_take) {
  const auto none = [](const std::string& system, const std::string& at) {
    const io::Problem problem = of(system, at, at);
    return !GalerkinSteps::make(problem.model, discrete::Galerkin::gauss(2), {}).has_value();
  };
  EXPECT_TRUE(none(R"toml(coordinates = ["x"]
mass = 1
potential = "x^2"
dissipation = "0.1*x'^2")toml",
                   "0"));
  EXPECT_TRUE(none(R"toml(coordinates = ["x"]
mass = 1
potential = "x^2"
force = { x = "-x'" })toml",
                   "0"));
  const io::Problem problem = kepler(2);
  EXPECT_FALSE(GalerkinSteps::make(problem.model, discrete::Galerkin::lobatto(2), {}).has_value());
  EXPECT_FALSE(GalerkinSteps::make(problem.model, discrete::Galerkin::gauss(2), test::interpreted).has_value());
}

}  // namespace
}  // namespace actio::method
