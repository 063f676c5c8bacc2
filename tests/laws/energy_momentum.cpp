#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/system/discrete_gradient_model.hpp>
#include <algorithm>
#include <cmath>
#include <common.hpp>

#include "constrained.hpp"

// What a discrete gradient keeps, beside the laws of every method (laws.cpp, constrained.cpp).
namespace actio::laws {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using method::Integrator;
using method::Snapshot;

using actio::test::eps;

std::unique_ptr<Integrator> energy_momentum(const io::Problem& problem, bool equivariant = true,
                                            method::BuildOptions::Space space = method::BuildOptions::Space::automatic) {
  auto integrator = method::make_integrator(problem.model, {method::EnergyMomentum{equivariant}, false, {}}, {{}, space});
  integrator->start(0, problem.q0, problem.v0);
  return integrator;
}

// Two bobs of mass 1 in space, the upper one held to the origin and the lower one to it by these constraints.
io::Problem two_bobs(std::string_view potential, std::string_view upper, std::string_view lower) {
  return constrained_problem(fmt::format(R"toml(
[system]
coordinates = ["x1", "y1", "z1", "x2", "y2", "z2"]
mass = 1.0
potential = "{}"
constraints = ["{}", "{}"]
[[symmetry]]
name = "about the vertical"
generator = ["-y1", "x1", "0", "-y2", "x2", "0"]
[initial]
position = [0.6, 0, -0.8, 0.6, 0.6, -1.6]
velocity = [0, 0.8, 0, 0.5, 0.8, 0]
)toml",
                                         potential, upper, lower));
}
io::Problem on_lengths(std::string_view potential) {
  return two_bobs(potential, "sqrt(x1^2 + y1^2 + z1^2) - 1", "sqrt((x2 - x1)^2 + (y2 - y1)^2 + (z2 - z1)^2) - 1");
}

// Two rods in space, hanging; WM's second example.
const io::Problem& double_spherical_pendulum() {
  static const io::Problem problem = two_bobs("z1 + z2", "x1^2 + y1^2 + z1^2 - 1", "(x2 - x1)^2 + (y2 - y1)^2 + (z2 - z1)^2 - 1");
  return problem;
}

// The same with rods as distances and an elastic band to the lower bob: nothing quadratic is left.
const io::Problem& banded_pendulum() {
  static const io::Problem problem = on_lengths("z1 + z2 + 0.5*(sqrt(x2^2 + y2^2 + (z2 - 1)^2) - 1)^2");
  return problem;
}

// Three masses, two stiff springs, and an energy of the angle between them: no function of squares of distances of pairs alone.
const io::Problem& bent_molecule() {
  static const io::Problem problem = laws::problem(R"toml(
[system]
coordinates = ["x1", "y1", "z1", "x2", "y2", "z2", "x3", "y3", "z3"]
mass = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.5, 1.5, 1.5]
[[system.term]]
name = "angle"
potential = "3*(((x1 - x2)*(x3 - x2) + (y1 - y2)*(y3 - y2) + (z1 - z2)*(z3 - z2))/sqrt(((x1 - x2)^2 + (y1 - y2)^2 + (z1 - z2)^2)*((x3 - x2)^2 + (y3 - y2)^2 + (z3 - z2)^2)) + 0.3)^2"
[[system.term]]
name = "bonds"
potential = "5*(sqrt((x1 - x2)^2 + (y1 - y2)^2 + (z1 - z2)^2) - 1)^2 + 5*(sqrt((x3 - x2)^2 + (y3 - y2)^2 + (z3 - z2)^2) - 1)^2"
[[symmetry]]
name = "z"
generator = { x1 = "-y1", y1 = "x1", x2 = "-y2", y2 = "x2", x3 = "-y3", y3 = "x3" }
[[symmetry]]
name = "x"
generator = { y1 = "-z1", z1 = "y1", y2 = "-z2", z2 = "y2", y3 = "-z3", z3 = "y3" }
[[symmetry]]
name = "y"
generator = { z1 = "-x1", x1 = "z1", z2 = "-x2", x2 = "z2", z3 = "-x3", x3 = "z3" }
[[symmetry]]
name = "along x"
generator = { x1 = "1", x2 = "1", x3 = "1" }
[initial]
position = [1, 0, 0, 0, 0, 0.1, 0, 1.1, 0]
velocity = [0, 0.3, 0.5, 0.2, 0.1, 0, -0.6, 0, 0.3]
)toml");
  return problem;
}

Vector3d angular_momentum_of_points(const Snapshot& s) {
  Vector3d sum = Vector3d::Zero();
  for (long k = 0; k + 2 < s.q.size(); k += 3) sum += Vector3d(s.q.segment<3>(k)).cross(Vector3d(s.p.segment<3>(k)));
  return sum;
}

