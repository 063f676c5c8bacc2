#include <cmath>
#include <io/wrong.hpp>
#include <laws/methods.hpp>
#include <vector>

#include <actio/expr/kernel.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/integrate.hpp>

// [system.drag]: F = -c |v - w(t, q)| (v - w(t, q)).
namespace actio {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using io::test::expect_errors;
using io::test::with;

constexpr double m = 2, g = 9.81, c = 0.3;
const double terminal = std::sqrt(m * g / c);

// A stone that falls from rest: v = -u tanh(g t/u), z = -u^2/g log cosh(g t/u), u^2 = m g/c.
const char* const stone = R"toml([system]
coordinates = ["z"]
parameters = { m = 2.0, g = 9.81, c = 0.3 }
mass = "m"
potential = "m*g*z"
[system.drag]
points = [["z"]]
coefficient = "c"
[initial]
position = [0]
[method]
name = "newmark"
[run]
step = 0.01
end = 2
)toml";
double height(double t) { return -terminal * terminal / g * std::log(std::cosh(g * t / terminal)); }
double speed(double t) { return -terminal * std::tanh(g * t / terminal); }

method::Snapshot after(const io::Problem& problem, const method::Spec& spec, double h, long steps) {
  const auto integrator = method::make_integrator(problem.model, spec);
  integrator->start(0, problem.q0, problem.v0);
  const auto report = integrator->advance(steps, h);
  EXPECT_TRUE(report.ok) << spec.name() << ": " << report.what;
  method::Snapshot out;
  integrator->snapshot(out);
  return out;
}
io::Problem load(const std::string& text) { return io::load_text(text, "drag.toml"); }

// Every method that takes the force, as the catalogue has it.
std::vector<method::Spec> methods(const system::Model& model) {
  auto out = laws::and_all_that([](const method::Traits& traits) { return traits.velocity_forces; });
  std::erase_if(out, [&](const method::Spec& spec) { return !method::why_incompatible(model, spec).empty(); });
  return out;
}

// Of a run with its ledger.
invariant::Certificate certify_with_ledger(const io::Problem& problem) {
  const auto integrator = method::make_integrator(problem.model, problem.method);
  run::Task task{"", problem.method, problem.q0, problem.v0, problem.schedule, problem.bounds, run::is_autonomous(problem.model)};
  invariant::MomentumMap momentum(problem.model);
  return run::integrate(*integrator, momentum, task);
}

TEST(Drag, a_falling_stone_reaches_its_terminal_velocity_by_every_method) {
  const io::Problem problem = load(stone);
  const auto all = methods(problem.model);
  EXPECT_GE(all.size(), 8U);
  const double h = 0.125 * terminal / g;
  for (const method::Spec& spec : all) {
    // a fixed point of every method that solves its steps, CVODE keeps its tolerance
    const double allowed = spec.name().starts_with("cvode") ? 1e-8 : 1e-12;
    EXPECT_NEAR(after(problem, spec, h, 400).v[0], -terminal, allowed * terminal) << spec.name();
  }
}

TEST(Drag, a_falling_stone_is_where_the_solution_has_it_to_the_order_of_the_method) {
  const io::Problem problem = load(stone);
  const double end = 2;
  for (const method::Spec& spec : methods(problem.model)) {
    const int order = spec.order(false);
    if (order == 0) continue;  // adaptive
    std::vector<double> error;
    for (const long steps : {64, 128}) {
      const method::Snapshot s = after(problem, spec, end / static_cast<double>(steps), steps);
      error.push_back(std::hypot(s.q[0] - height(end), s.v[0] - speed(end)));
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), order, 0.2) << spec.name();
  }
}

