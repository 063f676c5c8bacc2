#pragma once
#include <algorithm>
#include <chrono>

namespace actio::run {

// Seconds since the first step, asked for so seldom that asking costs nothing.
class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(now() - start_).count(); }
  // True about every 20 ms.
  bool due(long steps) {
    since_ += steps;
    if (since_ < interval_) return false;
    const auto t = now();
    const double elapsed = std::chrono::duration<double>(t - last_).count();
    if (elapsed < 0.01) interval_ *= 2;
    if (elapsed > 0.04) interval_ = std::max(1L, interval_ / 2);
    last_ = t;
    since_ = 0;
    return true;
  }
  long interval() const { return interval_; }

 private:
  using Time = std::chrono::steady_clock;
  static Time::time_point now() { return Time::now(); }
  Time::time_point start_ = now(), last_ = start_;
  long since_ = 0, interval_ = 1;
};

}  // namespace actio::run
