#pragma once
#include <actio/run/integrate.hpp>

namespace actio::run {

// Shows how far a run is at most ten times a second, and lets its observers write once a second.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(const Options& options) : options_(options) {}
  void start(double seconds) { shown_ = flushed_ = seconds; }
  void show(const Progress& now) {
    if (options_.progress && now.seconds - shown_ >= 0.1) {
      shown_ = now.seconds;
      options_.progress(now);
    }
    if (now.seconds - flushed_ >= 1.0) {
      flushed_ = now.seconds;
      for (Observer* o : options_.observers) o->flush();
    }
  }
  bool shown() const { return options_.progress && shown_ > 0; }

 private:
  const Options& options_;
  double shown_ = 0, flushed_ = 0;  // when [s]
};

}  // namespace actio::run