TEST(Drag, takes_the_energy_that_the_ledger_says) {
  const double end = 2;
  const double change = 0.5 * m * speed(end) * speed(end) + m * g * height(end);  // E(2) - E(0)
  double last = 0;
  for (const char* step : {"0.02", "0.01"}) {
    const auto certificate = certify_with_ledger(load(with(stone, "step = 0.01", std::string("step = ") + step)));
    EXPECT_NE(certificate.verdict, invariant::Certificate::Verdict::failed) << invariant::text(certificate);
    ASSERT_TRUE(certificate.ledger);
    const auto& ledger = *certificate.ledger;
    EXPECT_LT(ledger.external, 0);
    EXPECT_NEAR(ledger.external, change, 1e-3 * std::abs(change));
    EXPECT_EQ(ledger.dissipated, 0);
    const double error = std::abs(ledger.external - change);
    if (last > 0) { EXPECT_NEAR(std::log2(last / error), 2, 0.2); }
    last = error;
  }
  // Of a method that loses none, the ledger closes to round-off.
  const auto certificate = certify_with_ledger(load(with(stone, "\"newmark\"", "\"energy-momentum\"")));
  EXPECT_NE(certificate.verdict, invariant::Certificate::Verdict::failed) << invariant::text(certificate);
  ASSERT_TRUE(certificate.ledger);
  EXPECT_LT(certificate.ledger->worst_method, 1e-10 * std::abs(change));
  EXPECT_LT(certificate.ledger->external, 0);
}

TEST(Drag, acts_along_one_two_or_three_axes_and_from_rest) {
  const double z = after(load(stone), {method::Newmark{}, false, {}}, 0.01, 100).q[0];
  for (const char* names : {R"("z", "x")", R"("y", "z")", R"("x", "y", "z")"}) {
    const std::string text = with(with(stone, R"(coordinates = ["z"])", R"(coordinates = ["x", "y", "z"])"), R"(["z"])",
                                  std::string("[") + names + "]");
    const method::Snapshot s =
        after(load(with(text, "position = [0]", "position = [0, 0, 0]")), {method::Newmark{}, false, {}}, 0.01, 100);
    EXPECT_NEAR(s.q[2], z, 1e-13) << names;
    EXPECT_EQ(s.q[0], 0);
    EXPECT_EQ(s.q[1], 0);
  }
  // and nothing moves where nothing pushes
  const std::string still = with(stone, "potential = \"m*g*z\"\n", "");
  EXPECT_EQ(after(load(still), {method::Midpoint{}, false, {}}, 0.1, 10).q[0], 0);
}

// Three points on springs, in a wind that depends on the place and on the time.
const char* const kites = R"toml([system]
coordinates = ["x[3]", "y[3]", "z[3]"]
parameters = { A = 0.4 }
tables = { c = [0.2, 0.3, 0.5], m = [1.0, 1.5, 2.5] }
mass = { x = "m[i]", y = "m[i]", z = "m[i]" }
[[system.term]]
over = "k = 0..1"
potential = "2*(sqrt((x[k+1] - x[k])^2 + (y[k+1] - y[k])^2 + (z[k+1] - z[k])^2) - 1)^2"
[[system.drag]]
name = "kite"
points = [["x", "y", "z"]]
coefficient = "c[i]"
wind = ["3 + A*sin(t) + 0.1*z[i]", "0.2*y[(i + 1) % 3]*i", -0.5]
[initial.position]
x = "i"
y = "0.1*i^2"
z = "sin(i)"
[initial.velocity]
x = 0.3
y = "-0.2*i"
z = "cos(i)"
[method]
name = "newmark"
[run]
step = 0.01
steps = 100
)toml";

Eigen::Vector3d wind(double t, const VectorXd& q, long i) {
  return {3 + 0.4 * std::sin(t) + 0.1 * q[6 + i], 0.2 * q[3 + (i + 1) % 3] * static_cast<double>(i), -0.5};
}
const Vector3d coefficients(0.2, 0.3, 0.5), masses(1, 1.5, 2.5);

