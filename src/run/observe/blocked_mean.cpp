#include <actio/run/blocked_mean.hpp>

#include <cmath>

namespace actio::run {

void BlockedMean::add(double x) {
  for (std::size_t k = 0;; ++k) {
    if (k == levels_.size()) levels_.emplace_back();
    Level& level = levels_[k];
    ++level.count;
    const double off = x - level.mean;
    level.mean += off / static_cast<double>(level.count);
    level.squares += off * (x - level.mean);
    level.waits = !level.waits;
    if (level.waits) {
      level.waiting = x;
      return;
    }
    x = 0.5 * (level.waiting + x);
  }
}

double BlockedMean::standard_deviation() const {
  if (count() < 2) return none;
  return std::sqrt(levels_[0].squares / static_cast<double>(count() - 1));
}

std::optional<BlockedMean::Error> BlockedMean::error() const {
  if (count() < fewest_blocks) return {};
  const double n = static_cast<double>(count()), naive = levels_[0].error_squared();
  long block = 1;
  for (const Level& level : levels_) {
    if (level.count < fewest_blocks) return {};
    const double ratio = naive > 0 ? level.error_squared() / naive : 0, size = static_cast<double>(block);
    if (size * size * size > 2 * n * ratio * ratio) {
      const double value = std::sqrt(level.error_squared());
      return Error{value, value / std::sqrt(2 * static_cast<double>(level.count - 1)), ratio, block, level.count};
    }
    block *= 2;
  }
  return {};
}

}  // namespace actio::run
