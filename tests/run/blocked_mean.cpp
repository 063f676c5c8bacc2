#include <actio/run/blocked_mean.hpp>

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <common.hpp>

using actio::run::BlockedMean;

namespace {

// x_k = phi x_{k-1} + sqrt(1 - phi^2) xi_k: variance 1, correlation phi^k.
BlockedMean autoregressive(double phi, long n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  BlockedMean out;
  double x = normal(random);
  for (long k = 0; k < n; ++k) {
    out.add(x);
    x = phi * x + std::sqrt(1 - phi * phi) * normal(random);
  }
  return out;
}

}  // namespace

TEST(BlockedMean, knows_the_error_of_an_autoregressive_series) {
  const long n = 1 << 18;
  for (const double phi : {0.0, 0.5, 0.9, 0.97}) {
    const double inefficiency = (1 + phi) / (1 - phi), exact = std::sqrt(inefficiency / static_cast<double>(n));
    const auto error = autoregressive(phi, n, 7).error();
    ASSERT_TRUE(error) << phi;
    EXPECT_NEAR(error->value, exact, 4 * error->uncertainty + 0.02 * exact) << phi;
    EXPECT_LT(error->uncertainty, 0.15 * exact) << phi;
    EXPECT_NEAR(error->inefficiency, inefficiency, 0.35 * inefficiency) << phi;
  }
}

// Over many series (mean / error)^2 has the mean 1, for correlated series as for others. Short blocks underestimate the error a
// little: allowed is what the rule allows, and the spread of 400 series, sqrt(2/400) = 7 %.
TEST(BlockedMean, is_within_its_error_as_often_as_it_says) {
  for (const double phi : {0.0, 0.8}) {
    double sum = 0, beyond = 0;
    constexpr unsigned series = 400;
    for (unsigned seed = 0; seed < series; ++seed) {
      const BlockedMean mean = autoregressive(phi, 1 << 13, 100 + seed);
      ASSERT_TRUE(mean.error());
      const double z = mean.mean() / mean.error()->value;
      sum += z * z;
      beyond += std::abs(z) > 1.96;
    }
    EXPECT_NEAR(sum / series, 1.0, 0.28) << phi;
    EXPECT_NEAR(beyond / series, 0.05, 0.045) << phi;
  }
}

TEST(BlockedMean, of_a_series_shorter_than_its_correlation_has_no_error) {
  EXPECT_FALSE(autoregressive(0.999, 1 << 9, 3).error());
  EXPECT_FALSE(autoregressive(0.0, BlockedMean::fewest_blocks - 1, 3).error());
  EXPECT_TRUE(autoregressive(0.0, 64, 3).error());
}

TEST(BlockedMean, is_the_mean_and_the_deviation_of_its_values) {
  BlockedMean mean;
  const std::vector<double> x{1e8 + 1, 1e8 + 2, 1e8 + 4, 1e8 + 5, 1e8 + 8};
  for (const double e : x) mean.add(e);
  EXPECT_EQ(mean.count(), 5);
  EXPECT_DOUBLE_EQ(mean.mean(), 1e8 + 4);
  EXPECT_NEAR(mean.standard_deviation(), std::sqrt(30.0 / 4), 1e8 * actio::test::eps);  // the mean rounds by as much
}

TEST(BlockedMean, goes_on_from_its_bytes) {
  BlockedMean whole = autoregressive(0.5, 1000, 5), part = autoregressive(0.5, 1000, 5), again;
  actio::core::Archive out;
  part.archive(out);
  actio::core::Archive in(out.bytes());
  again.archive(in);
  for (int k = 0; k < 5000; ++k) {
    whole.add(std::sin(k));
    again.add(std::sin(k));
  }
  EXPECT_EQ(whole.mean(), again.mean());
  EXPECT_EQ(whole.error()->value, again.error()->value);
}
