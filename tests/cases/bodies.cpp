#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <actio/invariant/certificate.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/integrate.hpp>
#include <actio/system/bodies.hpp>

// Rigid bodies of problem files move as rigid bodies do.
namespace actio {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;

method::Snapshot end_of(const io::Problem& problem) {
  const auto integrator = method::make_integrator(problem.model, problem.method);
  integrator->start(problem.schedule.start, problem.q0, problem.v0);
  const auto report = integrator->advance(problem.schedule.steps, problem.schedule.step[0]);
  EXPECT_TRUE(report.ok) << report.what;
  method::Snapshot end;
  integrator->snapshot(end);
  return end;
}

invariant::Certificate certify(const io::Problem& problem, bool measure_step = true) {
  const auto integrator = method::make_integrator(problem.model, problem.method);
  invariant::MomentumMap momentum(problem.model);
  run::Task task{problem.model.title, problem.method, problem.q0, problem.v0, problem.schedule, {}, true};
  task.constraints = invariant::ConstraintMap(problem.model);
  run::Options options;
  options.level = measure_step ? invariant::Level::full : invariant::Level::off;
  return run::integrate(*integrator, momentum, task, options);
}

// A heavy top at the tilt theta that precesses steadily about the vertical at the rate W, the smaller root of
//   (I1 + m L^2) W^2 cos(theta) - I3 w3 W + m g L = 0, m = g = L = 1, I1 = 1, I3 = 1/2, w3 = 6.
struct Precession {
  double theta = 0.4, rate = 0;
  io::Problem problem;
  explicit Precession(const std::string& method, double h, long steps) {
    const double c = std::cos(theta), s = std::sin(theta);
    rate = (3 - std::sqrt(9 - 8 * c)) / (4 * c);
    const Vector3d axis(s, 0, c), w = rate * Vector3d::UnitZ() + (6 - rate * c) * axis, v = w.cross(axis);
    const auto list = [](const Vector3d& x) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x[0], x[1], x[2]); };
    problem = io::load_text(
        "[system]\nbodies = [{ name = \"top\", mass = 1, inertia = [1, 1, 0.5] }]\npotential = \"top.z\"\n"
        "[[system.joint]]\ntype = \"spherical\"\nbetween = [\"top.point(0, 0, -1)\", \"ground.point(0, 0, 0)\"]\n"
        "[initial.bodies.top]\norientation = { axis = [0, 1, 0], angle = 0.4 }\nposition = " +
            list(axis) + "\nangular_velocity = { space = " + list(w) + " }\nvelocity = " + list(v) + "\n[method]\nname = \"" +
            method + fmt::format("\"\n[run]\nstep = {}\nsteps = {}\n", h, steps),
        "precession.toml");
  }
  // How far the axis is from where it should be at the end.
  double error() const {
    const method::Snapshot end = end_of(problem);
    const double turned = rate * end.t;
    const Vector3d axis(std::sin(theta) * std::cos(turned), std::sin(theta) * std::sin(turned), std::cos(theta));
    return (system::rotation_of(problem.model.bodies[0], end.q).col(2) - axis).norm();
  }
};

TEST(HeavyTop, precesses_steadily_to_second_order) {
  for (const std::string method : {"rattle", "midpoint"}) {
    const double coarse = Precession(method, 0.02, 100).error(), fine = Precession(method, 0.01, 200).error();
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2) << method << ": " << coarse << ", " << fine;
    EXPECT_LT(fine, 0.02) << method;  // 1/24 h^2 w^3 t with w = 6: a bound of its size
  }
}

TEST(HeavyTop, of_the_examples_keeps_its_three_integrals) {
  const io::Problem problem = io::load("examples/heavy-top.toml");
  const invariant::Certificate c = certify(problem);
  EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::kept) << invariant::text(c);
  ASSERT_EQ(c.momentum.size(), 2U);
  const double I3 = 0.0008, spin = 200, tilt = 0.3;
  EXPECT_NEAR(c.momentum[0].initial, I3 * spin * std::cos(tilt), 1e-15);  // it starts with no precession
  EXPECT_NEAR(c.momentum[1].initial, I3 * spin, 1e-15);
  for (const auto& momentum : c.momentum) EXPECT_LE(momentum.max_error, momentum.bound);
  EXPECT_LT(c.energy.max_error, 1e-3 * c.energy.initial);  // (h w)^2 / 24 with w = 200
  ASSERT_TRUE(c.rotations.has_value());
  EXPECT_EQ(c.rotations->bodies, 1);
  EXPECT_LE(c.rotations->orthogonality, 1e-13);  // Newton to round-off each step
  EXPECT_LE(c.rotations->determinant, 1e-13);
  EXPECT_NE(invariant::text(c).find("1 body: |R'R - 1| at most"), std::string::npos);
  EXPECT_NE(invariant::json(c).find("\"rotations\":{\"bodies\":1"), std::string::npos);
}

