#pragma once
#include <actio/core/function_ref.hpp>
#include <actio/invariant/momentum.hpp>
#include <actio/run/events.hpp>
#include <actio/run/integrate.hpp>
#include <optional>

#include "../kept_constraints.hpp"

namespace actio::run {

// What a run says of the inside of its steps: observations at times of their own, and events. Whatever is made of them, the steps
// are the same.
class WithinSteps {
 public:
  WithinSteps(invariant::MomentumMap& momentum, const Task& task, const Options& options, KeptConstraints& constraints);

  // Observations are at times of their own, not every so many steps.
  bool own_times() const { return !task_.schedule.at.empty(); }
  // One of them is that after so many steps.
  bool observes(long step) const { return step == exact_; }  // never where steps follow the motion: they are within the last one
  void observed(long step);
  // The last step of a batch after `done` that need not be looked at; whether the state after `step` is.
  long next(long done) const;
  bool looks_at(long step) const { return each() || step == inside_ || step + 1 == inside_; }
  bool looks_into(long step) const { return each() || step == inside_; }  // the step that ends there
  // The ledger, at each state that is looked at.
  void ledger(const LedgerEntry* now);

  void start(const method::Integrator& integrator, const method::Snapshot& state);
  // The step to the integrator's state after `done` steps, with those at both ends: observations go to `observe`. True when an
  // event ends the run in it, with an observation there, and nothing after it.
  bool step(const method::Integrator& integrator, const method::Snapshot& before, const method::Snapshot& after, long done,
            bool over, core::FunctionRef<void(const Observation&)> observe);
  const method::Snapshot& end() const { return end_; }  // where an event ended it
  void archive(core::Archive& a);

 private:
  // Each step is looked into.
  bool each() const { return options_.events || (own_times() && task_.schedule.follows); }
  bool within(double t) const;  // the next time is within the step to t
  void advance_to(std::size_t next);
  void observe_at(double s, long done, core::FunctionRef<void(const Observation&)> observe);

  invariant::MomentumMap& momentum_;
  const Task& task_;
  const Options& options_;
  KeptConstraints& constraints_;
  std::optional<StatesWithin> states_;
  std::size_t next_ = 0;  // of the times
  // Of the next time: the step whose end it is, or the one that it is within; -1: neither.
  long exact_ = -1, inside_ = -1;
  bool kept_ = false;  // a ledger is
  LedgerEntry before_, after_, now_;
  std::vector<double> J_, scale_;
  Eigen::VectorXd lambda_;
  method::Snapshot end_;
};

}  // namespace actio::run
