#include "frequencies.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace actio::cli {
namespace {

using session::Linearised;

constexpr double turn = 2 * std::numbers::pi;

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

void describe(const Linearised& linearised, const Session& session, std::vector<Fact>& out) {
  const method::Frequencies& f = linearised.of;
  if (!f.measured()) {
    out.push_back({"frequencies", "not measured: " + f.why_not});
    return;
  }
  const std::string unit = session::time_unit(session.problem), rate = session::per_time("rad", unit);
  const auto frequency = [&](double w) {
    if (!std::isfinite(w)) return std::string("not found");
    const bool number = unit.empty() || (unit[0] >= '0' && unit[0] <= '9');  // "48.8882 fs"
    return fmt::format("{:.4g} {} (period {:.4g}{})", w, rate, turn / w, number ? "" : " " + unit);
  };
  out.push_back(
      {"frequencies", fmt::format("lowest {}, highest {}, linearised at the start{}", frequency(f.lowest), frequency(f.highest),
                                  system::is_forced(session.problem.model) ? " without friction and forces" : "")});
  if (f.rigid > 0) out.push_back({"", motions(f, f.rigid, "rigid") + ", without stiffness"});
  if (f.unstable > 0)
    out.push_back({"", fmt::format("unstable: {}, with a rate of up to {:.4g} {}", motions(f, f.unstable, "growing"), f.growth,
                                   session::per_time("1", unit))});
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
