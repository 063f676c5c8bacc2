#include <actio/solve/kepler.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

// The motion about fixed centres against closed forms, in extended precision: Kepler's equation and Barker's.
namespace actio::solve {
namespace {

using Real = long double;
using Point = std::array<Real, 6>;  // x, y, z, their velocities

constexpr double eps = std::numeric_limits<double>::epsilon();

// sinh x - x and x - sin x, without cancellation
Real beyond(Real x, Real sign) {
  if (std::abs(x) > 0.5L) return sign > 0 ? std::sinh(x) - x : x - std::sin(x);
  Real sum = 0, term = x;
  for (int k = 1; k < 12; ++k) {
    term *= sign * x * x / static_cast<Real>(2 * k * (2 * k + 1));
    sum += term;
  }
  return sign * sum;
}

// On a conic of pericentre distance r and eccentricity e about mu, a time t after the pericentre, in the plane x, y.
Point on_conic(Real mu, Real r, Real e, Real t) {
  const Real p = r * (1 + e), h = std::sqrt(mu * p);
  Real cosine = 0, sine = 0, distance = 0;  // of the true anomaly
  if (e == 1) {                             // Barker: D + D^3/3 = 2 sqrt(mu/p^3) t, D = tan(f/2)
    const Real A = 3 * std::sqrt(mu / (p * p * p)) * t, B = std::cbrt(std::abs(A) + std::sqrt(A * A + 1));
    const Real D = std::copysign(B - 1 / B, A);
    cosine = (1 - D * D) / (1 + D * D);
    sine = 2 * D / (1 + D * D);
    distance = r * (1 + D * D);
  } else if (e < 1) {
    const Real a = r / (1 - e), M = std::remainder(std::sqrt(mu / a) / a * t, 2 * std::numbers::pi_v<Real>);
    Real low = -4, high = 4;  // E - e sin E rises
    for (int k = 0; k < 100; ++k) {
      const Real E = (low + high) / 2;
      ((1 - e) * std::sin(E) + beyond(E, -1) < M ? low : high) = E;
    }
    const Real half = std::sin(low / 2);  // 1 - cos E = 2 sin^2(E/2)
    distance = r + 2 * a * e * half * half;
    cosine = (r - 2 * a * half * half) / distance;
    sine = a * std::sqrt((1 - e) * (1 + e)) * std::sin(low) / distance;
  } else {
    const Real a = r / (e - 1), M = std::sqrt(mu / a) / a * t;
    Real low = -50, high = 50;
    for (int k = 0; k < 120; ++k) {
      const Real H = (low + high) / 2;
      ((e - 1) * std::sinh(H) + beyond(H, 1) < M ? low : high) = H;
    }
    const Real half = std::sinh(low / 2);
    distance = r + 2 * a * e * half * half;
    cosine = (r - 2 * a * half * half) / distance;
    sine = a * std::sqrt((e - 1) * (e + 1)) * std::sinh(low) / distance;
  }
  return {distance * cosine, distance * sine, 0, -mu / h * sine, mu / h * (e + cosine), 0};
}

struct Start {
  std::vector<double> z;
  KeplerFlow flow;
};
Start start_of(const std::vector<double>& mu, const std::vector<Point>& points) {
  Start out{{}, KeplerFlow(mu)};
  out.z.assign(static_cast<std::size_t>(out.flow.rows()), 0.0);
  for (std::size_t k = 0; k < points.size(); ++k)
    for (std::size_t row = 0; row < 6; ++row)
      out.z[row * static_cast<std::size_t>(out.flow.stride()) + k] = static_cast<double>(points[k][row]);
  out.flow.settle(out.z.data());
  return out;
}
Real number(const Start& of, std::size_t row, std::size_t k) {
  const auto stride = static_cast<std::size_t>(of.flow.stride());
  return Real(of.z[row * stride + k]) + Real(of.z[(row + 6) * stride + k]);
}

// A start that is rounded by eps is moved along its orbit: how far, is a matter of the problem and not of the solver. It is
// measured by starts that are off by 2 eps.
struct Miss {
  Real position, velocity;  // beside what rounding of the start may do
};
Miss miss_of(Real mu, Real r, Real e, Real from, Real dt) {
  const Point at = on_conic(mu, r, e, from), to = on_conic(mu, r, e, from + dt);
  const auto run = [&](const Point& point) {
    Start one = start_of({static_cast<double>(mu)}, {point});
    EXPECT_TRUE(one.flow.drift(one.z.data(), static_cast<double>(dt)));
    Point out;
    for (std::size_t row = 0; row < 6; ++row) out[row] = number(one, row, 0);
    return out;
  };
  const auto off = [](const Point& a, const Point& b, std::size_t first) {
    return std::hypot(a[first] - b[first], a[first + 1] - b[first + 1], a[first + 2] - b[first + 2]);
  };
  const Point of_it = run(at);
  Real x = 4 * eps * std::hypot(to[0], to[1]), v = 4 * eps * std::hypot(to[3], to[4]);
  for (std::size_t row : {0, 1, 3, 4}) {
    Point moved = at;
    moved[row] += 2 * eps * (row < 3 ? std::hypot(at[0], at[1]) : std::hypot(at[3], at[4]));
    const Point there = run(moved);
    x += off(there, of_it, 0);
    v += off(there, of_it, 3);
  }
  return {off(of_it, to, 0) / x, off(of_it, to, 3) / v};
}

TEST(Kepler, solves_ellipses_to_rounding) {
  for (const Real e : {0.0L, 0.05L, 0.5L, 0.9L, 0.99L, 0.999L})
    for (const Real from : {0.0L, 0.01L, 0.7L, 3.1L, 5.9L})  // of a period of 2 pi
      for (const Real dt : {0.003L, 0.1L, 0.9L, 2.5L, 6.2L, 40.0L, -0.1L, -3.0L}) {
        const Miss miss = miss_of(1, 1 - e, e, from, dt);
        EXPECT_LT(miss.position, 1) << "e " << e << ", from " << from << ", dt " << dt;
        EXPECT_LT(miss.velocity, 1) << "e " << e << ", from " << from << ", dt " << dt;
      }
}

TEST(Kepler, solves_parabolas_and_hyperbolas_to_rounding) {
  for (const Real e : {1.0L, 1.0000001L, 1.001L, 1.5L, 10.0L})
    for (const Real from : {-50.0L, -1.0L, 0.0L, 0.3L, 20.0L})
      for (const Real dt : {0.01L, 0.5L, 3.0L, 100.0L, -0.5L, -40.0L}) {
        const Miss miss = miss_of(1, 0.5L, e, from, dt);
        EXPECT_LT(miss.position, 1) << "e " << e << ", from " << from << ", dt " << dt;
        EXPECT_LT(miss.velocity, 1) << "e " << e << ", from " << from << ", dt " << dt;
      }
}

// Nine points, so that there are two eights, one of them full.
TEST(Kepler, moves_each_point_of_many_as_it_does_one) {
  std::vector<Point> points;
  std::vector<double> mu;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int k = 0; k < 9; ++k) {
    points.push_back({1 + any(random), any(random), any(random), any(random), any(random), any(random)});
    mu.push_back(k == 4 ? 0 : 2 + any(random));
  }
  Start all = start_of(mu, points);
  ASSERT_TRUE(all.flow.drift(all.z.data(), 0.7));
  for (std::size_t k = 0; k < points.size(); ++k) {
    Start one = start_of({mu[k]}, {points[k]});
    ASSERT_TRUE(one.flow.drift(one.z.data(), 0.7));
    for (std::size_t row = 0; row < 6; ++row)
      EXPECT_NEAR(static_cast<double>(number(all, row, k)), static_cast<double>(number(one, row, 0)),
                  256 * eps * (1 + static_cast<double>(std::abs(points[k][3] + points[k][4] + points[k][5]))))
          << k;
  }
  for (std::size_t row = 0; row < 3; ++row)  // a straight line
    EXPECT_NEAR(static_cast<double>(number(all, row, 4)), static_cast<double>(points[4][row] + 0.7L * points[4][row + 3]),
                4 * eps);
}

TEST(Kepler, comes_back) {
  Start orbit = start_of({1.0}, {on_conic(1, 0.4L, 0.6L, 1)});
  const Start before = orbit;
  for (const double dt : {0.3, 1.7, 0.002, -0.002, -1.7, -0.3}) ASSERT_TRUE(orbit.flow.drift(orbit.z.data(), dt));
  for (std::size_t row = 0; row < 6; ++row)
    EXPECT_NEAR(static_cast<double>(number(orbit, row, 0)), static_cast<double>(number(before, row, 0)), 64 * eps);
}

// Sums keep what rounding takes: in 1e5 steps of a circle the energy strays by less than an eps, where plain sums would by 1e2.
TEST(Kepler, keeps_what_rounding_takes) {
  Start orbit = start_of({1.0}, {on_conic(1, 1, 0.05L, 0)});
  const auto energy = [&] {
    Real square = 0, speed = 0;
    for (std::size_t row = 0; row < 3; ++row) {
      square += number(orbit, row, 0) * number(orbit, row, 0);
      speed += number(orbit, row + 3, 0) * number(orbit, row + 3, 0);
    }
    return speed / 2 - 1 / std::sqrt(square);
  };
  const Real before = energy();
  for (int k = 0; k < 100000; ++k) ASSERT_TRUE(orbit.flow.drift(orbit.z.data(), 0.01));
  EXPECT_LT(std::abs(energy() - before), 4 * eps);
}

TEST(Kepler, a_point_at_its_centre_has_no_motion) {
  Start fallen = start_of({1.0}, {Point{}});
  EXPECT_FALSE(fallen.flow.drift(fallen.z.data(), 0.1));
  Start lost = start_of({1.0}, {Point{1, 0, 0, std::nanl(""), 0, 0}});
  EXPECT_FALSE(lost.flow.drift(lost.z.data(), 0.1));
}

}  // namespace
}  // namespace actio::solve
