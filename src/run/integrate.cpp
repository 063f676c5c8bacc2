#include <actio/run/integrate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/invariant/symmetry.hpp>

#include "batch.hpp"
#include "checkpoint_schedule.hpp"
#include "claims.hpp"
#include "clock.hpp"
#include "conservation.hpp"
#include "energy_balance.hpp"
#include "kept_constraints.hpp"
#include "looks.hpp"
#include "measuring.hpp"
#include "progress_display.hpp"
#include "replay.hpp"
#include "samples.hpp"
#include "start_checks.hpp"
#include "step_failure.hpp"
#include "within/within_steps.hpp"

namespace actio::run {

namespace {

using method::Snapshot;

// One run from start to certificate.
class Run {
 public:
  Run(method::Integrator& integrator, invariant::MomentumMap& momentum, const Task& task, const Options& options)
      : integrator_(integrator),
        task_(task),
        options_(options),
        conservation_(momentum, kept_momentum(integrator, task), task.schedule),
        constraints_(integrator, task, options),
        balance_(integrator, task),
        within_(momentum, task, options, constraints_),
        certificate_(before_start(integrator, task, constraints_.moving())),
        looks_(task.schedule, integrator.size()),
        samples_(task.schedule),
        clock_(options.clock),
        checkpoints_(options.checkpoints),
        display_(options) {}

  invariant::Certificate operator()(invariant::MomentumMap& momentum) {
    try {
      if (options_.resume.empty())
        start(momentum);
      else
        resume();
      loop();
    } catch (const core::RunError& e) { certificate_.failure = invariant::failure(e); }
    finish();
    return certificate_;
  }

 private:
  double time(long step) const { return task_.schedule.follows ? now_.state.t : task_.schedule.time(step); }
  bool over() const { return task_.schedule.over(done_, now_.state.t); }

  void start(invariant::MomentumMap& momentum) {
    check_sizes(integrator_, momentum, task_);
    integrator_.start(task_.schedule.start, task_.q0, task_.v0);
    integrator_.set_reference();
    integrator_.snapshot(now_.state);
    save_integrator();
    last_ = now_;
    check_start(integrator_, now_.state, task_, certificate_.energy.given);
    const method::Integrator& steps = integrator_.without_noise();
    const auto checks = invariant::check_symmetries(steps, momentum, now_.state, task_.schedule.step_at(0));
    conservation_.start(steps, now_.state, checks);
    balance_.start(steps, now_.state);
    last_.ledger = now_.ledger = balance_.ledger();
    balance_.measure_round_off(integrator_, now_.state);
    samples_.add(now_.state);
    clock_ = Clock(options_.clock);
    observe();
    within_.observed(0);
    within_.start(integrator_, now_.state);
    if (within_.looks_at(0)) within_.ledger(balance_.now());
    if (options_.observables && options_.observables->due(0)) reduce();
  }

  void resume() {
    core::Archive a(options_.resume);
    double spent = 0;
    archive(a, spent);
    if (!a.finished()) throw core::InputError("the saved state has another layout");
    if (done_ < 0 || done_ > task_.schedule.steps || samples_.empty())
      throw core::InputError("the saved state belongs to another run");
    clock_ = Clock(options_.clock, spent);
    checkpoints_.start(spent);
    display_.start(spent);
  }

  // All that the rest of the run depends on. `spent` [s] on it until then.
  void archive(core::Archive& a, double& spent) {
    a(done_, observed_, followed_, now_.step, last_.step, spent, balance_, now_.ledger, last_.ledger);
    a(now_.integrator, last_.integrator);
    a(certificate_.observations, certificate_.solver.iterations, certificate_.solver.factorisations,
      certificate_.solver.linear_iterations, certificate_.solver.worst_residual, certificate_.shortest, certificate_.longest,
      certificate_.energy.discrete_error, certificate_.energy.discrete_allowed);
    run::archive(a, now_.state, nullptr);
    run::archive(a, last_.state, &now_.state);
    run::archive(a, state_at_observation(observed_), &now_.state);
    samples_.archive(a, now_.state);
    a(conservation_, constraints_, next_temperature_);
    integrator_.archive(a);
    if (options_.observables) options_.observables->archive(a);
    within_.archive(a);
    a(shown_);
  }

