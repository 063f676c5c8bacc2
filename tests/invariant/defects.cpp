#include <actio/invariant/defects.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <run/fakes.hpp>

#include "../../src/invariant/extrapolate.hpp"

using namespace actio;
using Eigen::VectorXd;

namespace {

// States of a run of the system itself.
std::vector<method::Snapshot> states(const fakes::Fake& system, double h, VectorXd q, VectorXd v) {
  std::vector<method::Snapshot> s(4);
  auto run = system.clone();
  run->start(0, q, v);
  for (auto& x : s) {
    run->snapshot(x);
    EXPECT_TRUE(run->advance(7, h).ok);
  }
  return s;
}

}  // namespace

TEST(Symplecticity, of_an_exact_rotation_has_no_defect_for_few_and_for_many_coordinates) {
  for (long n : {1, 2, 12, 13, 300}) {
    auto system = fakes::rotation(n);
    const auto s = states(system, 0.2, VectorXd::LinSpaced(n, 1, 2), VectorXd::LinSpaced(n, -1, 0.7));
    const auto d = invariant::symplecticity(system, s, 0.2, false).canonical;
    EXPECT_LT(d.value, 1e-11) << n;
    EXPECT_LT(d.floor, 1e-9) << n;
  }
}

TEST(Symplecticity, of_explicit_euler_is_h_squared) {
  constexpr double h = 0.3;
  for (long n : {1, 2, 12}) {
    auto system = fakes::euler(n);
    const auto s = states(system, h, VectorXd::LinSpaced(n, 1, 2), VectorXd::LinSpaced(n, -1, 0.7));
    EXPECT_NEAR(invariant::symplecticity(system, s, h, false).canonical.value, h * h, 1e-9) << n;
  }
}

TEST(Symplecticity, of_explicit_euler_by_random_pairs_is_h_squared_within_their_scatter) {
  constexpr double h = 0.3;
  constexpr long n = 500;
  auto system = fakes::euler(n);
  const auto s = states(system, h, VectorXd::LinSpaced(n, 1, 2), VectorXd::LinSpaced(n, -1, 0.7));
  const double d = invariant::symplecticity(system, s, h, false).canonical.value;
  // The largest of four root mean squares of six pairs: between a third and three times.
  EXPECT_GT(d, h * h / 3);
  EXPECT_LT(d, h * h * 3);
}

TEST(Symplecticity, tells_verlet_from_rk4_on_a_nonlinear_oscillator) {
  constexpr double h = 0.1;
  auto verlet = fakes::verlet();
  auto rk4 = fakes::rk4();
  const auto s = states(verlet, h, VectorXd{{1.2, 0}}, VectorXd{{0, 0.2}});
  const auto kept = invariant::symplecticity(verlet, s, h, false).canonical;
  const auto lost = invariant::symplecticity(rk4, s, h, false).canonical;
  EXPECT_LT(kept.value, 1e-8);
  EXPECT_LT(kept.floor, 1e-8);
  EXPECT_GT(lost.value, 1e-5);
  // RK4's defect is O(h^5) in fixed units; the units of q are ten steps' motion, which makes parts of it O(h^6).
  const auto half = invariant::symplecticity(rk4, s, h / 2, false).canonical;
  EXPECT_GT(std::log2(lost.value / half.value), 4.8);
  EXPECT_LT(std::log2(lost.value / half.value), 6.2);
}

TEST(Symplecticity, in_own_coordinates_sees_a_method_that_is_canonical_only_there) {
  // Verlet's map carried to q = X(x) by x = q - (h^2/4) f(q), as Newmark's is: canonical in (x, p), not in (q, p).
  constexpr double h = 0.2;
  const auto forward = [](const VectorXd& q, double step) { return VectorXd(q - step * step / 4 * fakes::ring_force(q)); };
  const auto backward = [forward](const VectorXd& x, double step) {
    VectorXd q = x;
    for (int i = 0; i < 200; ++i) q += x - forward(q, step);
    return q;
  };
  fakes::Fake carried(
      2,
      [=](VectorXd& q, VectorXd& v, double step) {
        VectorXd x = forward(q, step);
        v += 0.5 * step * fakes::ring_force(x);
        x += step * v;
        v += 0.5 * step * fakes::ring_force(x);
        q = backward(x, step);
      },
      fakes::ring_energy);
  carried.own = [forward](VectorXd& x, VectorXd&, double step) { x = forward(x, step); };
  const auto s = states(carried, h, VectorXd{{0.9, 0}}, VectorXd{{0.1, 0.2}});
  const auto d = invariant::symplecticity(carried, s, h, true);
  EXPECT_LT(d.own.value, 1e-8);
  EXPECT_GT(d.canonical.value, 1e-4);
}

