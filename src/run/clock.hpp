#pragma once
#include <algorithm>
#include <chrono>
#include <functional>

namespace actio::run {

// Seconds since the first step, asked for so seldom that asking costs nothing.
class Clock {
 public:
  // Reads `given` [s], or this machine's clock where there is none. `before` [s] have passed when it begins.
  explicit Clock(const std::function<double()>& given, double before = 0) : now_(given ? given : steady), before_(before) {}
  double seconds() const { return before_ + (now_() - start_); }
  // True about every 20 ms.
  bool due(long steps) {
    since_ += steps;
    if (since_ < interval_) return false;
    const double t = now_(), elapsed = t - last_;
    if (elapsed < 0.01) interval_ *= 2;
    if (elapsed > 0.04) interval_ = std::max(1L, interval_ / 2);
    last_ = t;
    since_ = 0;
    return true;
  }
  long interval() const { return interval_; }

 private:
  static double steady() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
  std::function<double()> now_;
  double before_;
  double start_ = now_(), last_ = start_;
  long since_ = 0, interval_ = 1;
};

}  // namespace actio::run
