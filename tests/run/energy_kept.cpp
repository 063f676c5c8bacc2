#include <run/runs.hpp>

#include <cmath>

#include <gtest/gtest.h>

using namespace runs;

TEST(EnergyOfARun, measures_the_energy_that_explicit_euler_gains) {
  constexpr double h = 1e-3;
  auto system = fakes::euler(2);
  const auto c = certify(system, task(method::RungeKutta4{}, q2, v2, h, 2000));
  EXPECT_EQ(c.verdict, Verdict::failed);  // Euler's steps have order 1, and rk4 is what they are called
  EXPECT_NEAR(c.accuracy.order, 1, 0.1);
  const double gain = c.energy.initial * (std::pow(1 + h * h, 2000) - 1);
  EXPECT_NEAR(c.energy.max_error, gain, 1e-9 * gain);
  EXPECT_DOUBLE_EQ(c.energy.max_error_time, 2.0);
  EXPECT_GT(c.energy.drift_per_step, c.energy.drift_confidence);
  EXPECT_NEAR(c.energy.drift_per_step, gain / 2000, 1e-2 * gain / 2000);
  EXPECT_FALSE(c.momentum[0].claimed);
  EXPECT_GT(c.momentum[0].max_error, 1e-6);
}

// Energy that falls in the first tenth of the run and stays: a line through the whole run says little.
TEST(EnergyOfARun, energy_that_went_early_is_lost_and_energy_that_oscillates_is_not) {
  const auto falling = [](double amplitude) {
    return fakes::Fake(
        2, [](VectorXd& q, VectorXd&, double h) { q[0] += h; },
        [amplitude](const VectorXd& q, const VectorXd&) { return std::exp(-q[0]) + amplitude * std::sin(q[0]); });
  };
  auto fell = falling(0);
  const auto c = certify(fell, task(method::RungeKutta4{}, VectorXd{{0, 0}}, VectorXd{{0, 0}}, 0.1, 1000));
  EXPECT_NEAR(c.energy.lost, std::exp(-75.0) - 1, 1e-12);
  auto swings = falling(10);
  const auto d = certify(swings, task(method::RungeKutta4{}, VectorXd{{0, 0}}, VectorXd{{0, 0}}, 0.1, 1000));
  EXPECT_EQ(d.energy.lost, 0);
}

TEST(EnergyOfARun, drift_is_per_step_whatever_the_observations_are_apart) {
  constexpr double h = 1e-3;
  auto system = fakes::euler(2);
  const double dense = certify(system, task(method::RungeKutta4{}, q2, v2, h, 2003)).energy.drift_per_step;
  const double sparse = certify(system, task(method::RungeKutta4{}, q2, v2, h, 2003, 10)).energy.drift_per_step;
  EXPECT_NEAR(sparse, dense, 1e-2 * dense);
}

// Velocities of a chain at rest are round-off, so is what becomes of its energy of 1e-25 J.
TEST(EnergyOfARun, energy_of_a_system_at_rest_is_not_lost_to_round_off) {
  auto system = fakes::Fake(
      2,
      [](VectorXd& q, VectorXd& v, double h) {
        q += h * v;
        v[0] += 1e-16;
        v[1] -= 1e-16;
      },
      [](const VectorXd&, const VectorXd& v) { return 0.5 * v.squaredNorm(); });
  auto t = task(method::Verlet{}, VectorXd{{1.0, 1.1}}, VectorXd{{0.0, 0.0}}, 0.01, 1000);
  auto model = fakes::plane();
  model.symmetries.clear();
  const auto c = certify(system, t, nullptr, model);
  ASSERT_GT(c.energy.lost, 0.5 * c.energy.max_error);
  EXPECT_TRUE(c.energy.resting);
  for (const auto& sentence : c.broken) EXPECT_EQ(sentence.find("energy"), std::string::npos) << sentence;
}

// Verlet of V = |q|^2 / 2 beyond h = 2: the energy grows by a factor a step, so its last quarter's least is nothing beside its
// most.
TEST(EnergyOfARun, energy_that_grows_exponentially_is_no_bounded_oscillation) {
  const auto verlet = [] {
    return fakes::Fake(
        2,
        [](VectorXd& q, VectorXd& v, double h) {
          v -= 0.5 * h * q;
          q += h * v;
          v -= 0.5 * h * q;
        },
        fakes::oscillator_energy);
  };
  auto unstable = verlet();
  const auto c = certify(unstable, task(method::Verlet{}, q2, v2, 2.01, 1000));
  EXPECT_EQ(c.verdict, Verdict::failed);
  ASSERT_FALSE(c.broken.empty());
  EXPECT_NE(c.broken[0].find("energy"), std::string::npos);
  // Below, it returns; near the limit it swings by more than the motion has.
  auto stable = verlet();
  EXPECT_EQ(certify(stable, task(method::Verlet{}, q2, v2, 0.8, 1000)).verdict, Verdict::kept);
  auto near = verlet();
  EXPECT_EQ(certify(near, task(method::Verlet{}, q2, v2, 1.99, 1000)).verdict, Verdict::failed);
}