struct Worst {
  double energy = 0, angular = 0, linear = 0;
  long iterations = 0;
};
Worst follow(Integrator& integrator, long steps, double h) {
  Snapshot s;
  integrator.snapshot(s);
  const double E = integrator.energy(), P = s.p[0] + (s.p.size() > 3 ? s.p[3] : 0) + (s.p.size() > 6 ? s.p[6] : 0);
  const Vector3d L = angular_momentum_of_points(s);
  Worst worst;
  for (long k = 0; k < steps; ++k) {
    const auto report = integrator.advance(1, h);
    EXPECT_TRUE(report.ok) << "step " << k << ": " << report.what;
    if (!report.ok) break;
    worst.iterations += report.iterations;
    integrator.snapshot(s);
    worst.energy = std::max(worst.energy, std::abs(integrator.energy() - E));
    worst.angular = std::max(worst.angular, (angular_momentum_of_points(s) - L).norm());
    worst.linear = std::max(worst.linear, std::abs(s.p[0] + (s.p.size() > 3 ? s.p[3] : 0) + (s.p.size() > 6 ? s.p[6] : 0) - P));
  }
  return worst;
}

}  // namespace

// What is rounded a step, some 16 eps of the terms of E and J (3 at most), adds up as a square root.
constexpr int many = ACTIO_TEST_SHORT ? 2000 : 100000;
void expect_kept_for_1e5_steps(const io::Problem& problem) {
  const auto integrator = energy_momentum(problem);
  ASSERT_TRUE(integrator->keeps_momentum(0));
  Snapshot s;
  integrator->snapshot(s);
  const double E = integrator->energy(), J = angular_momentum_of_points(s).z();
  double energy = 0, momentum = 0;
  for (int k = 0; k < many; ++k) {
    ASSERT_TRUE(integrator->advance(1, 0.05).ok);
    integrator->snapshot(s);
    energy = std::max(energy, std::abs(integrator->energy() - E));
    momentum = std::max(momentum, std::abs(angular_momentum_of_points(s).z() - J));
  }
  EXPECT_LT(energy, 16 * eps * 3 * std::sqrt(many));
  EXPECT_LT(momentum, 16 * eps * 3 * std::sqrt(many));
}

TEST(EnergyMomentum, keeps_the_energy_of_a_double_spherical_pendulum_for_1e5_steps) {
  expect_kept_for_1e5_steps(double_spherical_pendulum());
}
TEST(EnergyMomentum, keeps_the_energy_of_a_pendulum_on_a_band_for_1e5_steps) { expect_kept_for_1e5_steps(banded_pendulum()); }

TEST(EnergyMomentum, keeps_momenta_of_terms_of_more_than_pairs) {
  const auto integrator = energy_momentum(bent_molecule());
  for (std::size_t k = 0; k < 4; ++k) EXPECT_TRUE(integrator->keeps_momentum(k));
  const Worst worst = follow(*integrator, many / 10, 0.1);
  EXPECT_LT(worst.energy, many * eps);
  EXPECT_LT(worst.angular, many * eps);
  EXPECT_LT(worst.linear, many * eps);
}

// Gonzalez's own keeps the energy alone, and does not say that it keeps more: (q1 - q0) . A (q0 + q1)/2 = q1 . A q0.
TEST(EnergyMomentum, loses_momenta_without_projections) {
  const auto integrator = energy_momentum(bent_molecule(), false);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_FALSE(integrator->keeps_momentum(k));
  const Worst worst = follow(*integrator, 1000, 0.1);
  EXPECT_LT(worst.energy, 1e3 * eps * 10);
  EXPECT_GT(worst.angular, 1e-4);
  EXPECT_GT(worst.linear, 1e-4);
}

// From a guess that is good to h^2, 1e-2 at a tenth of the fastest period, increments are 1e-4 and 1e-8, and the next below
// 1e-16: three iterations. With a tangent that leaves out how P turns it would be four.
TEST(EnergyMomentum, converges_quadratically) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of the other laws";
  for (const bool equivariant : {true, false}) {
    EXPECT_LE(follow(*energy_momentum(bent_molecule(), equivariant), 1000, 0.1).iterations, 3100);
    EXPECT_LE(follow(*energy_momentum(bent_molecule(), equivariant), 1000, 0.02).iterations, 2100);
  }
  EXPECT_LE(follow(*energy_momentum(double_spherical_pendulum()), 1000, 0.05).iterations, 3100);
}

// q1 = q0 at rest in equilibrium; next to nothing moves beside it; nothing moves for a moment where a motion turns, from rest.
TEST(EnergyMomentum, is_safe_where_nothing_moves) {
  io::Problem problem = bent_molecule();
  problem.v0.setZero();
  problem.q0 << 1, 0, 0, 0, 0, 0, -0.3, std::sqrt(1 - 0.09), 0;  // both bonds of length 1, cos = -0.3
  for (const bool equivariant : {true, false}) {
    const auto rest = energy_momentum(problem, equivariant);
    EXPECT_LT(follow(*rest, 100, 0.1).energy, 1e-14);
    Snapshot s;
    rest->snapshot(s);
    EXPECT_LT((s.q - problem.q0).norm(), 1e-12);
    for (const double speed : {1e-300, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3}) {
      io::Problem slow = problem;
      slow.v0 = speed * bent_molecule().v0;
      EXPECT_LT(follow(*energy_momentum(slow, equivariant), 300, 0.1).energy, 1e-13) << speed;
    }
    io::Problem swung = problem;
    swung.q0[0] = 1.2;
    EXPECT_LT(follow(*energy_momentum(swung, equivariant), 1000, 0.1).energy, 1e-12);
  }
}

