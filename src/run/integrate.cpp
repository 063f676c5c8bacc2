#include <actio/run/integrate.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/invariant/scales.hpp>
#include <actio/invariant/symmetry.hpp>

#include "batch.hpp"
#include "claims.hpp"
#include "clock.hpp"
#include "conservation.hpp"
#include "kept_constraints.hpp"
#include "ledger.hpp"
#include "measuring.hpp"
#include "snapshots.hpp"

namespace actio::run {

namespace {

using method::Snapshot;

// "error: no acceleration\n  try ..." -> "no acceleration".
std::string first_line(std::string_view message) {
  constexpr std::string_view prefix = "error: ";
  if (message.substr(0, prefix.size()) == prefix) message.remove_prefix(prefix.size());
  return std::string(message.substr(0, message.find('\n')));
}

// One run from start to certificate.
class Run {
 public:
  Run(method::Integrator& integrator, invariant::MomentumMap& momentum, const Task& task, const Options& options)
      : integrator_(integrator),
        task_(task),
        options_(options),
        conservation_(momentum, kept_momentum(integrator, task), task.schedule),
        constraints_(integrator, task, options),
        clock_(options.clock) {}

  invariant::Certificate operator()(invariant::MomentumMap& momentum) {
    certificate_.title = task_.title;
    certificate_.method = task_.method.name;
    const method::SystemProperties properties = integrator_.properties();
    certificate_.order = task_.method.order(properties.friction);
    certificate_.claims = claims(integrator_, task_);
    certificate_.energy.defined = properties.energy;
    certificate_.energy.declared = properties.energy && !properties.lagrangian;
    certificate_.energy.given = properties.energy || !properties.lagrangian;
    keeps_ledger_ = keeps_ledger(integrator_, task_);
    certificate_.coordinates = integrator_.size();
    certificate_.step = task_.schedule.step.largest();
    certificate_.smallest_step = task_.schedule.step.smallest();
    certificate_.different_steps = std::max(1L, task_.schedule.step.different());
    certificate_.planned = task_.schedule.steps;
    certificate_.energy.conserved =
        task_.autonomous && properties.energy && properties.lagrangian && !properties.forced && !constraints_.moving();
    try {
      if (options_.resume.empty())
        start(momentum);
      else
        resume();
      loop();
    } catch (const core::RunError& e) { certificate_.failure = {e.step, e.t, e.what()}; }
    finish();
    return certificate_;
  }

 private:
  double time(long step) const { return task_.schedule.time(step); }
  double seconds() const { return before_ + clock_.seconds(); }

  void start(invariant::MomentumMap& momentum) {
    const long n = integrator_.size();
    if (task_.q0.size() != n || task_.v0.size() != n || momentum.coordinates() > n)
      throw core::InputError(fmt::format("the system has {} coordinates, but q0 has {}, v0 has {}, and the symmetries need {}", n,
                                         task_.q0.size(), task_.v0.size(), momentum.coordinates()));
    integrator_.start(task_.schedule.start, task_.q0, task_.v0);
    integrator_.snapshot(now_);
    last_ = now_;
    if (!finite(now_) || !std::isfinite(integrator_.energy()))
      throw core::RunError(0, time(0), "the initial state has no finite energy",
                           "check [initial] against the domain of the potential");
    if (!certificate_.energy.given && std::isfinite(task_.bounds.energy))
      throw core::RunError(0, time(0), "certificate.energy sets a bound, but the code does not compute the energy",
                           "give the energy beside the residual");
    const double h = task_.schedule.step.smallest(), latest = std::max(std::abs(time(0)), std::abs(time(task_.schedule.steps)));
    if (task_.schedule.steps > 0 && std::abs(h) < 16 * std::numeric_limits<double>::epsilon() * latest)
      throw core::RunError(0, time(0), fmt::format("a step of {:.3g} does not change a time of {:.6g}", h, latest),
                           "set run.start nearer to 0");
    const auto checks = invariant::check_symmetries(integrator_, momentum, now_, task_.schedule.step_at(0));
    conservation_.start(integrator_, now_, checks);
    ledger_.start(integrator_.energy(), task_.autonomous, task_.schedule.steps, task_.terms);
    if (certificate_.claims.energy_balanced && task_.rest.size() > 0)
      ledger_.round_off(invariant::rounding_of_energy(integrator_, now_.t, task_.rest, Eigen::VectorXd::Zero(task_.rest.size())));
    last_ledger_ = seen_ledger_ = ledger_;
    if (certificate_.claims.energy_balanced) cancelling_ = invariant::cancellation(integrator_, now_, task_.schedule.step_at(0));
    measure_round_off();
    samples_.push_back(now_);
    clock_ = Clock(options_.clock);
    observe();
  }

