#pragma once
#include <algorithm>
#include <limits>

#include <actio/run/schedule.hpp>

namespace actio::run {

// When a run looks at the state: where an observation is due, regularly for the certificate, and at intervals at which a NaN is
// soon seen and large systems are not copied every step. None of them depends on the clock. Of steps that follow the motion to a
// given time nobody knows how many there are: then what is regular is so in time, to the step.
class Looks {
 public:
  Looks(const Schedule& schedule, long coordinates)
      : schedule_(schedule),
        steps_(schedule.steps),
        every_(schedule.at.empty() || schedule.to_a_time() ? std::max(1L, schedule.every) : std::max(1L, schedule.steps / parts)),
        regular_(std::max(1L, schedule.steps / parts)),
        interval_(std::clamp(20'000'000 / std::max(1L, coordinates), 16L, 2000L)) {}

  // Of a run that has done so many steps, and is at t.
  void start(long done, double t) {
    observation_ = multiple_after(done, every_);
    part_ = 0;
    go_on_to(t);
    regular_now_ = over_ = false;
  }
  // After each batch.
  void at(long done, double t) {
    over_ = schedule_.over(done, t);
    const long part = part_;
    go_on_to(t);
    regular_now_ = done == 0 || (schedule_.to_a_time() ? part_ > part : done % regular_ == 0);
  }
  bool over() const { return over_; }
  // The last step of the batch after `done`, and the time until which it goes.
  long next(long done) const {
    return std::min({steps_, observation_, multiple_after(done, interval_), multiple_after(done, regular_)});
  }
  double until() const {
    if (!schedule_.to_a_time()) return std::numeric_limits<double>::infinity();
    if (part_ + 1 >= parts) return schedule_.first_over();
    return schedule_.start + static_cast<double>(part_ + 1) / parts * (schedule_.end - schedule_.start);
  }
  long interval() const { return interval_; }
  bool observation(long done) const { return done == observation_ || over_; }
  void observed() { observation_ += every_; }
  // For the certificate alone: some sixty in a run, however seldom it is observed.
  bool regular() const { return regular_now_; }
  // One of evenly spaced looks that are followed.
  bool even(long done) const {
    return schedule_.to_a_time() ? done % every_ == 0 : done % std::min(every_, regular_) == 0 || done == steps_;
  }
  bool at_interval(long done) const { return done % interval_ == 0; }

 private:
  static constexpr long parts = 64;
  static long multiple_after(long done, long of) { return (done / of + 1) * of; }
  // By the comparison with which a batch ends.
  void go_on_to(double t) {
    while (part_ < parts && t >= until()) ++part_;
  }
  const Schedule& schedule_;
  long steps_, every_, regular_, interval_;
  long observation_ = 0;                    // the step of the next one
  long part_ = 0;                           // of the run's time that the last state is in
  bool regular_now_ = true, over_ = false;  // as at the start
};

}  // namespace actio::run