  void checkpoint(bool must) {
    const double begin = clock_.seconds();
    const bool due = must || checkpoints_.pays(begin);
    if (!due && !integrator_.restarts()) return;
    core::Archive a;
    double spent = clock_.seconds();
    archive(a, spent);
    if (!due) return;
    options_.checkpoints.write(done_, time(done_), a.bytes());
    checkpoints_.written(begin, clock_.seconds());
  }

  // Batches end where a look, a sample, a checkpoint or a look at the clock is due. What is measured does not depend on the
  // clock.
  void loop() {
    looks_.start(done_, now_.state.t);
    while (!over()) {
      certificate_.interrupted = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
      if (certificate_.interrupted) {
        if (options_.checkpoints.write && !integrator_.restarts()) checkpoint(true);
        break;
      }
      const method::BatchReport report = step();
      if (task_.schedule.follows) look();
      looks_.at(done_, now_.state.t);
      const bool due = looks_.observation(done_), sampled = samples_.due(done_, now_.state.t);
      const bool looked_at = due || looks_.regular();
      const bool reduced = report.ok && options_.observables && options_.observables->due(done_);
      const bool within = report.ok && within_.looks_at(done_);
      if (looked_at || !report.ok || sampled || reduced || within || within_.observes(done_) || looks_.at_interval(done_)) look();
      if (looked_at && !std::isfinite(integrator_.energy())) find_failed_step(done_, {});
      if (!report.ok) fail(report);
      if (within && look_within()) break;
      if (due || within_.observes(done_)) {
        observe();
        if (due) looks_.observed();
        within_.observed(done_);
      } else if (looked_at) {
        follow();
      }
      if (reduced) reduce();
      if (sampled) {
        samples_.add(now_.state);
        balance_.measure_round_off(integrator_, now_.state);
      }
      if (checkpoints_.due_by_steps(done_) && !over()) checkpoint(false);
      if (clock_.due(report.steps)) report_progress();
    }
    if (certificate_.interrupted && observed_ != done_) {
      look();
      observe();
    }
  }

  // A batch of steps.
  method::BatchReport step() {
    const long due = std::min(looks_.next(done_), samples_.next());
    const long most = constraints_.averages() ? 1 : std::min(clock_.interval(), looks_.interval());
    const long reduced = options_.observables ? options_.observables->next(done_) : due;
    const long target = checkpoints_.end_of_batch(done_, std::min({due, done_ + most, reduced, within_.next(done_)}));
    method::BatchReport report;
    try {
      method::BatchOptions how{balance_.since(), target == due};
      if (task_.schedule.follows) how = {balance_.since(), target == due, done_, looks_.until()};
      report = advance(integrator_, task_.schedule, done_, target, how);
    } catch (const core::InputError& e) {
      keep();
      find_failed_step(target, e.diagnostic().message);
    }
    note(report);
    if (report.ok && report.steps == 0) throw std::logic_error("a batch of no steps");  // it would be asked for again
    done_ += report.steps;
    if (constraints_.averages() && report.ok) {
      look();
      constraints_.average(now_.state);
    }
    return report;
  }

  void note(const method::BatchReport& report) {
    balance_.since(report.work);
    certificate_.solver.iterations += report.iterations;
    certificate_.solver.factorisations += report.factorisations;
    certificate_.solver.linear_iterations += report.linear_iterations;
    certificate_.solver.worst_residual = std::max(certificate_.solver.worst_residual, report.worst_residual);
    if (certificate_.claims.discrete_energy) {
      certificate_.energy.discrete_error = std::fmax(certificate_.energy.discrete_error, report.energy_off);
      certificate_.energy.discrete_allowed = std::fmax(certificate_.energy.discrete_allowed, 32 * report.energy_round_off);
    }
    if (task_.schedule.follows && report.steps > 0) {
      certificate_.shortest = std::fmin(certificate_.shortest, report.shortest);
      certificate_.longest = std::fmax(certificate_.longest, report.longest);
    }
  }

  // The state of the last observation, at that step: one of those seen, as long as it is, else kept apart.
  Snapshot& state_at_observation(long step) {
    return now_.step == step ? now_.state : last_.step == step ? last_.state : observed_state_;
  }

  // The state seen last becomes the last good one.
  void keep() {
    if (last_.step == observed_ && now_.step != observed_) std::swap(last_.state, observed_state_);
    std::swap(last_.state, now_.state);
    last_.step = now_.step;
    last_.ledger = now_.ledger;
    std::swap(last_.integrator, now_.integrator);
  }
  void save_integrator() {
    if (!task_.schedule.follows) return;
    core::Archive a;
    integrator_.archive(a);
    now_.integrator = a.take();
  }