// Newmark's v1 = v0 + h/2 (a0 + a1), and springs between points give no momentum to all of them: M (v1 - v0) is the drag's.
TEST(Drag, balances_the_momentum_of_points_on_springs) {
  const io::Problem problem = load(kites);
  for (const auto space : {method::BuildOptions::Space::automatic, method::BuildOptions::Space::sparse}) {
    method::BuildOptions options;
    options.space = space;
    const auto integrator = method::make_integrator(problem.model, {method::Newmark{}, false, {}}, options);
    integrator->start(0, problem.q0, problem.v0);
    const double h = 0.01;
    method::Snapshot s;
    Vector3d impulse = Vector3d::Zero();
    const auto momentum = [&] {
      Vector3d out;
      for (long j = 0; j < 3; ++j) out[j] = masses.dot(s.v.segment<3>(3 * j));
      return out;
    };
    const auto add = [&](double weight) {
      for (long i = 0; i < 3; ++i) {
        const Vector3d u = Vector3d(s.v[i], s.v[3 + i], s.v[6 + i]) - wind(s.t, s.q, i);
        impulse -= weight * coefficients[i] * u.norm() * u;
      }
    };
    integrator->snapshot(s);
    const Vector3d before = momentum();
    for (int k = 0; k < 100; ++k) {
      add(h / 2);
      ASSERT_TRUE(integrator->advance(1, h).ok);
      integrator->snapshot(s);
      add(h / 2);
    }
    EXPECT_LT((momentum() - before - impulse).norm(), 1e-11 * impulse.norm());
    EXPECT_GT(impulse.norm(), 1);
  }
}

// In a frame that moves at U the wind is w - U, the velocity v - U, the place r - U t.
TEST(Drag, is_the_same_in_every_inertial_frame) {
  const Vector3d U(2.5, -1.5, 0.75);
  const std::string varying = R"-(["3 + A*sin(t) + 0.1*z[i]", "0.2*y[(i + 1) % 3]*i", -0.5])-";
  // quadratic springs: a discrete gradient of others depends on the frame
  const std::string linear = with(kites, "2*(sqrt((x[k+1] - x[k])^2 + (y[k+1] - y[k])^2 + (z[k+1] - z[k])^2) - 1)^2",
                                  "2*((x[k+1] - x[k])^2 + (y[k+1] - y[k])^2 + (z[k+1] - z[k])^2)");
  const std::string still = with(linear, varying, R"-(["3 + A*sin(t)", "0.1*t", -0.5])-");
  const std::string moving = with(linear, varying, R"-(["0.5 + A*sin(t)", "0.1*t + 1.5", -1.25])-");
  const io::Problem a = load(still);
  io::Problem b = load(moving);
  for (long j = 0; j < 3; ++j) b.v0.segment<3>(3 * j).array() -= U[j];
  for (const method::Spec& spec : methods(a.model)) {
    if (spec.order(false) == 0) continue;  // steps chosen by errors relative to positions
    const method::Snapshot s = after(a, spec, 0.02, 100);
    VectorXd q = after(b, spec, 0.02, 100).q;
    for (long j = 0; j < 3; ++j) q.segment<3>(3 * j).array() += 2 * U[j];
    EXPECT_LT((q - s.q).norm(), 1e-10 * s.q.norm()) << spec.name();
  }
}

TEST(Drag, acts_on_the_centre_of_a_body) {
  const io::Problem problem = load(R"toml([system]
parameters = { c = 0.3 }
potential = "2*9.81*rock.z"
bodies = [{ name = "rock", mass = 2, inertia = [1, 1, 1] }]
[system.drag]
points = [["rock.x", "rock.y", "rock.z"]]
coefficient = "c"
[method]
name = "variational"
[run]
step = 0.1
steps = 400
)toml");
  EXPECT_NEAR(after(problem, problem.method, 0.1, 400).v[11], -terminal, 1e-10 * terminal);
}

TEST(Drag, of_coefficient_zero_is_no_force) { EXPECT_TRUE(load(with(stone, "c = 0.3", "c = 0")).model.forces.empty()); }

