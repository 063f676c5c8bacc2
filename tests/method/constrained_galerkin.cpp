#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <cmath>
#include <common.hpp>
#include <method/count_allocations.hpp>
#include <string>

#include "rattle_problem.hpp"

// lobatto with constraints. What holds for every method and system: tests/laws/constrained.cpp.
namespace actio::method {
namespace {

using Eigen::VectorXd;
using Space = BuildOptions::Space;
using actio::test::eps;

const std::string two_rods = R"toml(
coordinates = ["x1", "y1", "x2", "y2"]
mass = [1.0, 2.0, 1.5, 1.0]
potential = "y1 + y2 + 0.1*x2^4"
constraints = ["x1^2 + y1^2 - 1", "(x2 - x1)^2 + (y2 - y1)^2 - 2"]
[initial]
position = [0.6, -0.8, 1.6, -1.8]
velocity = [0.4, 0.3, 0.2, 0.1]
)toml";
const std::string pendulum_in_space = R"toml(
coordinates = ["x", "y", "z"]
mass = 2.0
potential = "2*z + 0.4*(x^2 + y^2)^2"
constraints = ["x^2 + y^2 + z^2 - 1"]
[initial]
position = [0.6, 0, -0.8]
velocity = [0.4, 0.7, 0.3]
)toml";
// Its mass depends on position, and it is gyroscopic.
const std::string bead = R"toml(
coordinates = ["x", "y"]
lagrangian = "0.5*(1 + 0.3*y^2)*x'^2 + 0.5*(1 + 0.2*x)*y'^2 + 0.2*x'*y' + 0.4*x^2*y' - y - 0.2*x^4"
constraints = ["x^2 + 2*y^2 + 0.3*x*y - 1"]
[initial]
position = [1, 0]
velocity = [-0.12, 0.8]
)toml";

VectorXd end(const io::Problem& p, const AnyMethod& method, double t, long steps, Space space = Space::automatic) {
  const auto integrator = started(p, method, space);
  EXPECT_TRUE(integrator->advance(steps, t / static_cast<double>(steps)).ok);
  const Snapshot s = snapshot(*integrator);
  VectorXd z(2 * s.q.size());
  z << s.q, s.p;
  return z;
}

// Two solvers of the same equations.
TEST(ConstrainedLobatto, is_rattle_at_degree_one) {
  for (const std::string& text : {two_rods, pendulum_in_space, bead}) {
    const io::Problem p = rattle_problem(text);
    for (const Space space : {Space::dense, Space::sparse})
      EXPECT_LT((end(p, Lobatto{1}, 1, 40, space) - end(p, Rattle{}, 1, 40, space)).norm(), 1e-13);
  }
}

// Two-sided. The truth agrees with that of another method, a composition of the midpoint rule, as far as round-off lets that.
TEST(ConstrainedLobatto, has_twice_the_order_of_its_degree) {
  for (const std::string& text : {two_rods, pendulum_in_space, bead}) {
    const io::Problem p = rattle_problem(text);
    const auto other = make_integrator(p.model, {Midpoint{}, true, {8, "kahan-li"}}, {{"none", {}}});
    other->start(0, p.q0, p.v0);
    ASSERT_TRUE(other->advance(200, 0.01).ok);
    const Snapshot s = snapshot(*other);
    VectorXd composed(2 * s.q.size());
    composed << s.q, s.p;
    const VectorXd truth = end(p, Lobatto{6}, 2, 64);
    EXPECT_LT((truth - composed).norm(), 4e-13);
    const long steps[] = {0, 40, 24, 16};
    for (int m = 1; m <= 3; ++m) {
      const double coarse = (end(p, Lobatto{m}, 2, steps[m]) - truth).norm();
      const double fine = (end(p, Lobatto{m}, 2, 2 * steps[m]) - truth).norm();
      EXPECT_NEAR(std::log2(coarse / fine), 2 * m, 0.2) << m;
    }
  }
}

