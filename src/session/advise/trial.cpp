#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/invariant/certificate.hpp>
#include <actio/method/compatibility.hpp>

#include "parts.hpp"

// A method over the window: steps h, h/2, h/4 about the error that is asked for, then the step that has it, its cost and its
// certificate.
namespace actio::session::advice {
namespace {

constexpr long times = 4;  // at which positions are compared
constexpr long most_steps = 1L << 40;
constexpr double worth_knowing = 4;  // times the cost of the cheapest
constexpr int most_attempts = 20;
constexpr double wide = 4;            // an error within this factor of the one asked for is near enough to measure by
constexpr double enough_time = 3e-3;  // of a measured cost [s]

struct Path {
  std::vector<Eigen::VectorXd> q;  // at the times compared
  double steps = 0, seconds = 0;
};

// |q - r| over the farthest that r moves, the largest over the times.
double distance(const Path& path, const Path& reference, const Eigen::VectorXd& q0) {
  double off = 0, moved = 0;
  for (std::size_t k = 0; k < path.q.size(); ++k) {
    off = std::max(off, (path.q[k] - reference.q[k]).norm());
    moved = std::max(moved, (reference.q[k] - q0).norm());
  }
  return moved > 0 ? off / moved : off;
}

// Of all threads of the program [s].
double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Two digits, down: 0.0123 is 0.012.
double two_digits(double h) {
  const double unit = std::pow(10, std::floor(std::log10(h)) - 1);
  return std::strtod(fmt::format("{:.6g}", std::floor(h / unit * (1 + 1e-12)) * unit).c_str(), nullptr);
}

class Measure {
 public:
  Measure(const Source& source, const Facts& facts, const method::Spec& spec, double window, double seconds, double cheapest)
      : source_(source),
        facts_(facts),
        spec_(spec),
        window_(window),
        deadline_(seconds),
        dearest_(worth_knowing * cheapest),
        follows_(spec.transforms_time()),
        start_(source.problem().schedule.start) {
    open(window / times);
  }

  Trial operator()(double h) {
    Trial out;
    try {
      if (spec_.traits().chooses_steps)
        by_tolerance(out);
      else
        by_steps(out, h);
    } catch (const core::InputError& e) { out.why_not = e.diagnostic().message; } catch (const core::RunError& e) {
      out.why_not = e.diagnostic().message;
    }
    return out;
  }

 private:
  enum class Outcome { done, failed, no_time };

  void open(double h) {
    session_.emplace(source_.open(spec_, h, times, start_ + window_));
    steps_ = steps_of(*session_);
    if (follows_ && !landing_) open_landing();
  }

  // What brings a state that is past a time back to it: many short steps of one size.
  void open_landing() {
    method::Spec spec{method::Verlet{}, true, {6, "kahan-li"}, {}};
    if (!method::why_incompatible(session_->problem.model, spec).empty()) spec = {method::Gauss{3}, false, {}, {}};
    landing_session_.emplace(source_.open(spec, window_, 1, Trial::none));
    landing_ = steps_of(*landing_session_);
  }

  const Eigen::VectorXd& q0() const { return facts_.q.size() > 0 ? facts_.q : session_->task.q0; }

  void begin() {
    if (facts_.q.size() > 0)
      steps_->start(start_, facts_.q, facts_.v);
    else
      steps_->start(start_, session_->task.q0, session_->task.v0);
    steps_->set_reference();
  }

  // `m` steps from one of the times to the next; steps that follow the motion: the first is so much shorter than the window.
  Outcome path(double m, Path& out) {
    const double h = window_ / (static_cast<double>(times) * m);
    out = {};
    const double expected = one_step_ * steps_expected(m);
    if (expected > deadline_.left()) return Outcome::no_time;
    begin();
    method::Snapshot now;
    for (long k = 1; k <= times; ++k) {
      const double until = start_ + window_ * static_cast<double>(k) / static_cast<double>(times);
      const double began = Deadline::now();
      const Outcome outcome = advance(m, h, until, out);
      out.seconds += Deadline::now() - began;
      if (outcome != Outcome::done) return outcome;
      steps_->snapshot(now);
      if (!now.q.allFinite() || !now.v.allFinite()) return Outcome::failed;
      if (follows_ && !land(now, until)) return Outcome::failed;
      out.q.push_back(now.q);
    }
    one_step_ = out.seconds / std::max(1.0, out.steps);
    if (follows_) steps_per_m_ = out.steps / m;
    return Outcome::done;
  }