// |R'R - 1|^2 does not know the axes of the body, so a penalty on it takes nothing from the spin of a symmetric top.
TEST(HeavyTop, kept_together_by_a_penalty_keeps_its_momenta) {
  const io::Problem problem =
      io::load("examples/heavy-top.toml",
               {{"system.constraint_method=penalty", "system.omega=300", "run.step=1e-4", "run.end=0.2"}, "midpoint"});
  const invariant::Certificate c = certify(problem);
  EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::kept) << invariant::text(c);
  for (const auto& momentum : c.momentum) {
    EXPECT_TRUE(momentum.symmetry) << momentum.name;
    EXPECT_LE(momentum.max_error, momentum.bound) << momentum.name;
  }
  ASSERT_TRUE(c.rotations.has_value());
  EXPECT_GT(c.rotations->orthogonality, 1e-6);  // soft: it is stretched, and nothing is claimed of that
  EXPECT_TRUE(std::isnan(c.rotations->allowed));
}

// The same system with the entries of R and r as ordinary coordinates, and everything written by hand.
TEST(HeavyTop, is_the_constrained_system_written_by_hand) {
  const io::Problem body = io::load("examples/heavy-top.toml", {{"run.end=0.2"}, ""});
  std::string text =
      "[system]\ncoordinates = [\"R[9]\", \"r[3]\"]\nparameters = { L = 0.1 }\n"
      "mass = { R = [0.0004, 0.0004, 0.0016, 0.0004, 0.0004, 0.0016, 0.0004, 0.0004, 0.0016], r = 1 }\n"
      "potential = \"9.81*r[2]\"\nconstraints = [";
  for (int i = 0; i < 3; ++i) text += fmt::format("\"r[{}] - L*R[{}]\", ", i, 3 * i + 2);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      text += fmt::format("\"R[{}]*R[{}] + R[{}]*R[{}] + R[{}]*R[{}] - {}\", ", i, j, 3 + i, 3 + j, 6 + i, 6 + j, i == j ? 1 : 0);
  text += "]\n[initial]\nposition = { R = 0, r = 0 }\n[method]\nname = \"rattle\"\n[run]\nstep = 1e-3\nend = 0.2\n";
  io::Problem hand = io::load_text(text, "hand.toml");
  hand.q0 = body.q0;
  hand.v0 = body.v0;
  const VectorXd a = end_of(body).q, b = end_of(hand).q;
  EXPECT_GT((a - body.q0).norm(), 0.5);            // it has turned
  EXPECT_LT((a - b).norm(), 200 * 200 * 2.2e-16);  // round-off of 200 steps, each carried on by the rest
}

// A hundred links on spherical joints, held at one end, level, and turning about the vertical when they are let go.
TEST(Chain, of_a_hundred_links_is_a_few_lines) {
  const io::Problem problem = io::load_text(R"toml([system]
parameters = { N = 100, d = 0.1 }
bodies = [{ name = "link[N]", mass = 0.1, inertia = [1e-4, 1e-4, 1e-5] }]
[[system.term]]
over = "k = 0..N-1"
potential = "0.1*9.81*link[k].z"
[[system.joint]]
type = "spherical"
between = ["link[0].point(0, 0, d/2)", "ground.point(0, 0, 0)"]
[[system.joint]]
name = "pin"
type = "spherical"
over = "k = 0..N-2"
between = ["link[k].point(0, 0, -d/2)", "link[k+1].point(0, 0, d/2)"]
[[symmetry]]
name = "L"
rotation = [0, 0, 1]
[initial.bodies.link]
orientation = { axis = [0, 1, 0], angle = "-pi/2" }
position = ["d*(i + 0.5)", 0, 0]
angular_velocity = { space = [0, 0, 0.5] }
velocity = [0, "0.5*d*(i + 0.5)", 0]
[method]
name = "rattle"
[run]
step = 1e-3
steps = 50
)toml",
                                            "chain.toml");
  EXPECT_EQ(problem.model.constraint_count(), 900);
  const invariant::Certificate c = certify(problem, false);
  EXPECT_FALSE(c.failure.has_value()) << invariant::text(c);
  EXPECT_TRUE(c.broken.empty()) << invariant::text(c);
  double L = 0, fallen = 0;
  for (int k = 0; k < 100; ++k) L += 0.5 * (0.1 * std::pow(0.1 * (k + 0.5), 2) + 1e-4);
  for (const auto& body : problem.model.bodies) fallen -= c.last.q[body.position + 2] / 100;
  EXPECT_NEAR(c.momentum.at(0).initial, L, 1e-13 * L);
  EXPECT_LE(c.momentum[0].max_error, c.momentum[0].bound);
  EXPECT_NEAR(fallen, 0.5 * 9.81 * 0.05 * 0.05, 0.05 * 0.0123);  // only the first links know that they are held
  EXPECT_LT(c.energy.max_error, 1e-3 * c.energy.largest_kinetic);
  EXPECT_EQ(c.rotations->bodies, 100);
}

}  // namespace
}  // namespace actio
