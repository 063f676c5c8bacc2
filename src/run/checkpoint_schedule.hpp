#pragma once
#include <algorithm>

#include <actio/run/integrate.hpp>

namespace actio::run {

// When a run is written down. A file a millisecond is of no use: one that is due by steps waits for fifty times what the last one
// took.
class CheckpointSchedule {
 public:
  explicit CheckpointSchedule(const Checkpoints& wanted) : wanted_(wanted), every_(wanted.write ? wanted.every : 0) {}
  // The last step of a batch that begins after `done` and is to end at `target`.
  long end_of_batch(long done, long target) const { return every_ > 0 ? std::min(target, (done / every_ + 1) * every_) : target; }
  bool due_by_steps(long done) const { return every_ > 0 && done % every_ == 0; }
  bool due_by_time(double seconds) const { return wanted_.write && wanted_.seconds > 0 && seconds - written_ >= wanted_.seconds; }
  bool pays(double seconds) const { return seconds - written_ >= 50 * cost_; }

  void start(double seconds) { written_ = seconds; }
  void written(double from, double to) {
    written_ = to;
    cost_ = to - from;
  }

 private:
  const Checkpoints& wanted_;
  long every_;
  double written_ = 0, cost_ = 0;  // the last one: when, and what it took [s]
};

}  // namespace actio::run
