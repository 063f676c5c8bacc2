#pragma once
#include <actio/core/archive.hpp>
#include <algorithm>
#include <cmath>

namespace actio::solve {

// When a factor that is kept over the calls of a solver should be replaced: as a machine is, once what the last call took exceeds
// the mean of all since it was bought, cost included (and sooner where a call promises to take that long). The unit is a solve
// with the residual it is for; a factorisation costs `cost` of them, counted rather than measured, so that runs repeat.
class FactorReusePolicy {
 public:
  static constexpr double least_cost = 4;  // below it nothing is kept
  bool worth_reusing() const { return cost_ >= least_cost; }

  void factored(double cost) {
    cost_ = spent_ = cost;
    solves_ = last_ = calls_ = 0;
  }
  void begin() { solves_ = 0; }
  void solved() {
    ++spent_;
    ++solves_;
  }
  void end() {
    ++calls_;
    last_ = solves_;
  }

  bool should_refactor() const { return calls_ > 0 && last_ > spent_ / calls_; }
  // `left`: further solves that this call would take
  bool should_refactor(double left) const {
    return left > few && (calls_ > 0 ? solves_ + left > (spent_ - solves_) / calls_ : left > cost_);
  }

  // Increments until what is left of theta |dx| + theta^2 |dx| + ... is no more than `target`.
  static double solves_left(double theta, double dx, double target) {
    if (!(theta < 1)) return 1e9;
    if (theta <= 0) return 0;
    return std::max(0.0, std::log(target * (1 - theta) / (theta * dx)) / std::log(theta));
  }

  void archive(core::Archive& a) { a(cost_, spent_, solves_, last_, calls_); }

 private:
  static constexpr double few = 3;  // solves that a new factor takes as well
  double cost_ = 0, spent_ = 0;
  double solves_ = 0, last_ = 0;  // of this call, and of the last
  double calls_ = 0;              // that came to their end with this factor
};

}  // namespace actio::solve
