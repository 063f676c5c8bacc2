#include "frequencies.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <actio/method/spectral.hpp>

namespace actio::cli {
namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr double smallest_looked_at = 0.011;  // of h w, by stability_limit

bool is_lumped(const method::Spec& spec) {
  const auto* m = std::get_if<method::CentralDifference>(&spec.choice);
  return m && m->mass == "lumped";
}

method::Frequencies measure(const Session& session, const Arguments& arguments) {
  const auto& p = session.problem;
  const auto of = [&](const system::Model& model) {
    return method::frequencies(model, p.schedule.start, session.task.q0, build_options(arguments).compile);
  };
  if (!is_lumped(p.method)) return of(p.model);
  system::Model lumped = p.model;
  system::lump_mass(lumped);
  return of(lumped);
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
    out = name + " lets every such motion grow, whatever the step: UNSTABLE";
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
  if (spec.description().self_contained) {
    out.why_no_limit = spec.name() + " chooses its own steps";
  } else if (std::holds_alternative<method::ZhangSkeelStiff>(spec.choice)) {
    out.why_no_limit = spec.name() + " has a limit by the terms that are not stiff, which was not measured";
  } else if (std::isfinite(out.of.highest)) {
    out.limit = method::stability_limit(spec);
    if (out.limit < smallest_looked_at) out.limit = 0;
  }
  return out;
}

void describe(const Linearised& linearised, const Session& session, std::vector<Fact>& out) {
  const method::Frequencies& f = linearised.of;
  if (!f.measured()) {
    out.push_back({"frequencies", "not measured with " + f.why_not});
    return;
  }
  const auto frequency = [](double w) {
    return std::isfinite(w) ? fmt::format("{:.4g} rad/s (period {:.4g} s)", w, turn / w) : std::string("not found");
  };
  out.push_back(
      {"frequencies", fmt::format("lowest {}, highest {}, linearised at the start{}", frequency(f.lowest), frequency(f.highest),
                                  system::is_forced(session.problem.model) ? " without friction and forces" : "")});
  if (f.rigid > 0) out.push_back({"", motions(f, f.rigid, "rigid") + ": no stiffness meets them"});
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
