#include "frequencies.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <actio/method/compatibility.hpp>
#include <actio/method/spectral.hpp>

namespace actio::cli {
namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr double smallest_looked_at = 0.011;  // of h w, by stability_limit

method::Frequencies measure(const Session& session, const Arguments& arguments) {
  const auto& p = session.problem;
  return method::with_mass_of(p.method, p.model, [&](const system::Model& model) {
    return method::frequencies(model, p.schedule.start, session.task.q0, build_options(arguments).compile);
  });
}

// "" where the method has a limit of h w that is its own.
std::string why_no_limit(const method::Spec& spec) {
  if (spec.traits().chooses_steps) return spec.name() + " chooses its own steps";
  if (spec.traits().matrices == method::Matrices::stiff)
    return spec.name() + " has a stability limit from the terms that are not stiff, which was not measured";
  return "";
}

double limit_of(const method::Spec& spec) {
  const double limit = method::stability_limit(spec);
  return limit < smallest_looked_at ? 0 : limit;
}

std::string motions(const method::Frequencies& f, long count, const char* kind) {
  return fmt::format("{}{} {} motion{}", f.at_least ? "at least " : "", count, kind, count == 1 ? "" : "s");
}

std::string step_words(const Linearised& l, const std::string& name) {
  const double h = l.step, allowed = l.limit / l.of.highest;
  std::string out;
  if (!l.why_no_limit.empty())
    out = l.why_no_limit;
  else if (std::isinf(l.limit))
    out = name + " is stable at every step";
  else if (l.limit == 0)
    out = name + " is unstable for these motions at every step: UNSTABLE";
  else if (l.stable())
    out = fmt::format("{} needs steps below {:.3g}; {:.3g} is {:.3g} of that: stable", name, allowed, h, h / allowed);
  else
    out = fmt::format("{} needs steps below {:.3g}; {:.3g} is {:.3g} times that: UNSTABLE", name, allowed, h, h / allowed);
  out += fmt::format("; {:.3g} is {:.3g} of the shortest period", h, h * l.of.highest / turn);
  if (std::isfinite(l.of.lowest)) out += fmt::format(", {:.3g} of the longest", h * l.of.lowest / turn);
  return out;
}

}  // namespace

Linearised linearise(const Session& session, const Arguments& arguments) {
  Linearised out;
  const method::Spec& spec = session.problem.method;
  out.of = measure(session, arguments);
  out.step = session.problem.schedule.step.largest();
  out.why_no_limit = why_no_limit(spec);
  if (out.why_no_limit.empty() && std::isfinite(out.of.highest)) out.limit = limit_of(spec);
  return out;
}

std::string StepTooLarge::words(const std::string& method) const {
  return fmt::format("the step {:.6g} is {} {}: {:.3g}/w with the highest frequency w = {:.6g} rad/s{}", step,
                     limit > 0 ? fmt::format("above {:.6g}, the stability limit of", limit) : "not stable with", method,
                     limit * frequency, frequency, of_start ? ", linearised at the start" : "");
}

std::optional<StepTooLarge> step_too_large(const Session& session) {
  const auto& p = session.problem;
  if (!why_no_limit(p.method).empty()) return {};
  const double w = method::with_mass_of(p.method, p.model, [&](const system::Model& model) {
    return method::highest_frequency(model, p.schedule.start, session.task.q0, p.schedule.steps);
  });
  const double h = p.schedule.step.largest();
  constexpr double growth = 1e-6;  // a step, which a spectral radius is found to
  if (!(h * w > smallest_looked_at) || !(method::spectrum(p.method, h * w).radius > 1 + growth)) return {};
  const double limit = limit_of(p.method);
  if (!(h * w > limit)) return {};
  return StepTooLarge{h, limit / w, w, !session.integrator->properties().linear};
}

std::string likely_cause(const StepTooLarge& step, const std::string& method) {
  std::string out = fmt::format("the likely cause: {}", step.words(method));
  if (step.limit > 0)
    out += fmt::format("; take run.step below {:.3g}, or a method without a limit (midpoint, newmark)", step.limit);
  return out;
}

void describe(const Linearised& linearised, const Session& session, std::vector<Fact>& out) {
  const method::Frequencies& f = linearised.of;
  if (!f.measured()) {
    out.push_back({"frequencies", "not measured: " + f.why_not});
    return;
  }
  const auto frequency = [](double w) {
    return std::isfinite(w) ? fmt::format("{:.4g} rad/s (period {:.4g} s)", w, turn / w) : std::string("not found");
  };
  out.push_back(
      {"frequencies", fmt::format("lowest {}, highest {}, linearised at the start{}", frequency(f.lowest), frequency(f.highest),
                                  system::is_forced(session.problem.model) ? " without friction and forces" : "")});
  if (f.rigid > 0) out.push_back({"", motions(f, f.rigid, "rigid") + ", without stiffness"});
  if (f.unstable > 0)
    out.push_back(
        {"", fmt::format("unstable: {}, with a rate of up to {:.4g} 1/s", motions(f, f.unstable, "growing"), f.growth)});
  if (std::isfinite(f.highest)) out.push_back({"stability", step_words(linearised, session.problem.method.name())});
}

void write(const Linearised& linearised, invariant::Json& j) {
  const method::Frequencies& f = linearised.of;
  const bool limited = f.measured() && linearised.why_no_limit.empty() && std::isfinite(f.highest);
  j.key("frequencies").begin().field("measured", f.measured()).field("why_not", std::string_view(f.why_not));
  j.field("lowest", f.lowest).field("highest", f.highest).field("growth", f.growth).field("rigid", f.rigid);
  j.field("unstable", f.unstable).field("at_least", f.at_least);
  j.field("step_limit", limited ? linearised.limit / f.highest : invariant::unmeasured);
  j.field("stable_at_every_step", limited && std::isinf(linearised.limit));
  j.field("largest_step_is_stable", limited && linearised.stable()).end();
}

}  // namespace actio::cli
