#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/method/frequencies.hpp>
#include <actio/run/integrate.hpp>
#include <actio/session/frequencies.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/pairs.hpp>
#include <actio/system/thermostat.hpp>

#include "parts.hpp"

namespace actio::session::advice {
namespace {

constexpr double compiled_gain = 20;  // of steps, about
constexpr long few = 64;              // coordinates, of which steps are generated

// A method that takes the system with steps of one size: the problem's own, or the first of the catalogue.
const method::Spec* equal_steps(const io::Problem& p) {
  const auto takes = [&](const method::Spec& spec) {
    return !spec.transforms_time() && !spec.traits().chooses_steps && method::why_incompatible(p.model, spec).empty();
  };
  if (takes(p.method)) return &p.method;
  for (const method::Spec& spec : method::all_methods())
    if (takes(spec)) return &spec;
  return nullptr;
}

// rms of accelerations over that of velocities: the frequency of what moves, not of what is stiff and at rest.
double rate_of_motion(method::Integrator& steps, const Session& s, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double h,
                      long count) {
  method::Snapshot before, now;
  steps.start(s.problem.schedule.start, q, v);
  steps.snapshot(before);
  double accelerations = 0, velocities = before.v.squaredNorm();
  for (long k = 0; k < count; ++k) {
    if (!go(steps, 1, h)) return Trial::none;
    steps.snapshot(now);
    accelerations += ((now.v - before.v) / h).squaredNorm();
    velocities += now.v.squaredNorm();
    std::swap(before, now);
  }
  const double rate = std::sqrt(accelerations / velocities);
  return std::isfinite(rate) && rate > 0 ? rate : Trial::none;
}

// Where the noise leads in some steps: a start at rest says nothing of the motion.
void warm_up(const Session& s, double h, long count, Facts& facts) {
  s.integrator->start(s.problem.schedule.start, s.task.q0, s.task.v0);
  if (!go(*s.integrator, count, h)) return;
  method::Snapshot now;
  s.integrator->snapshot(now);
  facts.q = now.q;
  facts.v = now.v;
}

void look_at_motion(const Source& source, Facts& facts) {
  const double window = 0.05 * facts.length;
  const method::Spec* spec = equal_steps(source.problem());
  if (!spec) return;
  double h = source.step_given() ? facts.step : facts.highest > 0 ? 0.1 / facts.highest : window / 1000;
  h = std::min(h, window / 20);
  for (int attempt = 0; attempt < 4 && std::isnan(facts.rate); ++attempt, h /= 8) {
    const bool interpreted = facts.few_coordinates && !facts.lists;
    const Session s = source.open(*spec, h, 1, Trial::none, true, interpreted);
    facts.linear = s.integrator->properties().linear;
    const auto steps = steps_of(s);
    const double begin = Deadline::now();
    steps->start(s.problem.schedule.start, s.task.q0, s.task.v0);
    if (!go(*steps, 1, h)) continue;
    const double one = Deadline::now() - begin;
    const double most = 0.03 * source.options().seconds / std::max(one, 1e-9);
    const long count = std::clamp(static_cast<long>(std::min(most, window / h)), 4L, 400L);
    if (facts.noise) warm_up(s, h, 10 * count, facts);
    const bool warm = facts.q.size() > 0;
    const double from = Deadline::now();
    facts.rate = rate_of_motion(*steps, s, warm ? facts.q : s.task.q0, warm ? facts.v : s.task.v0, h, count);
    facts.ns = 1e9 * (Deadline::now() - from) / static_cast<double>(count) / (interpreted ? compiled_gain : 1);
    facts.look = h;
  }
}

// 5 % of the run, at least a turn of the motion and 100 of the file's steps, at most 100 radians of it; and no more than some 50
// of such spans take the time there is. With a thermostat one turn: what follows is the noise's.
double window_of(const AdviseOptions& options, const Facts& f) {
  double window = 0.05 * f.length;
  if (f.rate > 0) window = std::max(window, 2 * std::numbers::pi / f.rate);
  if (f.rate > 0 && f.encounters <= close) window = std::min(window, 100 / f.rate);
  if (f.step > 0) window = std::max(window, 100 * f.step);
  if (f.noise && f.rate > 0) window = 2 * std::numbers::pi / f.rate;
  const double h = f.look, fits = h * options.seconds / (50e-9 * f.ns);
  if (fits < window) window = std::max(fits, 8 * h);
  return std::min(window, f.length);
}

double potential(method::Integrator& steps, double t, const Eigen::VectorXd& q) {
  steps.start(t, q, Eigen::VectorXd::Zero(q.size()));
  return steps.energy();
}

// Homogeneous of degree -1 and below 0, as gravity is.
bool is_newtonian(method::Integrator& steps, double t, const Eigen::VectorXd& q) {
  const double V = potential(steps, t, q);
  if (!(V < 0)) return false;
  for (const double longer : {2.0, 3.5})
    if (!(std::abs(longer * potential(steps, t, longer * q) / V - 1) < 1e-9)) return false;
  return true;
}

// By steps that follow the motion, along the whole run where that takes no time: how far the motion's own times |V|^-3/2 differ.
void look_for_encounters(const Source& source, Facts& facts, Advice& out) {
  const io::Problem& p = source.problem();
  if (!facts.separable || facts.forced || facts.noise || !p.model.constraints.empty()) return;
  for (const method::Spec& spec : method::all_methods()) {
    if (!spec.transforms_time() || spec.traits().finds_step || !method::why_incompatible(p.model, spec).empty()) continue;
    const double start = p.schedule.start, end = start + facts.length;
    try {
      const Session s = source.open(spec, facts.length, 1, end, true, facts.few_coordinates && !facts.lists);
      const auto steps = steps_of(s);
      if (!is_newtonian(*steps, start, s.task.q0)) return;
      const double V0 = -potential(*steps, start, s.task.q0);
      steps->start(start, s.task.q0, s.task.v0);
      steps->set_reference();
      facts.newtonian = true;
      if (!(facts.rate > 0)) return;
      method::Snapshot now;
      now.t = start;
      const double E0 = steps->energy(), h = 0.03 / facts.rate;
      double deepest = V0, when = start, integral = 0, mean = 0, before = start;
      const Deadline deadline(0.03 * source.options().seconds);
      double fastest = std::pow(V0, 1.5);
      while (now.t < end && deadline.left() > 0) {
        if (!go(*steps, 1, h)) break;
        steps->snapshot(now);
        const double V = 0.5 * now.p.dot(now.v) - E0;
        if (!(V > 0) || !(now.t > before)) break;
        if (V > deepest) deepest = V, when = now.t;
        fastest = std::max(fastest, std::pow(V, 1.5));
        integral += std::pow(V, 1.5) * (now.t - before);
        mean += V * (now.t - before);
        before = now.t;
      }
      if (!(integral > 0)) return;
      facts.encounters = fastest / (integral / (before - start));
      std::string words = "no close encounters";
      if (facts.encounters > close)
        words = fmt::format("close encounters: at t = {:.4g} it is {:.3g} times as deep as in the mean", when,
                            deepest / (mean / (before - start)));
      out.facts.push_back({"potential", "below 0 and homogeneous of degree -1, as of gravity; " + words});
    } catch (const core::InputError&) {}
    return;
  }
}

std::string counted(long count, const std::string& noun, const std::string& plural = "") {
  return fmt::format("{} {}", count, count == 1 ? noun : plural.empty() ? noun + "s" : plural);
}

std::string system_words(const system::Model& model, const Facts& facts) {
  std::vector<std::string> parts{counted(model.size(), "coordinate")};
  if (!model.equations.empty())
    parts.emplace_back("equations in place of a Lagrangian");
  else
    parts.emplace_back(facts.separable ? "L = 1/2 v'Mv - V(q) with a constant mass" : "a Lagrangian of positions and velocities");
  parts.emplace_back(facts.linear ? "linear" : "nonlinear");
  if (!model.bodies.empty()) parts.push_back(counted(static_cast<long>(model.bodies.size()), "rigid body", "rigid bodies"));
  if (!model.solids.empty()) parts.push_back(counted(static_cast<long>(model.solids.size()), "solid"));
  if (model.fast) parts.emplace_back("a part whose motion is known");
  if (facts.lists) parts.emplace_back("pairs within a cutoff");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string acting_words(const system::Model& model, const Facts& facts) {
  std::vector<std::string> parts;
  long joining = 0, turning = 0;
  for (const auto& g : model.constraints) (g.of_rotations ? turning : joining) += g.elements;
  if (joining > 0) parts.push_back(counted(joining, "constraint"));
  if (turning > 0) parts.emplace_back("constraints that keep the bodies rigid");
  if (!model.penalised.empty()) parts.emplace_back("constraints by a penalty");
  if (!model.dissipation.empty() || model.damping.nonZeros() > 0) parts.emplace_back("friction");
  if (!model.forces.empty() || (model.callbacks && model.callbacks->forced())) parts.emplace_back("forces");
  if (facts.noise) parts.emplace_back("a thermostat");
  if (!facts.autonomous) parts.emplace_back("a Lagrangian that depends on the time");
  return parts.empty() ? "no constraints, no friction, no forces" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Facts facts_of(const Source& source, Advice& out) {
  const io::Problem& p = source.problem();
  const system::Model& model = p.model;
  Facts f;
  f.separable = model.equations.empty() && model.mass.kind != system::MassMatrix::Kind::none && !lagrangian_needs_velocity(model);
  f.forced = !model.equations.empty() || system::is_forced(model);
  f.noise = model.thermostat && model.thermostat->acts();
  f.autonomous = run::is_autonomous(model);
  f.few_coordinates = model.size() <= few;
  f.lists = (model.callbacks && model.callbacks->built_in()) ||
            std::ranges::any_of(model.terms, [](const auto& term) { return term.pairs && term.pairs->near; });
  f.signals = !model.signals.empty();
  const run::Schedule& s = p.schedule;
  f.length = (s.to_a_time() ? s.end : s.time(s.steps)) - s.start;
  if (source.step_given()) f.step = s.step.largest();
  method::Frequencies w;
  w.why_not = "it would take long";
  if (!f.lists) w = method::frequencies(model, s.start, p.q0, source.options().choices.build.compile);
  if (w.measured()) f.highest = w.highest, f.lowest = w.lowest;
  look_at_motion(source, f);
  if (f.highest < 1e-6 * f.rate) f.highest = f.lowest = Trial::none;  // round-off of 0

  out.facts.push_back({"system", system_words(model, f)});
  out.facts.push_back({"beside", acting_words(model, f)});
  const std::string rate = per_time("rad", out.time_unit);
  std::string words = w.measured() ? "" : "not measured: " + w.why_not;
  if (w.measured() && std::isfinite(f.highest))
    words = fmt::format("highest {:.4g} {}, lowest {:.4g}, at the start", f.highest, rate, f.lowest);
  else if (w.measured())
    words = "none at the start";
  if (std::isfinite(f.rate)) words += fmt::format("; the motion itself {:.3g} {}", f.rate, rate);
  if (f.stiff()) words += ": stiff";
  out.facts.push_back({"frequencies", words});
  look_for_encounters(source, f, out);
  f.window = out.window = window_of(source.options(), f);
  return f;
}

}  // namespace actio::session::advice