// The same of orders 8 and 10, over times for which there is a range between large steps and round-off, and with the finer error
// at least ten times what the truth is known to. The truth has half the steps of the one that it is compared with.
TEST(ConstrainedLobatto, has_orders_eight_and_ten) {
  struct Range {
    const std::string& text;
    int degree;
    double t;
    long coarse, fine;
    double within;
  };
  for (const Range& of :
       {Range{two_rods, 4, 1.4, 5, 10, 0.2}, Range{pendulum_in_space, 4, 2, 7, 14, 0.2}, Range{bead, 4, 2, 20, 28, 0.3},
        Range{two_rods, 5, 1.4, 5, 7, 0.2}, Range{pendulum_in_space, 5, 8, 24, 41, 0.2}, Range{bead, 5, 2, 11, 14, 0.2}}) {
    const io::Problem p = rattle_problem(of.text);
    const long steps = std::lround(32 * of.t);
    const VectorXd truth = end(p, Lobatto{6}, of.t, 2 * steps);
    const double coarse = (end(p, Lobatto{of.degree}, of.t, of.coarse) - truth).norm();
    const double fine = (end(p, Lobatto{of.degree}, of.t, of.fine) - truth).norm();
    EXPECT_LT((end(p, Lobatto{6}, of.t, steps) - truth).norm(), fine / 10);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(static_cast<double>(of.fine) / static_cast<double>(of.coarse)), 2 * of.degree,
                of.within)
        << of.text << of.degree << " " << coarse << " " << fine;
  }
}

// From rest, where velocities are small beside rounding of positions over h, and through turning points.
TEST(ConstrainedLobatto, keeps_positions_and_velocities_on_the_constraints) {
  std::string at_rest = two_rods;
  at_rest.replace(at_rest.find("[0.4, 0.3, 0.2, 0.1]"), 20, "[0, 0, 0, 0]");
  const io::Problem p = rattle_problem(at_rest);
  for (const Space space : {Space::dense, Space::sparse})
    for (int m = 1; m <= 6; ++m) {
      const auto integrator = started(p, Lobatto{m}, space);
      for (int k = 0; k < 800; ++k) {
        ASSERT_TRUE(integrator->advance(1, k < 500 ? 0.002 : k < 700 ? 0.01 : 0.1).ok);
        const Snapshot s = snapshot(*integrator);
        const double x = s.q[2] - s.q[0], y = s.q[3] - s.q[1];
        const Eigen::Vector2d g(s.q[0] * s.q[0] + s.q[1] * s.q[1] - 1, x * x + y * y - 2);
        const Eigen::Vector2d rate(s.q[0] * s.v[0] + s.q[1] * s.v[1], x * (s.v[2] - s.v[0]) + y * (s.v[3] - s.v[1]));
        EXPECT_LT(g.norm(), 40 * eps);
        EXPECT_LT(rate.norm(), 40 * eps * (1 + s.v.norm()));
      }
    }
}

// q1 and p1 of a step, then the same step back; the momentum about the vertical.
TEST(ConstrainedLobatto, is_symmetric_and_keeps_momentum) {
  const io::Problem p = rattle_problem(pendulum_in_space);
  for (int m = 1; m <= 6; ++m) {
    const auto integrator = started(p, Lobatto{m});
    const Snapshot before = snapshot(*integrator);
    ASSERT_TRUE(integrator->advance(20, 0.1).ok);
    const Snapshot middle = snapshot(*integrator);
    const auto momentum = [](const Snapshot& s) { return s.q[0] * s.p[1] - s.q[1] * s.p[0]; };
    EXPECT_NEAR(momentum(middle), momentum(before), 1e-14);
    EXPECT_GT((middle.q - before.q).norm(), 0.1);
    ASSERT_TRUE(integrator->advance(20, -0.1).ok);
    const Snapshot after = snapshot(*integrator);
    EXPECT_LT((after.q - before.q).norm() + (after.p - before.p).norm(), 1e-13);
  }
}

