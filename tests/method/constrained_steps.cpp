#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <cmath>
#include <common.hpp>
#include <method/count_allocations.hpp>
#include <string>

#include "rattle_problem.hpp"

// What a constrained step does on every space. What holds for every method and system: tests/laws/constrained.cpp.
namespace actio::method {
namespace {

using Eigen::VectorXd;
using Space = BuildOptions::Space;

VectorXd multipliers(const Integrator& integrator, double h) {
  VectorXd lambda;
  integrator.multipliers(h, lambda);
  return lambda;
}
using actio::test::eps;
constexpr Space spaces[] = {Space::fixed, Space::dense, Space::sparse};

const std::string double_pendulum = R"toml(
coordinates = ["x1", "y1", "x2", "y2"]
mass = 1.0
potential = "y1 + y2 + 0.1*x2^4"
)toml";
const std::string from_the_side = R"toml(
[initial]
position = [0.6, -0.8, 1.6, -1.8]
velocity = [0, 0, 0, 0]
)toml";
const std::string rods = R"toml("x1^2 + y1^2 - 1", "(x2 - x1)^2 + (y2 - y1)^2 - 2")toml";

// IFToMM A01: (x, y)(10) of a pendulum of 1 m under g = 9.81, from rest and level, and its period. The error of Ld^{sym,0} is
// c h^2: a quarter at half the step, and what is left when the leading terms cancel is of the next even order.
TEST(Rattle, follows_a_simple_pendulum) {
  const io::Problem p = rattle_problem(R"toml(
coordinates = ["x", "y"]
mass = 1.0
potential = "9.81*y"
constraints = ["x^2 + y^2 - 1"]
[initial]
position = [1, 0]
velocity = [0, 0]
)toml");
  const auto after = [&](double t, long steps) {
    const auto integrator = started(p, Rattle{});
    EXPECT_TRUE(integrator->advance(steps, t / static_cast<double>(steps)).ok);
    return snapshot(*integrator).q;
  };
  const Eigen::Vector2d truth(.275087462576117, -.961419205099125);
  const VectorXd coarse = after(10, 5000), fine = after(10, 10000);
  const double error = (fine - truth).norm();
  EXPECT_NEAR((coarse - truth).norm() / error, 4, 0.05);
  EXPECT_LT(((4 * fine - coarse) / 3 - truth).norm(), 1e-3 * error);  // h^4, and round-off
  const double T = 2.367841947576237;  // back at the start, where x - 1 is of the square of what is missed
  EXPECT_LT((after(T, 2500) - Eigen::Vector2d(1, 0)).norm(), error);
}

// One step's equations by two solvers of one problem: some eps of q a step, which the pendulum amplifies.
TEST(Shake, walks_the_path_of_rattle) {
  const io::Problem p = rattle_problem(double_pendulum + "constraints = [" + rods + "]" + from_the_side);
  for (const Space space : spaces) {
    const auto with = started(p, Rattle{}, space), without = started(p, Shake{}, space);
    for (int k = 0; k < 200; ++k) {
      ASSERT_TRUE(with->advance(1, 0.02).ok && without->advance(1, 0.02).ok);
      const Snapshot x = snapshot(*with), y = snapshot(*without);
      ASSERT_LT((x.q - y.q).norm(), 1e-12) << k;
      ASSERT_LT((x.p - y.p).norm(), 1e-12) << k;
    }
  }
}

// z is held at 0; x and y move as if there were no constraint, up to the rounding of h w and of the pivots.
TEST(Rattle, is_verlet_where_nothing_is_constrained) {
  const std::string well = R"toml(
coordinates = ["x", "y", "z"]
mass = 1.0
potential = "x^4/4 + x*y + y^2"
)toml",
                    start = R"toml(
[initial]
position = [1, 0.4, 0]
velocity = [0.2, -0.3, 0]
)toml";
  const io::Problem held = rattle_problem(well + "constraints = [\"z\"]" + start), free = rattle_problem(well + start);
  for (const Space space : spaces) {
    const auto rattle = started(held, Rattle{}, space), verlet = started(free, Verlet{}, space);
    ASSERT_TRUE(rattle->advance(50, 0.1).ok && verlet->advance(50, 0.1).ok);
    const Snapshot x = snapshot(*rattle), y = snapshot(*verlet);
    EXPECT_LT((x.q - y.q).norm() + (x.p - y.p).norm(), 1e-12);
    EXPECT_EQ(x.q[2], 0);
  }
}

// M (q+ - 2 q + q-)/h^2 = f(q) + G' lambda, which is D2 Ld(q-, q) + D1 Ld(q, q+) + h G' lambda = 0. Differences of q divided by
// h^2 round to some eps/h^2.
TEST(Rattle, multipliers_are_those_of_the_discrete_equations) {
  const io::Problem p = rattle_problem(double_pendulum + "constraints = [" + rods + "]" + from_the_side);
  constexpr double h = 0.01;
  for (const Space space : spaces)
    for (const AnyMethod& choice : {AnyMethod(Rattle{}), AnyMethod(Shake{})}) {
      const auto integrator = started(p, choice, space);
      ASSERT_TRUE(integrator->advance(9, h).ok);
      const VectorXd before = snapshot(*integrator).q;
      ASSERT_TRUE(integrator->advance(1, h).ok);
      const VectorXd q = snapshot(*integrator).q, lambda = multipliers(*integrator, h);
      ASSERT_TRUE(integrator->advance(1, h).ok);
      const VectorXd after = snapshot(*integrator).q;
      const double x = q[2] - q[0], y = q[3] - q[1];
      const Eigen::Vector4d f(0, -1, -0.4 * std::pow(q[2], 3), -1);
      const Eigen::Matrix<double, 2, 4> G = 2 * (Eigen::Matrix<double, 2, 4>() << q[0], q[1], 0, 0, -x, -y, x, y).finished();
      ASSERT_EQ(lambda.size(), 2);
      EXPECT_LT(((after - 2 * q + before) / (h * h) - f - G.transpose() * lambda).norm(), 16 * eps * q.norm() / (h * h));
      EXPECT_GT(lambda.norm(), 0.1);
    }
}

