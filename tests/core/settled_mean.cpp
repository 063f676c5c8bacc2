#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <actio/core/random.hpp>
#include <actio/core/settled_mean.hpp>

// Means of correlated series, and how far they are off.
namespace actio::core {
namespace {

// x_k = rho x_(k-1) + sqrt(1 - rho^2) xi_k, of mean 0 and deviation 1: the mean of N has the variance (1 + rho)/(1 - rho)/N.
std::vector<double> correlated(double rho, long count, std::uint64_t seed) {
  std::vector<double> x(static_cast<std::size_t>(count));
  Noise(seed).normals(0, 1, 0, 0, count, x.data());
  for (std::size_t k = 1; k < x.size(); ++k) x[k] = rho * x[k - 1] + std::sqrt(1 - rho * rho) * x[k];
  return x;
}

TEST(SettledMean, has_the_error_of_a_correlated_series) {
  for (const double rho : {0.0, 0.9, 0.99}) {
    constexpr long count = 20000, series = 300;
    long within = 0;
    double errors = 0;
    for (std::uint64_t seed = 0; seed < series; ++seed) {
      SettledMean mean;
      for (const double x : correlated(rho, count, seed)) mean.add(1 + x);
      const auto [value, error] = mean.mean();
      within += std::abs(value - 1) < 2 * error;
      errors += error / series;
    }
    // 3/4 of the series count; the largest of three estimates is some tenths above the error.
    const double known = std::sqrt((1 + rho) / (1 - rho) / (0.75 * count));
    EXPECT_GT(errors, 0.95 * known) << rho;
    EXPECT_LT(errors, 1.6 * known) << rho;
    EXPECT_GT(within, 0.94 * series) << rho;
    EXPECT_LT(within, series) << rho;
  }
}

TEST(SettledMean, leaves_out_the_first_quarter) {
  SettledMean mean;
  for (int k = 0; k < 4096; ++k) mean.add(k < 1024 ? 100 : k % 2);
  EXPECT_EQ(mean.mean().value, 0.5);
}

// y = 3 x + noise beside x = 2 + noise
TEST(SettledMean, has_a_ratio_with_its_error) {
  constexpr long count = 20000, series = 200;
  long within = 0;
  for (std::uint64_t seed = 0; seed < series; ++seed) {
    const std::vector<double> a = correlated(0.9, count, 2 * seed), b = correlated(0.5, count, 2 * seed + 1);
    SettledMean above, below;
    for (std::size_t k = 0; k < a.size(); ++k) {
      above.add(3 * (2 + a[k]) + b[k]);
      below.add(2 + a[k]);
    }
    const auto [value, error] = SettledMean::ratio(above, below);
    EXPECT_LT(error, 2 * std::sqrt(3 / (0.75 * count)) / 2);  // of b alone
    within += std::abs(value - 3) < 2 * error;
  }
  EXPECT_GT(within, 0.93 * series);
}

TEST(SettledMean, says_when_there_is_too_little_for_an_error) {
  SettledMean mean;
  EXPECT_TRUE(std::isnan(mean.mean().value));
  for (int k = 0; k < 10; ++k) mean.add(k);
  EXPECT_FALSE(std::isnan(mean.mean().value));
  EXPECT_TRUE(std::isnan(mean.mean().error));
}

}  // namespace
}  // namespace actio::core