TEST(WrongDrag, is_refused_with_the_place) {
  const auto drag = [](const std::string& lines) { return "[[system.drag]]\n" + lines + "\n[initial]"; };
  const std::string good = "points = [[\"y\"]]\ncoefficient = 1\n";
  expect_errors(
      io::test::chain,
      {
          {"[initial]", drag("points = [[\"y\"]]"), "9:1", "system.drag[0].coefficient is missing", "[[system.drag]]"},
          {"[initial]", drag("coefficient = 1"), "9:1", "system.drag[0].points is missing", "[[system.drag]]"},
          {"[initial]", drag(good + "wnd = [1]"), "12:1", "unknown key \"wnd\" in [system.drag[0]]", "wnd",
           "did you mean \"wind\"?"},
          {"[[system.term]]", "drga = {}\n[[system.term]]", "6:1", "unknown key \"drga\" in [system]", "drga",
           "did you mean \"drag\"?"},
          {"[[system.term]]", "drag = 1\n[[system.term]]", "6:8", "system.drag must be a list of tables", "1"},
          {"[initial]", drag("points = \"y\"\ncoefficient = 1"), "10:10", "system.drag[0].points must be a list, not a string",
           "\"y\""},
          {"[initial]", drag("points = []\ncoefficient = 1"), "10:10", "system.drag[0].points names no point", "[]"},
          {"[initial]", drag("points = [\"y\"]\ncoefficient = 1"), "10:11",
           "system.drag[0].points[0] must be one to three coordinates, along the axes of space, not a string", "\"y\"",
           "for example points = [[\"x\", \"y\", \"z\"]]"},
          {"[initial]", drag("points = [[\"y\", \"theta[0]\", \"theta[1]\", \"theta[2]\"]]\ncoefficient = 1"), "10:11",
           "system.drag[0].points[0] must be one to three coordinates, along the axes of space, not 4", ""},
          {"[initial]", drag("points = [[\"thta\"]]\ncoefficient = 1"), "10:12",
           "system.drag[0].points[0]: \"thta\" is not a coordinate", "\"thta\"", "did you mean \"theta\"?"},
          {"[initial]", drag("points = [[\"theta\", \"y\"]]\ncoefficient = 1"), "10:21", "theta has 5 entries, and y has 1",
           "\"y\""},
          {"[initial]", drag("points = [[\"y\", \"y\"]]\ncoefficient = 1"), "10:17", "system.drag[0].points[0] names y twice",
           "\"y\"", "the coordinates of a point are along different axes"},
          {"[initial]", drag("points = [[\"y\"]]\ncoefficient = -1"), "11:15",
           "system.drag[0].coefficient is -1; it must not be negative", "-1"},
          {"[initial]", drag("points = [[\"theta\"]]\ncoefficient = [1, 2]"), "11:15",
           "system.drag[0].coefficient has 2 entries, system.drag[0].points[0] names 5 points", "[1, 2]"},
          {"[initial]", drag("points = [[\"y\"]]\ncoefficient = \"y\""), "11:16", "y is a coordinate, not allowed", "y"},
          {"[initial]", drag(good + "wind = 1"), "12:8", "system.drag[0].wind must be a list of numbers or expressions", "1"},
          {"[initial]", drag(good + "wind = [1, 0]"), "12:8",
           "system.drag[0].wind has 2 entries, system.drag[0].points[0] has 1 coordinate", "[1, 0]"},
          {"[initial]", drag(good + "wind = [true]"), "12:9",
           "system.drag[0].wind[0] must be an expression or a number, not a boolean", "true"},
          {"[initial]", drag(good + "wind = [\"y'\"]"), "12:10", "y' is a velocity, not allowed in system.drag[0].wind[0]", "y'",
           "the wind depends on positions and t"},
          {"[initial]", drag(good + "wind = [\"sn(t)\"]"), "12:10", "unknown function \"sn\"", ""},
          {"[initial]", drag("points = [[\"theta\"]]\ncoefficient = 1\nwind = [\"theta[i+1]\"]"), "12:10",
           "theta[i+1] is theta[5] at i = 4", "theta[i+1]"},
      });
  const std::string equations =
      "[system]\ncoordinates = [\"x\"]\nequations = { x = \"x'' + x\" }\n[system.drag]\n"
      "points = [[\"x\"]]\ncoefficient = 1\n[initial]\nposition = [1]\n[method]\nname = \"newmark\"\n"
      "[run]\nstep = 0.1\nsteps = 1\n";
  EXPECT_NE(io::test::error_of(equations).find("system.drag cannot stand beside system.equations"), std::string::npos);
  // a method without velocities names what takes it
  EXPECT_NE(io::test::error_of(with(stone, "\"newmark\"", "\"verlet\"")).find("takes no forces that depend on velocities"),
            std::string::npos);
}

}  // namespace
}  // namespace actio
