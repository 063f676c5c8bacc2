#include "within_steps.hpp"

#include <actio/core/error.hpp>
#include <cmath>

namespace actio::run {
namespace {

LedgerEntry between(const LedgerEntry& a, const LedgerEntry& b, double s) {
  const auto at = [s](double x, double y) { return x + s * (y - x); };
  return {at(a.external, b.external),     at(a.constraints, b.constraints), at(a.heat, b.heat),
          at(a.dissipated, b.dissipated), at(a.method, b.method),           at(a.solver, b.solver)};
}

}  // namespace

WithinSteps::WithinSteps(invariant::MomentumMap& momentum, const Task& task, const Options& options, KeptConstraints& constraints)
    : momentum_(momentum), task_(task), options_(options), constraints_(constraints) {
  if (!own_times() && !options.events) return;
  if (!options.dense) throw core::InputError("observations within steps, and events, need a dense output", "set Options::dense");
  states_.emplace(*options.dense);
  J_.resize(momentum.size());
  scale_.resize(momentum.size());
  advance_to(0);
}

void WithinSteps::advance_to(std::size_t next) {
  next_ = next;
  exact_ = inside_ = -1;
  const Schedule& s = task_.schedule;
  if (next_ >= s.at.size() || s.follows) return;
  const long k = s.first_at(s.at[next_]);
  if (k > s.steps) return;
  (std::abs(s.time(k) - s.at[next_]) <= s.blur(k) ? exact_ : inside_) = k;
}

void WithinSteps::observed(long step) {
  while (exact_ == step) advance_to(next_ + 1);
}

long WithinSteps::next(long done) const {
  if (each()) return done + 1;
  if (inside_ >= 0) return inside_ - 1 > done ? inside_ - 1 : inside_;
  return exact_ >= 0 ? exact_ : task_.schedule.steps;
}

void WithinSteps::ledger(const LedgerEntry* now) {
  before_ = after_;
  kept_ = now != nullptr;
  if (now) after_ = *now;
}

void WithinSteps::start(const method::Integrator& integrator, const method::Snapshot& state) {
  if (options_.events) options_.events->start(integrator, state);
}

bool WithinSteps::within(double t) const {
  const Schedule& s = task_.schedule;
  return s.follows && next_ < s.at.size() && (s.at[next_] <= t || (s.to_a_time() && s.over(0, t)));
}

bool WithinSteps::step(const method::Integrator& integrator, const method::Snapshot& before, const method::Snapshot& after,
                       long done, bool over, core::FunctionRef<void(const Observation&)> observe) {
  states_->step(integrator, before, after, done);
  std::optional<double> end;
  if (options_.events) end = options_.events->step(*states_, integrator, before, after, done, over);
  while (inside_ == done || within(after.t)) {
    const double s = std::min(1.0, (task_.schedule.at[next_] - before.t) / (after.t - before.t));
    if (end && s > *end) break;
    observe_at(s, done, observe);
    advance_to(next_ + 1);
  }
  if (!end) return false;
  observe_at(*end, done, observe);
  end_ = states_->at(*end);
  return true;
}

void WithinSteps::observe_at(double s, long done, core::FunctionRef<void(const Observation&)> observe) {
  const method::Snapshot& state = states_->at(s);
  const method::Integrator& there = states_->there();
  momentum_(state.t, state.q, state.p, J_, scale_);
  now_ = between(before_, after_, s);
  std::span<const double> values;
  if (options_.observables && !options_.observables->columns().empty()) {
    options_.observables->forget_state();
    values = options_.observables->values(there, state, done - 1);
    options_.observables->forget_state();
  }
  observe({done - 1,
           state,
           there.properties().energy ? there.energy() : invariant::unmeasured,
           J_,
           kept_ ? &now_ : nullptr,
           constraints_.multipliers_at(there, task_.schedule.step_at(done - 1), lambda_),
           {},
           values});
}

void WithinSteps::archive(core::Archive& a) {
  std::size_t next = next_;
  a(next, before_, after_, kept_);
  if (a.reading() && states_) advance_to(next);
  if (options_.events) options_.events->archive(a);
}

}  // namespace actio::run