// m q'' = -grad V + 2 q lambda and q . q'' = -v . v: lambda = (q . grad V - m v . v)/2.
TEST(ConstrainedLobatto, gives_the_multipliers) {
  const io::Problem p = rattle_problem(pendulum_in_space);
  const auto miss = [&](int degree, double h, long steps) {
    const auto integrator = started(p, Lobatto{degree});
    EXPECT_TRUE(integrator->advance(steps, h).ok);
    VectorXd lambda;
    integrator->multipliers(h, lambda);
    EXPECT_EQ(lambda.size(), 1);
    const Snapshot s = snapshot(*integrator);
    const double r2 = s.q[0] * s.q[0] + s.q[1] * s.q[1], along = 1.6 * r2 * r2 + 2 * s.q[2];
    return std::abs(lambda[0] - (along - 2 * s.v.squaredNorm()) / 2);
  };
  EXPECT_NEAR(std::log2(miss(2, 0.05, 20) / miss(2, 0.025, 40)), 2, 0.3);
  EXPECT_LT(miss(6, 0.05, 20), 1e-9);
}

void fails_and_stays(Integrator& integrator, double h) {
  const Snapshot before = snapshot(integrator);
  const BatchReport report = integrator.advance(1, h);
  EXPECT_FALSE(report.ok);
  EXPECT_FALSE(report.what.empty());
  const Snapshot after = snapshot(integrator);
  EXPECT_EQ(after.t, before.t);
  EXPECT_EQ((after.q - before.q).norm() + (after.p - before.p).norm(), 0);
}

// x^2 + y^2 = 1 - t, which has no point beyond t = 1. The work of the constraint is what the energy changes by.
TEST(ConstrainedLobatto, follows_moving_constraints_while_there_are_points_on_them) {
  const io::Problem p = rattle_problem(R"toml(
coordinates = ["x", "y"]
mass = 1.0
potential = "y"
constraints = ["x^2 + y^2 - (1 - t)"]
[initial]
position = [1, 0]
velocity = [-0.5, 0.8]
)toml");
  for (const Space space : {Space::dense, Space::sparse}) {
    const auto integrator = started(p, Lobatto{4}, space);
    const double start = integrator->energy();
    const BatchReport report = integrator->advance(20, 0.025);
    ASSERT_TRUE(report.ok);
    EXPECT_GT(std::abs(report.work.constraints), 0.1);
    EXPECT_NEAR(integrator->energy() - start, report.work.constraints, 1e-9);
    EXPECT_LT(report.worst_residual, 1e-14);
    ASSERT_TRUE(integrator->advance(12, 0.025).ok);
    fails_and_stays(*integrator, 0.3);
  }
}

TEST(ConstrainedLobatto, fails_where_rows_are_redundant) {
  const std::string twice = "[\"x1^2 + y1^2 - 1\", \"2*(x1^2 + y1^2 - 1)\"]";
  const std::string system = "coordinates = [\"x1\", \"y1\"]\nmass = 1\npotential = \"y1\"\nconstraints = " + twice;
  const std::string start = "\n[initial]\nposition = [1, 0]\n";
  for (const Space space : {Space::dense, Space::sparse})
    fails_and_stays(*started(rattle_problem(system + start), Lobatto{2}, space), 0.02);
  const std::string why =
      why_incompatible(rattle_problem(system + "\nredundant = \"least-squares\"" + start).model, {Lobatto{2}, false, {}});
  EXPECT_EQ(why, "lobatto takes no redundant constraints: rattle and midpoint do");
  EXPECT_NE(why_incompatible(rattle_problem(two_rods).model, {Gauss{2}, false, {}}), "");
}

TEST(ConstrainedLobatto, allocates_nothing_in_a_step) {
  for (const std::string& text : {two_rods, bead})
    for (const Space space : {Space::dense, Space::sparse}) {
      const auto integrator = started(rattle_problem(text), Lobatto{3}, space);
      ASSERT_TRUE(integrator->advance(10, 0.01).ok);
      const long before = ::tests::allocations();
      ASSERT_TRUE(integrator->advance(20, 0.01).ok);
      EXPECT_EQ(::tests::allocations(), before);
    }
}

}  // namespace
}  // namespace actio::method
