#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/algebra/dense.hpp>
#include <actio/solve/newton.hpp>
#include <cmath>

namespace actio::solve {
namespace {

using Space = algebra::DenseSpace<2>;
using Vector = Space::Vector;
using Matrix = Space::Matrix;

template <class F>
NewtonReport solve(F&& equations, Vector& x, double floor = 0) {
  Newton<Space> newton(Space{});
  const auto plain = newton.solve(equations, x, [&] { return floor; });
  return plain.converged ? plain : newton.solve_damped(equations, x, floor);
}

TEST(Newton, squares_its_error) {
  Vector x{1.0, 1.0};
  int calls = 0;
  const auto report = solve(
      [&](const Vector& y, Vector& r, Matrix& K) {
        ++calls;
        r = {y[0] * y[0] - 2, y[1] * y[1] * y[1] - 3 * y[0]};
        K = {2 * y[0], 0, -3, 3 * y[1] * y[1]};
      },
      x);
  ASSERT_TRUE(report.converged);
  EXPECT_NEAR(x[0], std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(x[1], std::cbrt(3 * std::sqrt(2.0)), 1e-15);
  EXPECT_EQ(calls, report.iterations);  // no evaluation after the last increment
  EXPECT_LE(report.iterations, 6);
}

TEST(Newton, needs_damping_where_the_full_increment_overshoots) {
  Vector x{3.0, 2.0};
  const auto report = solve(
      [](const Vector& y, Vector& r, Matrix& K) {
        r = {std::atan(y[0]), std::atan(y[1])};
        K = {1 / (1 + y[0] * y[0]), 0, 0, 1 / (1 + y[1] * y[1])};
      },
      x);
  ASSERT_TRUE(report.converged);
  EXPECT_LT(x.norm(), 1e-14);
}

TEST(Newton, says_when_there_is_no_root) {
  Vector x{0.3, 0.2};
  const auto report = solve(
      [](const Vector& y, Vector& r, Matrix& K) {
        r = {1 + y[0] * y[0], y[1]};
        K = {2 * y[0], 0, 0, 1};
      },
      x);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(x[0], 0.3);  // the guess again
}

TEST(Newton, says_when_the_residual_is_not_finite) {
  Vector x{0.0, 0.0};
  const auto report = solve(
      [](const Vector&, Vector& r, Matrix& K) {
        r = {std::nan(""), 1};
        K = Matrix::Identity();
      },
      x);
  EXPECT_FALSE(report.converged);
  Vector y{4.0, 1.0};  // a root on this side of a region without values, which full increments enter
  const auto log = solve(
      [](const Vector& z, Vector& r, Matrix& K) {
        r = {std::log(z[0]), z[1]};
        K = {1 / z[0], 0, 0, 1};
      },
      y);
  ASSERT_TRUE(log.converged);
  EXPECT_NEAR(y[0], 1, 1e-15);
}

// An increment below the floor ends an iteration that has stopped, never one that still makes progress.
TEST(Newton, counts_the_floor_only_once_progress_has_stopped) {
  const double noise = 1e-9;
  double sign = 1;
  const auto noisy = [&](const Vector& y, Vector& r,
                         Matrix& K) {  // a tangent twice too stiff: increments halve, down to the noise
    sign = -sign;
    r = {y[0] - 1 + noise * sign, y[1]};
    K = {2, 0, 0, 2};
  };
  Newton<Space> newton(Space{});
  Vector x{1 + 1e-7, 0.0};
  EXPECT_TRUE(newton.solve(noisy, x, [&] { return 4 * noise; }).converged);
  EXPECT_NEAR(x[0], 1, 4 * noise);
  x = {1 + 1e-7, 0.0};
  EXPECT_FALSE(newton.solve(noisy, x, [&] { return 1e-3 * noise; }).converged);

  Vector y{1.0, 1.0};
  const auto smooth = [](const Vector& z, Vector& r, Matrix& K) {
    r = {z[0] * z[0] - 2, z[1]};
    K = {2 * z[0], 0, 0, 1};
  };
  ASSERT_TRUE(solve(smooth, y, 1.0).converged);  // a floor as large as everything
  EXPECT_NEAR(y[0], std::sqrt(2.0), 1e-15);
}

// Where q no longer feels an increment of a, its tangent is of no use: increments shrink by a constant factor.
TEST(Newton, stops_below_the_floor_once_it_is_no_faster_than_linear) {
  const double floor = 1e-6;
  const auto too_stiff = [](const Vector& y, Vector& r, Matrix& K) {
    r = {y[0] - 1e-9, y[1]};
    K = {1.08, 0, 0, 1.08};
  };
  Newton<Space> newton(Space{});
  Vector x{1e-8, 0.0};
  const auto below = newton.solve(too_stiff, x, [&] { return floor; });
  EXPECT_TRUE(below.converged);
  EXPECT_EQ(below.iterations, 3);
  x = {1.0, 0.0};  // above the floor it goes on
  const auto above = newton.solve(too_stiff, x, [&] { return floor; });
  EXPECT_TRUE(above.converged);
  EXPECT_NEAR(x[0], 1e-9, floor);
  EXPECT_GT(above.iterations, 5);
}

}  // namespace
}  // namespace actio::solve
