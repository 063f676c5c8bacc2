#include <actio/run/penalty_multipliers.hpp>
#include <cmath>

#include <gtest/gtest.h>

#include <actio/core/error.hpp>
#include <common.hpp>

namespace actio::run {
namespace {

using actio::test::eps;
constexpr double omega = 20;

// g = x of one coordinate
system::Model model() {
  system::Model m;
  m.families = {{"x", 1, 0, false}};
  auto& g = m.constraints.emplace_back();
  g.name = "g";
  g.value = g.graph.column(0);
  g.locals = 1;
  g.dofs = {0};
  return m;
}
system::Model penalised() {
  system::Model m = model();
  system::penalise(m, omega);
  return m;
}
using actio::test::interpreted;
Eigen::VectorXd at(double x) { return Eigen::VectorXd::Constant(1, x); }

TEST(PenaltyMultipliers, are_minus_omega_squared_g) {
  PenaltyMultipliers multipliers(penalised(), 0, interpreted);
  Eigen::VectorXd lambda;
  for (const double x : {0.5, -0.25, -0.375}) {
    multipliers(1 - x, at(x), lambda);
    EXPECT_EQ(lambda, at(-omega * omega * x));
  }
}

// x = c t at uneven times: its mean over a window ending at t is c (t - window/2), and over less where less has been seen.
TEST(PenaltyMultipliers, are_exact_means_of_straight_lines) {
  const double window = 0.7, c = 0.3;
  PenaltyMultipliers multipliers(penalised(), window, interpreted);
  Eigen::VectorXd lambda;
  for (const double t : {0.0, 0.1, 0.35, 0.5, 0.95, 1.0, 1.6, 3.0, 3.1}) {
    multipliers(t, at(c * t), lambda);
    const double middle = t - std::min(window, t) / 2;
    EXPECT_NEAR(lambda[0], -omega * omega * c * middle, 16 * eps * omega * omega) << t;
  }
}

// An oscillation about lambda of the penalty's frequency: a window of k periods leaves nothing of it but the error of trapezoids,
// which for a periodic function is round-off.
TEST(PenaltyMultipliers, average_the_oscillation_of_the_penalty_away) {
  const double lambda = 3, h = 2 * M_PI / omega / 16;
  PenaltyMultipliers multipliers(penalised(), 3 * 16 * h, interpreted);
  Eigen::VectorXd mean;
  for (int k = 0; k <= 100; ++k) multipliers(k * h, at((-lambda + 2 * std::cos(omega * k * h)) / (omega * omega)), mean);
  EXPECT_NEAR(mean[0], lambda, 1e-12);
}

TEST(PenaltyMultipliers, need_a_penalty_and_a_window) {
  EXPECT_THROW(PenaltyMultipliers(model(), 0.1, interpreted), core::InputError);
  EXPECT_THROW(PenaltyMultipliers(penalised(), -0.1, interpreted), core::InputError);
  EXPECT_THROW(PenaltyMultipliers(penalised(), std::nan(""), interpreted), core::InputError);
}

}  // namespace
}  // namespace actio::run
