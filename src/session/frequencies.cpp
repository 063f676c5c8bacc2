#include <actio/session/frequencies.hpp>

#include <cmath>

#include <fmt/format.h>

#include <actio/method/compatibility.hpp>
#include <actio/method/spectral.hpp>

namespace actio::session {
namespace {

constexpr double smallest_looked_at = 0.011;  // of h w, by stability_limit

method::Frequencies measure(const Session& session) {
  const auto& p = session.problem;
  return method::with_mass_of(p.method, p.model, [&](const system::Model& model) {
    return method::frequencies(model, p.schedule.start, session.task.q0, session.choices.build.compile);
  });
}

// "" where the method has a limit of h w that is its own.
std::string why_no_limit(const method::Spec& spec) {
  if (spec.traits().chooses_steps) return spec.name() + " chooses its own steps";
  if (spec.transforms_time()) return "the steps follow the motion, so no frequency is one of them all";
  if (spec.traits().needs_split)
    return spec.name() + " has a stability limit from resonances of its two parts, which was not measured";
  if (spec.traits().matrices == method::Matrices::stiff)
    return spec.name() + " has a stability limit from the terms that are not stiff, which was not measured";
  return "";
}

double limit_of(const method::Spec& spec) {
  const double limit = method::stability_limit(spec);
  return limit < smallest_looked_at ? 0 : limit;
}

}  // namespace

std::string time_unit(const io::Problem& problem) {
  for (const auto& [quantity, unit] : problem.units)
    if (quantity == "time") return unit == "1 s" ? "s" : unit;
  return problem.model.solids.empty() ? "" : "s";
}

std::string per_time(const std::string& what, const std::string& unit) {
  if (unit.empty()) return what + " per unit of time";
  return what + (unit.find(' ') == std::string::npos ? "/" : " per ") + unit;
}

Linearised linearise(const Session& session) {
  Linearised out;
  const method::Spec& spec = session.problem.method;
  out.of = measure(session);
  out.step = session.problem.schedule.step.largest();
  out.why_no_limit = why_no_limit(spec);
  if (out.why_no_limit.empty() && std::isfinite(out.of.highest)) out.limit = limit_of(spec);
  return out;
}

std::string StepTooLarge::words(const std::string& method) const {
  return fmt::format("the step {:.6g} is {} {}: {:.3g}/w with the highest frequency w = {:.6g} {}{}", step,
                     limit > 0 ? fmt::format("above {:.6g}, the stability limit of", limit) : "not stable with", method,
                     limit * frequency, frequency, per_time("rad", unit), of_start ? ", linearised at the start" : "");
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
  return StepTooLarge{h, limit / w, w, !session.integrator->properties().linear, time_unit(p)};
}

std::string likely_cause(const StepTooLarge& step, const std::string& method) {
  std::string out = fmt::format("the likely cause: {}", step.words(method));
  if (step.limit > 0)
    out += fmt::format("; take run.step below {:.3g}, or a method without a limit (midpoint, newmark)", step.limit);
  return out;
}

}  // namespace actio::session
