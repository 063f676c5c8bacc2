#include <actio/invariant/drift.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace actio::invariant {

void Drift::push() {
  mean_[blocks_++] = sum_ / static_cast<double>(length_);
  sum_ = 0;
  filled_ = 0;
  if (blocks_ < most) return;
  for (std::size_t i = 0; i < most / 2; ++i) mean_[i] = 0.5 * mean_[2 * i] + 0.5 * mean_[2 * i + 1];
  blocks_ = most / 2;
  length_ *= 2;
}

double student95(int n) {
  static constexpr std::array<double, 30> table{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                                2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                                2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  if (n < 1) return std::numeric_limits<double>::infinity();
  if (n <= 30) return table[static_cast<std::size_t>(n - 1)];
  // Cornish-Fisher expansion about the normal quantile z: z + (z^3 + z) / 4n, good to 1e-3 beyond 30.
  constexpr double z = 1.959964;
  return z + (z * z * z + z) / (4.0 * n);
}

namespace {

// The line through y at 0, 1, 2, ... and the 95 % half width of its slope.
Drift::Slope line(std::span<const double> y) {
  const double n = static_cast<double>(y.size());
  const double middle = 0.5 * (n - 1), spread = n * (n * n - 1) / 12;
  double mean = 0, slope = 0;
  for (double e : y) mean += e / n;
  for (std::size_t i = 0; i < y.size(); ++i) slope += (static_cast<double>(i) - middle) / spread * (y[i] - mean);
  double square = 0, lagged = 0, before = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double r = y[i] - mean - slope * (static_cast<double>(i) - middle);
    square += r * r;
    if (i > 0) lagged += r * before;
    before = r;
  }
  // Residuals of correlation rho have n (1 - rho) / (1 + rho) independent ones among n.
  const double rho = square > 0 ? std::clamp(lagged / square, 0.0, 0.9) : 0.0;
  const double inflation = std::sqrt((1 + rho) / (1 - rho));
  const double error = std::sqrt(square / (n - 2) / spread) * inflation;
  return {slope, student95(static_cast<int>(y.size()) - 2) * error};
}

}  // namespace

Drift::Slope Drift::slope() const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (blocks_ < 8) return {nan, nan};
  std::array<double, most> y = mean_;
  std::size_t n = blocks_;
  Slope result{nan, 0};
  for (double length = static_cast<double>(length_); n >= 8; length *= 2, n /= 2) {
    const Slope s = line(std::span(y.data(), n));
    if (std::isnan(result.slope)) result.slope = s.slope / length;
    result.confidence = std::max(result.confidence, s.confidence / length);
    for (std::size_t i = 0; i < n / 2; ++i) y[i] = 0.5 * (y[2 * i] + y[2 * i + 1]);
  }
  return result;
}

}  // namespace actio::invariant