  void resume() {
    core::Archive a(options_.resume);
    archive(a);
    if (!a.finished()) throw core::InputError("the saved state has another layout");
    if (done_ < 0 || done_ > task_.schedule.steps || samples_.empty())
      throw core::InputError("the saved state belongs to another run");
    clock_ = Clock(options_.clock);
    shown_ = flushed_ = written_ = before_;
  }

  // All that the rest of the run depends on.
  void archive(core::Archive& a) {
    double spent = seconds();
    a(done_, observed_, followed_, seen_, last_step_, spent, cancelling_, since_, ledger_, seen_ledger_, last_ledger_);
    a(certificate_.observations, certificate_.solver.iterations, certificate_.solver.factorisations,
      certificate_.solver.linear_iterations, certificate_.solver.worst_residual);
    if (a.reading()) before_ = spent;
    archive(a, now_, nullptr);
    archive(a, last_, &now_);
    archive(a, observed_state_, &now_);
    std::size_t samples = samples_.size();
    a(samples);
    if (samples > 5) throw core::InputError("the saved state has another layout");
    samples_.resize(samples);
    for (Snapshot& s : samples_) archive(a, s, &now_);
    a(conservation_, constraints_);
    integrator_.archive(a);
  }
  // Many are the state seen last, or one before it.
  static void archive(core::Archive& a, Snapshot& s, const Snapshot* other) {
    bool same = other != nullptr && !a.reading() && same_bits(s, *other);
    a(same);
    if (!same) {
      a(s.t, s.q, s.v, s.p);
    } else if (a.reading()) {
      if (!other) throw core::InputError("the saved state has another layout");
      s = *other;
    }
  }

  // A file a millisecond is of no use: one that is not a must waits for fifty times what the last one took.
  void checkpoint(bool must) {
    const double now = seconds();
    const bool due = must || now - written_ >= 50 * cost_;
    if (!due && !integrator_.restarts()) return;
    core::Archive a;
    archive(a);
    if (!due) return;
    options_.checkpoints.write(done_, time(done_), a.bytes());
    written_ = seconds();
    cost_ = written_ - now;
  }

  // Batches end where an observation, a sample, an interval or a look at the clock is due. The state is taken for the first
  // three: a NaN is soon seen, and large systems are not copied every step. What is measured does not depend on the clock.
  void loop() {
    const Schedule& s = task_.schedule;
    const long every = std::max(1L, s.every);
    const long interval = std::clamp(20'000'000 / std::max(1L, integrator_.size()), 16L, 2000L);
    const long saved = options_.checkpoints.write ? options_.checkpoints.every : 0;
    const long regular = regular_looks();
    long next_sample = sample_step(static_cast<long>(samples_.size())), next_look = (done_ / every + 1) * every;
    while (done_ < s.steps) {
      certificate_.interrupted = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
      if (certificate_.interrupted) {
        if (options_.checkpoints.write && !integrator_.restarts()) checkpoint(true);
        break;
      }
      const long most = constraints_.averages() ? 1 : std::min(clock_.interval(), interval);
      const long due_at =
          std::min({s.steps, next_look, next_sample, (done_ / interval + 1) * interval, (done_ / regular + 1) * regular});
      long target = std::min(due_at, done_ + most);
      if (saved > 0) target = std::min(target, (done_ / saved + 1) * saved);
      method::BatchReport report;
      try {
        report = advance(integrator_, s, done_, target, {since_, target == due_at});
      } catch (const core::InputError& e) {
        keep();
        find_failed_step(target, first_line(e.what()));
      }
      note(report);
      done_ += report.steps;
      if (constraints_.averages() && report.ok) {
        sample();
        constraints_.average(now_);
      }
      const bool due = done_ == next_look || done_ == s.steps, looked_at = due || done_ % regular == 0;
      if (looked_at || !report.ok || done_ == next_sample || done_ % interval == 0) sample();
      if (looked_at && !std::isfinite(integrator_.energy())) find_failed_step(done_, {});
      if (!report.ok) fail(report);
      if (due) {
        observe();
        next_look += every;
      } else if (looked_at) {
        follow();
      }
      if (done_ == next_sample) {
        samples_.push_back(now_);
        measure_round_off();
        next_sample = sample_step(static_cast<long>(samples_.size()));
      }
      if (saved > 0 && done_ % saved == 0 && done_ < s.steps) checkpoint(false);
      if (clock_.due(report.steps)) report_progress();
    }
    if (certificate_.interrupted && observed_ != done_) {
      sample();
      observe();
    }
  }

  // The state seen last becomes the last good one.
  void keep() {
    std::swap(last_, now_);
    last_step_ = seen_;
    last_ledger_ = seen_ledger_;
  }