  void look() {
    balance_.look();
    if (now_.step == done_) return;
    keep();
    try {
      integrator_.snapshot(now_.state);
    } catch (const core::InputError& e) {
      find_failed_step(done_, e.diagnostic().message);
    }  // no velocity or momentum can be told
    if (!finite(now_.state)) find_failed_step(done_, "the next state is not finite");
    now_.step = done_;
    now_.ledger = balance_.ledger();
    save_integrator();
  }

  // Energy and momenta of now_.
  double follow() {
    now_.state.t = time(done_);
    const double energy = integrator_.energy();
    followed_ = done_;
    const double kinetic = 0.5 * now_.state.p.cwiseAbs().dot(now_.state.v.cwiseAbs());
    const double of_steps = certificate_.claims.thermostat ? energy - balance_.exchanged() : energy;
    conservation_.observe(integrator_, now_.state, of_steps, kinetic, done_, certificate_.solver.worst_residual, looks_.regular(),
                          looks_.even(done_));
    balance_.observe(integrator_, now_.state, energy, kinetic, done_);
    if (certificate_.claims.thermostat && done_ >= next_temperature_) {
      integrator_.look_at_temperature();
      next_temperature_ = done_ + std::max(1L, task_.schedule.steps / temperatures);
    }
    return energy;
  }

  void reduce() {
    now_.state.t = time(done_);
    options_.observables->reduce(integrator_, now_.state, done_);
  }

  // The step that was made last, where observations or events lie within it. True when an event ended the run.
  bool look_within() {
    const bool into = within_.looks_into(done_);
    now_.state.t = time(done_);
    if (within_.own_times()) {
      if (followed_ != done_) follow();
      within_.ledger(balance_.now());
    }
    if (!into || !within_.step(integrator_, last_.state, now_.state, done_, over(), [&](const Observation& now) {
          if (!(now.state.t - shown_ <= task_.schedule.blur(done_))) show(now);  // a stop at the end of a step that was shown
        }))
      return false;
    ended_ = true;
    observe();
    return true;
  }

  void show(const Observation& now) {
    for (Observer* o : options_.observers) o->observe(now);
    shown_ = now.state.t;
    ++certificate_.observations;
  }

  // `always`: where observations are at times of their own too.
  void record(bool always = false) {
    const double energy = followed_ == done_ ? integrator_.energy() : follow();
    observed_ = done_;
    constraints_.observe(now_.state, task_.schedule.step_at(done_));
    if (ended_ || (within_.own_times() && !within_.observes(done_) && !always)) return;
    show({done_,
          now_.state,
          certificate_.energy.given ? energy : invariant::unmeasured,
          conservation_.momentum(),
          balance_.now(),
          constraints_.multipliers(),
          {},
          observed()});
  }

  std::span<const double> observed() {
    if (!options_.observables || options_.observables->columns().empty()) return {};
    return options_.observables->values(integrator_, now_.state, done_);
  }

  void observe() {
    const long before = observed_ < 0 ? done_ : observed_;
    const Snapshot& state_before = state_at_observation(before);
    record();
    recheck_symmetry(conservation_, integrator_.without_noise(), task_.schedule, state_before, before, now_);
    conservation_.check(task_.bounds, done_, now_.state.t, certificate_.method);
    if (certificate_.solver.worst_residual > task_.bounds.residual)
      throw core::RunError(done_, now_.state.t,
                           fmt::format("the solver's residual {:.2e} is above the declared bound {:.2e}",
                                       certificate_.solver.worst_residual, task_.bounds.residual),
                           "halve run.step, or widen certificate.residual");
  }

  long planned() const { return task_.schedule.planned(done_, now_.state.t); }

  void report_progress() {
    const double now = clock_.seconds();
    display_.show({done_, planned(), now});
    if (checkpoints_.due_by_time(now) && !over()) checkpoint(true);
  }

  // Ends the run before the step, not behind `end`, whose state or energy is not finite. `lost` as for not_finite.
  [[noreturn]] void find_failed_step(long end, const std::string& lost) {
    replay_to_failure(integrator_, task_.schedule, end, last_);
    now_ = last_;
    done_ = last_.step;
    looks_.at(done_, now_.state.t);
    balance_.go_back_to(last_.ledger);
    integrator_.start(now_.state.t, now_.state.q, now_.state.v);
    if (observed_ != done_) record(true);
    throw not_finite(done_, time(done_), lost);
  }

