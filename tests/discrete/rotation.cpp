#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/discrete/rotation.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <common.hpp>
#include <vector>

// Maps from vectors to rotations, their tangents, and half turns.
namespace actio::discrete {
namespace {

using Real = boost::multiprecision::cpp_bin_float_50;
using actio::test::eps;
// Beside pi, 2 pi, and where a series takes over from a formula.
const std::vector<double> angles{1e-9, 1e-4, 0.1, 0.22,   0.23,       0.7, 0.999, 1.001, 1.6,
                                 1.99, 2.01, 3,   3.1415, 3.14159265, 4,   5.5,   6.2};
const std::vector<Retraction> both{Retraction::exponential, Retraction::cayley};

Vector3 along(double angle) { return angle * Vector3(2, -3, 6) / 7; }
double relative(double x, const Real& exact) { return std::abs(static_cast<double>((Real(x) - exact) / exact)); }

// With 50 digits none of the formulas cancels.
TEST(Rotation, has_coefficients_to_a_few_roundings_at_every_angle) {
  for (const double angle : angles) {
    const double s = angle * angle;
    const Real S = s, x = sqrt(S);
    EXPECT_LT(relative(angle::d(s), (x - sin(x)) / (S * x)), 2 * eps) << angle;
    const auto exact = [](const Real& of) {
      const Real y = sqrt(of) / 2;
      return Real((1 - y * cos(y) / sin(y)) / of);
    };
    // sin(x/2) is 0 at x = 2 pi, where c is infinite: rounding of x/2 is worth 2 pi / (2 pi - x) as much there, twice in b
    const double near = 4 * 3.15 / (6.28 - angle);
    EXPECT_LT(relative(angle::b(s), (1 - cos(x)) / S), (2 + near) * eps) << angle;
    EXPECT_LT(relative(angle::c(s).value, exact(S)), (2 + near) * eps) << angle;
    const Real step = S * Real("1e-15");
    const double slope = relative(angle::c(s).slope, (exact(S + step) - exact(S - step)) / (2 * step));
    EXPECT_TRUE(slope < 20 * (2 + near) * eps || angle <= 1e-3) << angle << ": " << slope;
    const double sine = relative(angle::a(s), sin(x) / x);
    EXPECT_TRUE(sine < 2 * eps * (1 + angle) || angle >= 3.1) << angle << ": " << sine;
  }
  EXPECT_EQ(angle::a(0), 1);
  EXPECT_EQ(angle::b(0), 0.5);
  EXPECT_EQ(angle::d(0), 1.0 / 6);
  EXPECT_EQ(angle::c(0).value, 1.0 / 12);
  EXPECT_NEAR(angle::c(0).slope, 1.0 / 720, eps / 720);
}

TEST(Rotation, turns_about_its_vector_by_its_angle) {
  for (const Retraction tau : both)
    for (const double angle : angles) {
      const Vector3 xi = along(angle);
      const Matrix3 R = Matrix3::Identity() + rotation_increment(tau, xi);
      EXPECT_LT((R.transpose() * R - Matrix3::Identity()).norm(), 16 * eps);
      EXPECT_GT(R.determinant(), 0.99);
      EXPECT_LT((R * xi - xi).norm(), 8 * eps * angle);
      const double turned = tau == Retraction::exponential ? angle : 2 * std::atan(angle / 2);
      EXPECT_NEAR(R.trace(), 1 + 2 * std::cos(turned), 8 * eps);
      EXPECT_LT((axial(R) / 2 - std::sin(turned) * xi / angle).norm(), 8 * eps);
      // tau(-xi) = tau(xi)'
      EXPECT_LT((rotation_increment(tau, -xi) - rotation_increment(tau, xi).transpose()).norm(), 4 * eps);
    }
  // exp of 1e-9 keeps all its digits: nothing is added to 1
  EXPECT_LT((axial(rotation_increment(Retraction::exponential, along(1e-9))) / 2 - along(1e-9)).norm(), 1e-9 * 2 * eps);
}

// A difference of fourth order.
template <class F>
auto slope_along(F&& f, const Vector3& x, const Vector3& d) {
  constexpr double h = 1e-3;
  using Value = std::decay_t<decltype(f(x))>;
  return Value((8 * (f(x + h * d) - f(x - h * d)) - (f(x + 2 * h * d) - f(x - 2 * h * d))) / (12 * h));
}

TEST(Rotation, has_the_tangents_of_its_maps) {
  const Vector3 d(0.6, 0.48, -0.64), m(0.3, -1.1, 0.8);
  for (const Retraction tau : both)
    for (const double angle : {0.0, 0.01, 0.3, 1.0, 2.5, 3.1415, 4.5}) {
      const Vector3 xi = along(angle);
      const Matrix3 R = Matrix3::Identity() + rotation_increment(tau, xi);
      const Matrix3 dR = slope_along([&](const Vector3& x) { return rotation_increment(tau, x); }, xi, d);
      EXPECT_LT((R.transpose() * dR - hat(tangent(tau, xi) * d)).norm(), 1e-10) << angle;
      EXPECT_LT((tangent(tau, xi) * inverse_tangent(tau, xi) - Matrix3::Identity()).norm(), 40 * eps) << angle;
      EXPECT_LT((momentum_after(tau, xi, m) - inverse_tangent(tau, xi).transpose() * m).norm(), 40 * eps) << angle;
      // tau' takes what is before to what is after: momentum of space is kept
      EXPECT_LT((R.transpose() * momentum_before(tau, xi, m) - momentum_after(tau, xi, m)).norm(), 40 * eps) << angle;
      EXPECT_LT((slope_along([&](const Vector3& x) { return momentum_before(tau, x, m); }, xi, d) -
                 momentum_before_slope(tau, xi, m) * d)
                    .norm(),
                1e-9)
          << angle;
    }
}

TEST(Rotation, is_halved_at_the_middle_of_the_turn) {
  const Vector3 d(0.6, 0.48, -0.64);
  for (const Retraction tau : both)
    for (const double angle : angles) {
      const Vector3 xi = along(angle);
      const HalfTurn half = half_turn(tau, xi);
      const Matrix3 S = Matrix3::Identity() + rotation_increment(Retraction::cayley, half.c),
                    R = Matrix3::Identity() + rotation_increment(tau, xi);
      EXPECT_LT((S * S - R).norm(), 20 * eps) << angle;
      const double turned = tau == Retraction::exponential ? angle : 2 * std::atan(angle / 2);
      EXPECT_NEAR(S.trace(), 1 + 2 * std::cos(turned / 2), 8 * eps) << angle;
      EXPECT_GT(half.c.dot(xi), 0);
      const Matrix3 C = hat(half.c), one = Matrix3::Identity();
      EXPECT_LT(((one + S).inverse() - 0.5 * (one - 0.5 * C)).norm(), 20 * eps * (1 + half.c.squaredNorm())) << angle;
      if (angle > 5) continue;
      EXPECT_LT((slope_along([&](const Vector3& x) { return half_turn(tau, x).c; }, xi, d) - half.slope * d).norm(), 1e-9)
          << angle;
    }
}

}  // namespace
}  // namespace actio::discrete