// Where only a symmetry moves, d = P (q1 - q0) vanishes in every step: a circle, and a spring that turns without a change of
// length.
TEST(EnergyMomentum, follows_a_rigid_turn) {
  const io::Problem circle = laws::problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = 1.0
potential = "-1/sqrt(x^2 + y^2)"
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x"]
[initial]
position = [1, 0]
velocity = [0, 1]
)toml");
  const auto integrator = energy_momentum(circle);
  Snapshot s;
  const double E = integrator->energy();
  double energy = 0, radius = 0;
  for (int k = 0; k < 10000; ++k) {
    ASSERT_TRUE(integrator->advance(1, 0.1).ok) << k;
    integrator->snapshot(s);
    energy = std::max(energy, std::abs(integrator->energy() - E));
    radius = std::max(radius, std::abs(s.q.norm() - 1));
  }
  EXPECT_LT(energy, 1e4 * eps * 2);
  EXPECT_LT(radius, 0.1 * 0.1);  // its orbit is one of order 2 near it
}

// Constraints that are no polynomials have a correction too.
TEST(EnergyMomentum, walks_the_same_path_on_lengths_as_on_their_squares) {
  const io::Problem lengths = on_lengths("z1 + z2");
  const auto squares = energy_momentum(double_spherical_pendulum()), of_lengths = energy_momentum(lengths);
  EXPECT_TRUE(of_lengths->keeps_momentum(0));
  const double E = of_lengths->energy();
  Snapshot a, b;
  for (int k = 0; k < 200; ++k) {
    ASSERT_TRUE(squares->advance(1, 0.05).ok);
    ASSERT_TRUE(of_lengths->advance(1, 0.05).ok);
  }
  squares->snapshot(a);
  of_lengths->snapshot(b);
  EXPECT_NEAR(of_lengths->energy(), E, 200 * eps * 3);
  EXPECT_LT((a.q - b.q).norm(), 1e-11);
}

TEST(EnergyMomentum, walks_the_same_path_dense_and_sparse) {
  using Space = method::BuildOptions::Space;
  const io::Problem from_rest = io::load("examples/double-pendulum.toml");  // without multipliers K is diagonal
  for (const io::Problem* problem : {&bent_molecule(), &double_spherical_pendulum(), &from_rest}) {
    const auto dense = energy_momentum(*problem, true, Space::dense), sparse = energy_momentum(*problem, true, Space::sparse);
    ASSERT_TRUE(dense->advance(100, 0.05).ok && sparse->advance(100, 0.05).ok);
    Snapshot a, b;
    dense->snapshot(a);
    sparse->snapshot(b);
    EXPECT_LT((a.q - b.q).norm(), 1e-12 * (1 + a.q.norm()));
  }
}

// The rank-one part of a term's tangent stays within the term: of a ring of n, three entries a coordinate.
TEST(EnergyMomentum, fills_no_matrix_of_a_chain) {
  for (const int n : {50, 500}) {
    const io::Problem ring = laws::problem(fmt::format(R"toml(
[system]
coordinates = ["q[{0}]"]
mass = 1
[[system.term]]
over = "i = 0..{1}"
periodic = true
potential = "1 - cos(q[i+1] - q[i])"
[initial]
position = {{ q = "0.3*sin(i + 1)" }}
)toml",
                                                       n, n - 1));
    const system::DiscreteGradientModel<algebra::SparseSpace> model(system::discrete_gradients(ring.model, {"none", {}}, true));
    EXPECT_EQ(model.space().pattern->nonZeros(), 3 * n);
  }
}

// R turned about a body's own axis mixes the entries of R'R: each has a multiplier of its own, and that momentum is not kept.
TEST(EnergyMomentum, claims_of_a_body_what_each_of_its_constraints_has) {
  const auto integrator = energy_momentum(constrained_problem(R"toml(
[system]
bodies = [{ name = "b", inertia = [1, 1, 1.5] }]
[[symmetry]]
name = "L3"
rotation = [0, 0, 1]
[[symmetry]]
name = "spin"
body = "b"
axis = [0, 0, 1]
[initial.bodies.b]
angular_velocity = [0.3, 0, 1]
)toml"));
  EXPECT_TRUE(integrator->keeps_momentum(0));
  EXPECT_FALSE(integrator->keeps_momentum(1));
}

}  // namespace actio::laws
