#include <actio/core/settled_mean.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace actio::core {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double mean_of(std::span<const double> y) {
  double sum = 0;
  for (const double x : y) sum += x;
  return y.empty() ? nan : sum / static_cast<double>(y.size());
}

// Of n means with a correlation rho of neighbours, n (1 - rho)/(1 + rho) are independent.
double error_of(std::span<const double> y) {
  const double mean = mean_of(y), n = static_cast<double>(y.size());
  double square = 0, lagged = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    square += (y[i] - mean) * (y[i] - mean);
    if (i > 0) lagged += (y[i] - mean) * (y[i - 1] - mean);
  }
  const double rho = square > 0 ? std::clamp(lagged / square, 0.0, 0.9) : 0.0;
  return std::sqrt(square / (n - 1) / n * (1 + rho) / (1 - rho));
}

// The largest of the blocks, their pairs and fours.
double standard_error(std::vector<double> y) {
  double error = nan;
  while (y.size() >= 12) {
    error = std::isnan(error) ? error_of(y) : std::max(error, error_of(y));
    for (std::size_t i = 0; i < y.size() / 2; ++i) y[i] = 0.5 * (y[2 * i] + y[2 * i + 1]);
    y.resize(y.size() / 2);
  }
  return error;
}

}  // namespace

void SettledMean::push() {
  means_[blocks_++] = sum_ / static_cast<double>(length_);
  sum_ = 0;
  filled_ = 0;
  if (blocks_ < most) return;
  for (std::size_t i = 0; i < most / 2; ++i) means_[i] = 0.5 * means_[2 * i] + 0.5 * means_[2 * i + 1];
  blocks_ = most / 2;
  length_ *= 2;
}

MeanAndError SettledMean::mean() const {
  const std::vector<double> y(means_.begin() + static_cast<std::ptrdiff_t>(blocks_ / 4),
                              means_.begin() + static_cast<std::ptrdiff_t>(blocks_));
  return {mean_of(y), standard_error(y)};
}

MeanAndError SettledMean::ratio(const SettledMean& first, const SettledMean& second) {
  const double below = second.mean().value, ratio = first.mean().value / below;
  std::vector<double> rest;  // of mean 0
  for (std::size_t i = first.blocks_ / 4; i < first.blocks_; ++i) rest.push_back(first.means_[i] - ratio * second.means_[i]);
  return {ratio, standard_error(std::move(rest)) / std::abs(below)};
}

}  // namespace actio::core