  void sample() {
    ledger_.add(since_);
    since_ = {};
    if (seen_ == done_) return;
    keep();
    try {
      integrator_.snapshot(now_);
    } catch (const core::InputError& e) { find_failed_step(done_, first_line(e.what())); }  // no velocity or momentum can be told
    if (!finite(now_)) find_failed_step(done_, "the next state is not finite");
    seen_ = done_;
    seen_ledger_ = ledger_;
  }

  // States for the step's defects: at the start and after each quarter.
  long sample_step(long k) const {
    const long n = task_.schedule.steps;
    return k > 4 ? n + 1 : std::max(k, n / 4 * k + n % 4 * k / 4);
  }

  void note(const method::BatchReport& report) {
    since_ = report.work;
    certificate_.solver.iterations += report.iterations;
    certificate_.solver.factorisations += report.factorisations;
    certificate_.solver.linear_iterations += report.linear_iterations;
    certificate_.solver.worst_residual = std::max(certificate_.solver.worst_residual, report.worst_residual);
  }

  // The round-off of the energy at now_, from positions that are rounded differently.
  void measure_round_off() {
    if (certificate_.claims.energy_balanced)
      ledger_.round_off(invariant::rounding_of_energy(integrator_, now_.t, now_.q, now_.v));
  }

  // A look for the certificate alone is due at multiples of so many steps: some sixty in a run, however seldom it is observed.
  long regular_looks() const { return std::max(1L, task_.schedule.steps / 64); }

  // Energy and momenta of now_.
  double follow() {
    now_.t = time(done_);
    const double energy = integrator_.energy();
    followed_ = done_;
    const long every = std::max(1L, task_.schedule.every), regular = regular_looks();
    conservation_.observe(integrator_, now_, energy, done_, certificate_.solver.worst_residual, done_ % regular == 0,
                          done_ % std::max(every <= regular ? every : regular, 1L) == 0 || done_ == task_.schedule.steps);
    if (keeps_ledger_)
      ledger_.observe(energy, 0.5 * now_.p.cwiseAbs().dot(now_.v.cwiseAbs()),
                      integrator_.energy_terms(task_.schedule.step.largest()) + cancelling_.at(now_.q, task_.rest), done_);
    return energy;
  }

  void record() {
    const double energy = followed_ == done_ ? integrator_.energy() : follow();
    observed_ = done_;
    constraints_.observe(now_, task_.schedule.step_at(done_));
    const Observation now{done_,
                          now_,
                          certificate_.energy.given ? energy : invariant::unmeasured,
                          conservation_.momentum(),
                          keeps_ledger_ ? &ledger_.now() : nullptr,
                          constraints_.multipliers()};
    for (Observer* o : options_.observers) o->observe(now);
    ++certificate_.observations;
  }

  // Before a method is blamed for a momentum: was its generator a symmetry on the way from the last observation?
  void recheck_symmetry(const Snapshot& before, long steps) {
    if (!conservation_.momentum_lost(done_)) return;
    conservation_.recheck_symmetry(integrator_, now_, task_.schedule.step_at(done_), done_);
    auto replay = integrator_.clone();
    Snapshot s = before;
    try {
      replay->start(before.t, before.q, before.v);
      const long stride = std::max(1L, (steps + 31) / 32);
      for (long k = done_ - steps; k < done_ && conservation_.momentum_lost(done_); k += stride) {
        conservation_.recheck_symmetry(*replay, s, task_.schedule.step_at(k), done_);
        if (const auto report = advance(*replay, task_.schedule, k, k + stride); !report.ok) return;
        replay->snapshot(s);
        if (!finite(s)) return;
      }
    } catch (const core::InputError&) { return; }
  }

  void observe() {
    const long steps = observed_ < 0 ? 0 : done_ - observed_;
    record();
    recheck_symmetry(observed_state_, steps);
    observed_state_ = now_;
    conservation_.check(task_.bounds, done_, now_.t, certificate_.method);
    if (certificate_.solver.worst_residual > task_.bounds.residual)
      throw core::RunError(done_, now_.t,
                           fmt::format("the solver's residual {:.2e} is above the declared bound {:.2e}",
                                       certificate_.solver.worst_residual, task_.bounds.residual),
                           "halve run.step, or widen certificate.residual");
  }

  void report_progress() {
    const double now = seconds();
    if (options_.progress && now - shown_ >= 0.1) {
      shown_ = now;
      options_.progress({done_, task_.schedule.steps, now});
    }
    if (now - flushed_ >= 1.0) {
      flushed_ = now;
      for (Observer* o : options_.observers) o->flush();
    }
    const Checkpoints& c = options_.checkpoints;
    if (c.write && c.seconds > 0 && now - written_ >= c.seconds && done_ < task_.schedule.steps) checkpoint(true);
  }

