#pragma once
#include <algorithm>

#include <actio/run/schedule.hpp>

namespace actio::run {

// When a run looks at the state: where an observation is due, regularly for the certificate, and at intervals at which a NaN is
// soon seen and large systems are not copied every step. None of them depends on the clock.
class Looks {
 public:
  Looks(const Schedule& schedule, long coordinates)
      : steps_(schedule.steps),
        every_(schedule.at.empty() ? std::max(1L, schedule.every) : std::max(1L, schedule.steps / 64)),
        regular_(std::max(1L, schedule.steps / 64)),
        interval_(std::clamp(20'000'000 / std::max(1L, coordinates), 16L, 2000L)) {}

  // Of a run that has done so many steps.
  void start(long done) { observation_ = multiple_after(done, every_); }
  long next(long done) const {
    return std::min({steps_, observation_, multiple_after(done, interval_), multiple_after(done, regular_)});
  }
  long interval() const { return interval_; }
  bool observation(long done) const { return done == observation_ || done == steps_; }
  void observed() { observation_ += every_; }
  // For the certificate alone: some sixty in a run, however seldom it is observed.
  bool regular(long done) const { return done % regular_ == 0; }
  // One of evenly spaced looks that are followed.
  bool even(long done) const { return done % std::min(every_, regular_) == 0 || done == steps_; }
  bool at_interval(long done) const { return done % interval_ == 0; }

 private:
  static long multiple_after(long done, long of) { return (done / of + 1) * of; }
  long steps_, every_, regular_, interval_;
  long observation_ = 0;  // the step of the next one
};

}  // namespace actio::run