  double steps_expected(double m) const { return follows_ ? steps_per_m_ * m : static_cast<double>(times) * m; }

  Outcome advance(double m, double h, double until, Path& out) {
    method::BatchOptions how;
    how.residual = false;
    how.until = until;
    double left = follows_ ? static_cast<double>(most_steps) : m;
    try {
      while (left > 0) {
        const long chunk = static_cast<long>(std::min(left, one_step_ > 0 ? std::max(1.0, 0.05 / one_step_) : 16.0));
        const double began = Deadline::now();
        const method::BatchReport report = steps_->advance(chunk, h, how);
        out.steps += static_cast<double>(report.steps);
        if (!report.ok || !std::isfinite(steps_->energy())) return Outcome::failed;
        one_step_ = (Deadline::now() - began) / std::max(1.0, static_cast<double>(report.steps));
        left -= static_cast<double>(chunk);
        if (follows_ && report.steps < chunk) break;
        const std::atomic<bool>* stop = source_.options().stop;
        if (deadline_.left() < 0 || (stop != nullptr && *stop)) return Outcome::no_time;
      }
    } catch (const core::InputError&) { return Outcome::failed; } catch (const core::RunError&) {
      return Outcome::failed;
    }
    return Outcome::done;
  }

  bool land(method::Snapshot& now, double until) {
    constexpr long count = 4;
    landing_->start(now.t, now.q, now.v);
    if (!go(*landing_, count, (until - now.t) / count)) return false;
    landing_->snapshot(now);
    return now.q.allFinite();
  }

  void by_steps(Trial& out, double guess) {
    const double p = std::max(1, spec_.order(facts_.forced)), target = source_.options().error;
    const double gain = 1 / (1 - std::pow(2, -p));  // of the error of h over its difference from h/2
    double m = std::max(1.0, std::ceil(window_ / (static_cast<double>(times) * guess)));
    Path coarse, fine, finest;
    double error = Trial::none, few = 0;     // so many steps are too few
    bool unstable = false, limited = false;  // steps with so few are; by that, not by the error
    for (int attempt = 0;; ++attempt) {
      Outcome outcome = path(m, coarse);
      if (outcome == Outcome::done) outcome = path(2 * m, fine);
      if (outcome == Outcome::no_time || attempt == most_attempts) return give_up(out, outcome, m);
      double factor = 3;
      if (outcome == Outcome::done) {
        error = gain * distance(coarse, fine, q0());
        factor = std::clamp(std::pow(error / target, 1 / p), 1.0 / 64, 16.0);
      }
      if (outcome == Outcome::done && error <= wide * target) {
        const double next = std::max(std::round(m * factor), few > 0 ? std::ceil(std::sqrt(few * m)) : 1);
        const bool between = few > 0 && next > 0.7 * m;
        limited = between && unstable;
        if (error >= target / wide || between || !(next < m)) break;
        m = next;
      } else {
        if (1e9 * coarse.seconds / window_ > dearest_) return too_dear(out);
        if (m > few) unstable = outcome != Outcome::done || error > 0.1;
        few = std::max(few, m);
        m = std::ceil(m * std::max(factor, 1.5));
      }
    }
    const Outcome outcome = path(4 * m, finest);
    double order = p;
    if (outcome == Outcome::done) {
      const double e1 = distance(coarse, finest, q0()), e2 = distance(fine, finest, q0());
      out.order = e1 > e2 && e2 > 0 ? std::log2(e1 / e2 - 1) : Trial::none;
      if (out.order > 0.5) order = std::clamp(out.order, std::max(1.0, 0.5 * p), p + 2);
      error = e1;
    }
    const double h0 = window_ / (static_cast<double>(times) * m);
    double h = h0 * std::pow(target / std::max(error, 1e-300), 1 / order);
    h = std::min(h, 1.5 * h0);
    if (limited && h > h0) {
      h = h0;
      out.remark = "longer steps are not stable";
    }
    if (h >= h0 && m == 1) {
      h = h0;
      out.remark = "longer steps were not tried: there would be fewer than four";
    }
    h = two_digits(h);
    out.step = h;
    out.error = error * std::pow(h / h0, order);
    cost_of_steps(out);
    certify(out);
  }

  void give_up(Trial& out, Outcome outcome, double m) const {
    const double h = window_ / (static_cast<double>(times) * m);
    out.why_not = outcome == Outcome::no_time ? fmt::format("steps of {:.2g} would take longer than the trials may", h)
                                              : fmt::format("no step was found that has this error, down to {:.2g}", h);
  }