  // Steps again, one by one, from the last good state to the step whose state or energy is not finite, which ends the run. `lost`
  // says what is wrong with the state; empty: it is finite and only its energy is not.
  [[noreturn]] void find_failed_step(long end, const std::string& lost) {
    auto replay = integrator_.clone();
    replay->start(last_.t, last_.q, last_.v);
    Snapshot s = last_;
    done_ = last_step_;
    ledger_ = last_ledger_;
    since_ = {};
    try {
      for (; done_ < end - 1; ++done_) {
        const auto report = advance(*replay, task_.schedule, done_, done_ + 1);
        replay->snapshot(s);
        if (!report.ok || !finite(s) || !std::isfinite(replay->energy())) break;
        ledger_.add(report.work);
        std::swap(last_, s);
      }
    } catch (const core::InputError&) {}  // the next step
    integrator_.start(last_.t, last_.q, last_.v);
    now_ = last_;
    if (observed_ != done_) record();
    throw core::RunError(done_, time(done_), lost.empty() ? "the energy of the next state is not finite" : lost,
                         lost.empty()
                             ? "halve run.step; the state grows without bound or leaves the domain of the potential"
                             : "halve run.step; an explicit method is stable only for steps below 2 / (largest frequency)");
  }

  void fail(const method::BatchReport& report) {
    if (observed_ != done_) record();
    const bool solved_for = constraints_.kept() && !integrator_.properties().prescribed;  // they are unknowns of the step
    throw core::RunError(
        done_, time(done_),
        fmt::format("{}{}", report.what.empty() ? "the step was not solved" : report.what,
                    solved_for ? "" : fmt::format(", residual {:.2e}", report.failed_residual)),
        std::isnan(report.failed_residual)
            ? "a force, a load or an energy is not finite there: check its expression and its records"
        : solved_for && task_.constraints.may_be_redundant()
            ? "halve run.step; if the mechanism stands exactly at a dead point, its motion is undetermined: start elsewhere"
        : solved_for ? "halve run.step; if some constraints follow from others, set system.redundant = \"least-squares\""
                     : "halve run.step, or start from a state where the forces are smaller");
  }

  void finish() {
    certificate_.wall_seconds = seconds();
    certificate_.steps = done_;
    certificate_.last = finite(now_) ? now_ : last_;
    certificate_.last.t = time(done_);
    conservation_.report(certificate_);
    if (auto& e = certificate_.energy; !e.given)  // what was followed is the kinetic energy alone
      e.initial = e.max_error = e.max_error_time = e.resolution = e.lost = e.early_error = e.late_error = e.drift_per_step =
          e.drift_confidence = invariant::unmeasured;
    if (keeps_ledger_) {
      certificate_.ledger = ledger_.report();
      if (certificate_.ledger->round_off > certificate_.energy.resolution)
        certificate_.energy.resolution = certificate_.ledger->round_off;
    }
    certificate_.constraints = constraints_.report();
    certificate_.rotations = constraints_.rotations();
    measure();
    for (Observer* o : options_.observers) {
      try {
        o->flush();
      } catch (const core::RunError& e) {
        if (!certificate_.failure) certificate_.failure = {e.step, e.t, e.what()};
      }
    }
    invariant::judge(certificate_);
  }

  void measure() {
    certificate_.measuring.level = options_.level;
    if (!certificate_.claims.step_map || samples_.empty() || !finite(samples_[0])) return;
    std::vector<double> h;
    for (long k = 0; k < static_cast<long>(samples_.size()); ++k)
      h.push_back(task_.schedule.step_at(k == 0 ? 0 : sample_step(k)));
    measure_step(integrator_, samples_, h, task_, options_, certificate_, [&](long done, long total) {
      if (options_.progress && shown_ > 0) options_.progress({done_, task_.schedule.steps, seconds(), done, total});
    });
  }

  method::Integrator& integrator_;
  const Task& task_;
  const Options& options_;
  Conservation conservation_;
  KeptConstraints constraints_;
  method::Work since_;                         // a state was seen
  Ledger ledger_, seen_ledger_, last_ledger_;  // of the state seen last, twice but while it is seen, and of the last good one
  invariant::Cancellation cancelling_;         // of the energy
  bool keeps_ledger_ = false;
  invariant::Certificate certificate_;
  Snapshot now_, last_, observed_state_;
  std::vector<Snapshot> samples_;
  Clock clock_;
  long done_ = 0, observed_ = -1, followed_ = -1;
  long seen_ = 0, last_step_ = 0;  // steps until now_, until last_
  double before_ = 0;              // seconds of the run until the clock began
  double shown_ = 0, flushed_ = 0;
  double written_ = 0, cost_ = 0;  // the last checkpoint: when, and what it took [s]
};

}  // namespace

invariant::Certificate integrate(method::Integrator& integrator, invariant::MomentumMap& momentum, const Task& task,
                                 const Options& options) {
  return Run(integrator, momentum, task, options)(momentum);
}

}  // namespace actio::run
