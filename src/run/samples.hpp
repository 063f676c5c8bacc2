#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include <actio/core/error.hpp>
#include <actio/run/schedule.hpp>

#include "snapshots.hpp"

namespace actio::run {

// The states at which the step is measured: at the start and after each quarter of the steps.
class Samples {
 public:
  explicit Samples(const Schedule& schedule) : schedule_(schedule) {}
  bool empty() const { return states_.empty(); }
  std::span<const method::Snapshot> states() const { return states_; }
  // The step after which the next one is due; behind the last step when there are no more, or when it is due by time.
  long next() const { return schedule_.to_a_time() ? schedule_.steps + 1 : step(static_cast<long>(states_.size())); }
  bool due(long done, double t) const {
    if (!schedule_.to_a_time()) return done == next();
    const auto k = static_cast<double>(states_.size());
    return k <= most && (schedule_.over(done, t) || schedule_.done(done, t) >= k / most);
  }
  void add(const method::Snapshot& s) { states_.push_back(s); }
  // h of the step that leaves each of the states.
  std::vector<double> steps() const {
    std::vector<double> h;
    for (long k = 0; k < static_cast<long>(states_.size()); ++k)
      h.push_back(schedule_.step_at(schedule_.to_a_time() ? 0 : step(k)));
    return h;
  }
  void archive(core::Archive& a, const method::Snapshot& seen) {
    std::size_t count = states_.size();
    a(count);
    if (count > most + 1) throw core::InputError("the saved state has another layout");
    states_.resize(count);
    for (method::Snapshot& s : states_) run::archive(a, s, &seen);
  }

 private:
  static constexpr long most = 4;  // after the start
  long step(long k) const {
    const long n = schedule_.steps;
    return k > most ? n + 1 : std::max(k, n / most * k + n % most * k / most);
  }
  const Schedule& schedule_;
  std::vector<method::Snapshot> states_;
};

}  // namespace actio::run