// The first rod once more, twice as large: the same path, and of the multipliers the smallest, (lambda, 0) -> (lambda, 2
// lambda)/5. Sparse matrices are regularised by 1e-11: how the rows share is known to eps/1e-11, their force to round-off.
TEST(Rattle, takes_redundant_rows_in_the_least_squares_sense) {
  const std::string twice = ", \"2*(x1^2 + y1^2 - 1)\"", asked = "\nredundant = \"least-squares\"";
  const io::Problem one = rattle_problem(double_pendulum + "constraints = [" + rods + "]" + from_the_side),
                    two = rattle_problem(double_pendulum + "constraints = [" + rods + twice + "]" + asked + from_the_side);
  for (const Space space : spaces) {
    const auto plain = started(one, Rattle{}, space), redundant = started(two, Rattle{}, space);
    ASSERT_TRUE(plain->advance(50, 0.02).ok);
    ASSERT_TRUE(redundant->advance(50, 0.02).ok);
    const Snapshot x = snapshot(*plain), y = snapshot(*redundant);
    EXPECT_LT((x.q - y.q).norm(), 1e-12);
    EXPECT_LT((x.p - y.p).norm(), 1e-12);
    const VectorXd lambda = multipliers(*plain, 0.02), shared = multipliers(*redundant, 0.02);
    ASSERT_EQ(shared.size(), 3);
    const double round_off = 100 * eps * x.q.norm() / (0.02 * 0.02), close = space == Space::sparse ? eps / 1e-11 : round_off;
    EXPECT_NEAR(shared[0], lambda[0] / 5, close);
    EXPECT_NEAR(shared[2], 2 * lambda[0] / 5, close);
    EXPECT_NEAR(shared[0] + 2 * shared[2], lambda[0], round_off);
    EXPECT_NEAR(shared[1], lambda[1], round_off);
  }
}

void fails_and_leaves(Integrator& integrator, double h) {
  const Snapshot before = snapshot(integrator);
  const BatchReport report = integrator.advance(1, h);
  EXPECT_FALSE(report.ok);
  EXPECT_FALSE(report.what.empty());
  const Snapshot after = snapshot(integrator);
  EXPECT_EQ(after.t, before.t);
  EXPECT_EQ((after.q - before.q).norm() + (after.p - before.p).norm(), 0);
}
TEST(Rattle, refuses_redundant_rows_that_are_not_asked_for) {
  const io::Problem p = rattle_problem(double_pendulum + "constraints = [" + rods + ", \"2*(x1^2 + y1^2 - 1)\"]" + from_the_side);
  for (const Space space : spaces) fails_and_leaves(*started(p, Rattle{}, space), 0.02);
}

// x^2 + y^2 = 1 - t, which has no point beyond t = 1; work: E1 - E0 = work + O(h^2), the energy error of a method of order 2.
const std::string shrinking = R"toml(
coordinates = ["x", "y"]
mass = 1.0
potential = "y"
constraints = ["x^2 + y^2 - (1 - t)"]
[initial]
position = [1, 0]
velocity = [-0.5, 0.8]
)toml";
TEST(Rattle, fails_where_there_is_no_point_on_the_constraints) {
  const io::Problem p = rattle_problem(shrinking);
  for (const Space space : spaces) {
    const auto integrator = started(p, Rattle{}, space);
    ASSERT_TRUE(integrator->advance(8, 0.1).ok);
    fails_and_leaves(*integrator, 0.3);
  }
}
TEST(Rattle, counts_the_work_of_moving_constraints) {
  const io::Problem p = rattle_problem(shrinking);
  for (const AnyMethod& choice : {AnyMethod(Rattle{}), AnyMethod(Shake{})}) {
    const auto miss = [&](double h, long steps) {
      const auto integrator = started(p, choice);
      const double start = integrator->energy();
      const BatchReport report = integrator->advance(steps, h);
      EXPECT_TRUE(report.ok);
      EXPECT_GT(std::abs(report.work.constraints), 0.1);
      return std::abs(integrator->energy() - start - report.work.constraints);
    };
    EXPECT_NEAR(miss(0.01, 50) / miss(0.005, 100), 4, 0.4);
  }
}

TEST(Rattle, allocates_nothing_in_a_step) {
  const io::Problem p = rattle_problem(double_pendulum + "constraints = [" + rods + "]" + from_the_side);
  for (const Space space : spaces)
    for (const AnyMethod& choice : {AnyMethod(Rattle{}), AnyMethod(Shake{}), AnyMethod(Midpoint{})}) {
      const auto integrator = started(p, choice, space);
      ASSERT_TRUE(integrator->advance(10, 0.01).ok);
      const long before = ::tests::allocations();
      ASSERT_TRUE(integrator->advance(20, 0.01).ok);
      EXPECT_EQ(::tests::allocations(), before);
    }
}

}  // namespace
}  // namespace actio::method
