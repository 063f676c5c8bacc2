#include <actio/invariant/drift.hpp>

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

using actio::invariant::Drift;

TEST(Drift, finds_the_slope_of_a_straight_line_exactly_however_many_blocks_were_merged) {
  for (int n : {8, 63, 64, 1000, 123457}) {
    Drift drift;
    for (int i = 0; i < n; ++i) drift.add(3e-7 * i);
    EXPECT_NEAR(drift.slope().slope, 3e-7, 1e-18) << n;
    EXPECT_LT(drift.slope().confidence, 1e-17) << n;
    EXPECT_EQ(drift.samples(), static_cast<std::size_t>(n));
  }
}

TEST(Drift, says_nothing_about_fewer_than_eight_samples) {
  Drift drift;
  for (int i = 0; i < 7; ++i) drift.add(i);
  EXPECT_TRUE(std::isnan(drift.slope().slope));
  EXPECT_TRUE(std::isnan(drift.slope().confidence));
}

TEST(Drift, sees_no_drift_in_a_bounded_oscillation) {
  for (double period : {7.3, 61.0, 977.0, 4001.0}) {
    Drift drift;
    for (int i = 0; i < 100000; ++i) drift.add(1e-3 * std::sin(2 * std::numbers::pi * i / period + 1));
    const auto s = drift.slope();
    EXPECT_LE(std::abs(s.slope), s.confidence) << period;
    EXPECT_LT(s.confidence, 1e-3 / 100000) << period;  // far below one amplitude over the run
  }
}

TEST(Drift, sees_a_small_drift_under_an_oscillation) {
  Drift drift;
  for (int i = 0; i < 100000; ++i) drift.add(1e-3 * std::sin(0.1 * i) + 1e-9 * i);
  const auto s = drift.slope();
  EXPECT_GT(s.slope, s.confidence);
  EXPECT_NEAR(s.slope, 1e-9, s.confidence);
}

// Coverage of the interval on correlated noise y_{i+1} = rho y_i + normal, whose naive bound is sqrt((1+rho)/(1-rho)) too small.
TEST(Drift, its_bound_holds_nineteen_times_in_twenty_on_correlated_noise) {
  for (double rho : {0.0, 0.9, 0.99}) {
    int covered = 0;
    constexpr int trials = 400;
    for (int trial = 0; trial < trials; ++trial) {
      std::mt19937_64 random(1000 + trial);
      std::normal_distribution<double> normal;
      Drift drift;
      double y = 0;
      for (int i = 0; i < 20000; ++i) {
        y = rho * y + normal(random);
        drift.add(y + 1e-4 * i);
      }
      const auto s = drift.slope();
      covered += std::abs(s.slope - 1e-4) <= s.confidence;
    }
    // 95 % of 400 is 380 with a standard deviation of 4.4.
    EXPECT_GE(covered, 380 - 3 * 4.4) << rho;
  }
}

TEST(Drift, student_quantiles_match_the_table_on_both_sides_of_thirty) {
  EXPECT_NEAR(actio::invariant::student95(6), 2.447, 1e-3);
  EXPECT_NEAR(actio::invariant::student95(40), 2.021, 2e-3);
  EXPECT_NEAR(actio::invariant::student95(60), 2.000, 2e-3);
  EXPECT_TRUE(std::isinf(actio::invariant::student95(0)));
}