TEST(Symplecticity, is_not_a_number_when_no_step_can_be_taken) {
  auto system = fakes::rotation(2);
  const auto s = states(system, 0.1, VectorXd{{1, 0}}, VectorXd{{0, 1}});
  system.fails_at = 0;
  EXPECT_TRUE(std::isnan(invariant::symplecticity(system, s, 0.1, false).canonical.value));
  EXPECT_TRUE(std::isnan(invariant::reversibility(system, s, 0.1)));
}

TEST(Reversibility, holds_for_verlet_and_not_for_euler) {
  constexpr double h = 0.1;
  auto verlet = fakes::verlet();
  EXPECT_LT(invariant::reversibility(verlet, states(verlet, h, VectorXd{{1.2, 0}}, VectorXd{{0, 0.2}}), h), 1e-14);
  // There and back, (1 + h A)(1 - h A) = 1 - h^2 A^2: Euler misses by h^2.
  auto euler = fakes::euler(1);
  const auto s = states(euler, h, VectorXd{{1.0}}, VectorXd{{0.5}});
  const double d = invariant::reversibility(euler, s, h);
  EXPECT_GT(d, h * h / 4);
  EXPECT_LT(d, 1.001 * h * h);
}

TEST(Reversibility, of_a_system_at_rest_is_a_number) {
  auto system = fakes::rotation(1);
  const auto s = states(system, 0.1, VectorXd{{0.0}}, VectorXd{{0.0}});
  EXPECT_EQ(invariant::reversibility(system, s, 0.1), 0);
  EXPECT_LT(invariant::symplecticity(system, s, 0.1, false).canonical.value, 1e-9);
}

// A pendulum placed at "pi": the force there is 1e-15, velocities are round-off, and no unit comes from them.
TEST(Defects, of_a_system_at_rest_where_forces_cancel_to_round_off_are_none) {
  constexpr double h = 0.01;
  const double pi = std::acos(-1.0);
  fakes::Fake pendulum(
      1,
      [](VectorXd& q, VectorXd& v, double step) {
        v[0] -= 0.5 * step * 9.81 * std::sin(q[0]);
        q += step * v;
        v[0] -= 0.5 * step * 9.81 * std::sin(q[0]);
      },
      [](const VectorXd& q, const VectorXd& v) { return 0.5 * v[0] * v[0] - 9.81 * std::cos(q[0]); });
  const auto s = states(pendulum, h, VectorXd{{pi}}, VectorXd{{0.0}});
  ASSERT_GT(std::abs(s[3].v[0]), 0);
  const auto d = invariant::symplecticity(pendulum, s, h, false).canonical;
  EXPECT_LT(d.value, 1e-8);
  EXPECT_LT(d.floor, 1e-6);
  EXPECT_LT(invariant::reversibility(pendulum, s, h), 1e-12);
  EXPECT_LT(invariant::reversibility(pendulum, s, -h), 1e-12);
}

// A chain of stiff springs at its rest lengths: u = 0.1 i is not a binary fraction.
TEST(Reversibility, of_a_stiff_chain_at_rest_holds) {
  constexpr double h = 0.01, k = 1e4;
  constexpr long n = 20;
  const auto force = [](const VectorXd& q) {
    VectorXd f = VectorXd::Zero(n);
    for (long i = 0; i + 1 < n; ++i) {
      const double pull = k * (q[i + 1] - q[i] - 0.1);
      f[i] += pull;
      f[i + 1] -= pull;
    }
    return f;
  };
  fakes::Fake chain(
      n,
      [force](VectorXd& q, VectorXd& v, double step) {
        v += 0.5 * step * force(q);
        q += step * v;
        v += 0.5 * step * force(q);
      },
      fakes::oscillator_energy);
  const auto s = states(chain, h, 0.1 * VectorXd::LinSpaced(n, 0, n - 1), VectorXd::Zero(n));
  ASSERT_GT(s[3].v.norm(), 0);
  EXPECT_LT(invariant::reversibility(chain, s, h), 1e-12);
}

// A place far from the origin in units of a small motion: the second difference is round-off, and no shorter difference mends it.
TEST(Derivative, is_not_shortened_where_round_off_bends_it) {
  const auto f = [](double x, Eigen::VectorXd& out) {
    volatile double place = 8 + 1e-9 * x;
    out = Eigen::VectorXd::Constant(1, place / 1e-9);
    return true;
  };
  const double noise = 8 * 0x1p-52 / 1e-9;  // of a value
  const auto d = invariant::differentiate(f, 3e-4, {2, 1e-11, 3e-5, 0.1});
  ASSERT_EQ(d.value.size(), 1);
  EXPECT_NEAR(d.value[0], 1, 4 * noise / 3e-4);
  EXPECT_GT(d.first, 1e-5);
}