  static void too_dear(Trial& out) {
    out.why_not = fmt::format("it costs more than {:g} times what the cheapest before it does", worth_knowing);
  }

  // Whole paths at the step, without stops, until that took some milliseconds: the fastest. What takes long enough is measured by
  // the processor's time, which others on the machine change less.
  void cost_of_steps(Trial& out) {
    const double count = std::max(1.0, std::round(window_ / out.step));
    const Deadline most(std::max(0.0, std::min(0.3, deadline_.left())));
    double best = 0, all = 0, steps = count;
    for (int repeat = 0; repeat < 1000 && (repeat == 0 || (repeat < 5 || all < enough_time)); ++repeat) {
      begin();
      method::BatchOptions how;
      how.residual = false;
      how.until = start_ + window_;
      const double of_processor = processor_time(), began = Deadline::now();
      const method::BatchReport report = steps_->advance(follows_ ? most_steps : static_cast<long>(count), out.step, how);
      double took = Deadline::now() - began;
      if (took > 1e-3) took = processor_time() - of_processor;
      if (!report.ok) throw core::InputError("steps of this size fail");
      steps = static_cast<double>(report.steps);
      all += took;
      best = repeat == 0 ? took : std::min(best, took);
      if (most.left() < 0) break;
    }
    out.steps_a_time = steps / window_;
    out.ns_a_step = 1e9 * best / steps;
    out.cost = out.ns_a_step * out.steps_a_time;
  }

  void certify(Trial& out) {
    const long count = follows_ ? most_steps : std::max(1L, std::lround(window_ / out.step));
    Session s = source_.open(spec_, out.step, count, start_ + window_);
    const std::atomic<bool> never = false;
    OneProcess here(source_.options().stop ? *source_.options().stop : never);
    s.problem.schedule.every = s.task.schedule.every = follows_ ? 16 : std::max(1L, count / 64);
    const invariant::Certificate c = session::run(s, {}, here);
    out.verdict = invariant::word(c.verdict);
    const double energy = invariant::energy_error(c);
    if (!facts_.noise && c.energy.largest_kinetic > 0) out.energy_error = energy / c.energy.largest_kinetic;
    if (c.failure)
      out.remark = c.failure->message;
    else if (!c.broken.empty())
      out.remark = c.broken.front();
  }

  // The loosest tolerance that has the error, by steps of a factor of 3, against one of 1e-12.
  void by_tolerance(Trial& out) {
    const double target = source_.options().error;
    Path reference, now;
    set_tolerance(1e-12);
    if (path(1, reference) != Outcome::done) return give_up(out, Outcome::failed, 1);
    for (double tolerance = 0.1; tolerance > 1e-11; tolerance /= 3) {
      set_tolerance(tolerance);
      const Outcome outcome = path(1, now);
      if (outcome == Outcome::no_time) break;
      if (outcome != Outcome::done || distance(now, reference, q0()) > target) continue;
      out.step = window_ / static_cast<double>(times);
      out.error = distance(now, reference, q0());
      out.remark = fmt::format("rtol = {:.1e}", tolerance);
      cost_of_steps(out);
      const std::string remark = out.remark;
      certify(out);
      out.remark = remark;
      return;
    }
    give_up(out, Outcome::no_time, 1);
  }

  void set_tolerance(double tolerance) {
    for (const core::AnyField& field : spec_.fields())
      if (double* const* value = std::get_if<double*>(&field.value))
        **value = field.name == "rtol" ? tolerance : 1e-2 * tolerance;
    open(window_ / times);
  }

  const Source& source_;
  const Facts& facts_;
  method::Spec spec_;
  double window_;
  Deadline deadline_;
  double dearest_;  // [ns] of a unit of time, above which it is not gone on
  bool follows_;
  double start_;
  double one_step_ = 0;     // [s], of the steps so far
  double steps_per_m_ = 0;  // where steps follow the motion
  std::optional<Session> session_, landing_session_;
  std::unique_ptr<method::Integrator> steps_, landing_;
};

}  // namespace

Trial try_method(const Source& source, const Facts& facts, const Ranked& candidate, double window, double seconds,
                 double cheapest) {
  try {
    Measure measure(source, facts, candidate.spec, window, seconds, cheapest);
    return measure(candidate.step_guess);
  } catch (const core::InputError& e) {
    Trial out;
    out.why_not = e.diagnostic().message;
    return out;
  }
}

}  // namespace actio::session::advice