  [[noreturn]] void fail(const method::BatchReport& report) {
    if (observed_ != done_) record(true);
    throw not_solved(done_, time(done_), report, constraints_.kept() && !integrator_.properties().prescribed, task_);
  }

  void finish() {
    certificate_.wall_seconds = clock_.seconds();
    certificate_.steps = done_;
    certificate_.planned = planned();
    certificate_.last = finite(now_.state) ? now_.state : last_.state;
    certificate_.last.t = time(done_);
    if (ended_) certificate_.last = within_.end();
    conservation_.report(certificate_);
    if (auto& e = certificate_.energy; !e.given)  // what was followed is the kinetic energy alone
      e.initial = e.max_error = e.max_error_time = e.resolution = e.lost = e.early_error = e.late_error = e.drift_per_step =
          e.drift_confidence = invariant::unmeasured;
    balance_.report(certificate_);
    certificate_.constraints = constraints_.report();
    certificate_.rotations = constraints_.rotations(task_.schedule.to_a_time() ? done_ : task_.schedule.steps);
    certificate_.thermostat = integrator_.bath();
    report_contacts();
    measure();
    for (Observer* o : options_.observers) {
      try {
        o->flush();
      } catch (const core::RunError& e) {
        if (!certificate_.failure) certificate_.failure = invariant::failure(e);
      }
    }
    invariant::judge(certificate_);
  }

  void report_contacts() {
    const method::Impacts* seen = integrator_.impacts();
    if (!seen) return;
    certificate_.contacts = invariant::Certificate::Contacts();
    invariant::Certificate::Contacts& out = *certificate_.contacts;
    out.impacts = seen->count;
    out.resting = seen->resting;
    out.lost = seen->lost;
    out.lowest_gap = seen->lowest_gap;
    out.open = !(seen->lowest < -1e4);
    // A contact that lasts is a constraint, and the coordinates across it belong to no form.
    if (std::ranges::any_of(seen->table, [](const method::Impact& one) { return one.lasts; })) {
      certificate_.claims.keeps = method::Keeps::nothing;
      certificate_.claims.reversible = false;
    }
  }

  void measure() {
    certificate_.measuring.level = options_.level;
    if (!certificate_.claims.step_map || samples_.empty() || !finite(samples_.states()[0])) return;
    if (certificate_.claims.reversible_steps && !motion_reverses(integrator_, samples_.states()))
      certificate_.claims.reversible_steps = false;
    std::vector<Snapshot> states(samples_.states().begin(), samples_.states().end());
    std::vector<double> steps = samples_.steps();
    if (const method::Impacts* seen = integrator_.impacts(); seen && seen->h > 0) {  // a step with an impact in place of the last
      states.back() = seen->within;
      steps.back() = seen->h;
      certificate_.contacts->within = true;
    }
    measure_step(integrator_.without_noise(), states, steps, task_, options_, certificate_, [&](long done, long total) {
      if (display_.shown()) options_.progress({done_, planned(), clock_.seconds(), done, total});
    });
  }

  method::Integrator& integrator_;
  const Task& task_;
  const Options& options_;
  Conservation conservation_;
  KeptConstraints constraints_;
  EnergyBalance balance_;
  WithinSteps within_;
  invariant::Certificate certificate_;
  Looks looks_;
  Samples samples_;
  Clock clock_;
  CheckpointSchedule checkpoints_;
  ProgressDisplay display_;
  long done_ = 0, observed_ = -1, followed_ = -1;
  bool ended_ = false;                                       // by an event
  double shown_ = std::numeric_limits<double>::quiet_NaN();  // the time of the last observation
  static constexpr long temperatures = 2000;                 // at most so many are looked at
  long next_temperature_ = 1;                                // not before this step
  Seen now_, last_;                                          // the state seen last, and a good one before it
  Snapshot observed_state_;                                  // of the last observation, once neither of these is
};

}  // namespace

invariant::Certificate integrate(method::Integrator& integrator, invariant::MomentumMap& momentum, const Task& task,
                                 const Options& options) {
  if (!task.method.transforms_time || task.schedule.follows) return Run(integrator, momentum, task, options)(momentum);
  Task following = task;
  following.schedule.follows = true;
  return Run(integrator, momentum, following, options)(momentum);
}

}  // namespace actio::run
