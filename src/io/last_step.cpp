#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "parts.hpp"

// The end of a run that is not a whole number of steps away: the last step is shorter where nothing is lost by that.
namespace actio::io {
namespace {

constexpr long most_listed = 1'000'000;  // steps of a list that is repeated

// "" where the last step may be shorter.
std::string why_whole_steps(const Problem& p) {
  const bool conserves = p.model.equations.empty() && !system::is_forced(p.model);
  if (conserves && p.method.keeps() == method::Keeps::conjugate_form)
    return fmt::format("what {} conserves depends on the step, so the last step is as long as the others", p.method.name());
  for (const run::Observable& of : p.observables)
    for (const run::Reduce kind : of.reductions)
      if (run::type_of(kind).of_lags) return fmt::format("{} of {} needs steps of one size", run::type_of(kind).name, of.name);
  if (!p.schedule.step.equal() && p.schedule.steps > most_listed) return "the steps differ and are many";
  return "";
}

}  // namespace

void meet_end(Problem& p) {
  run::Schedule& s = p.schedule;
  if (std::isnan(s.end) || s.follows) return;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const double slack = 16 * eps * (std::abs(s.start) + std::abs(s.end) + std::abs(s.end - s.start));
  const double before = s.time(s.steps - 1), reached = s.time(s.steps);
  if (!(reached - s.end > slack)) return;
  if (const std::string why = why_whole_steps(p); !why.empty()) {
    s.past_end = fmt::format("t = {:.10g} is past run.end = {:.10g}: {}", reached, s.end, why);
    if (s.step.equal())
      s.past_end += fmt::format("; run.step = {:.10g} meets it", (s.end - s.start) / static_cast<double>(s.steps));
    return;
  }
  run::Steps to_end;
  bool fits = true;
  if (s.step.equal())
    fits = s.steps == 1 || to_end.append(s.step[0], s.steps - 1);
  else
    for (long k = 0; k + 1 < s.steps && fits; ++k) fits = to_end.append(s.step[k]);
  if (!fits || !to_end.append(s.end - before)) return;
  s.last_is_shorter = s.step.equal() && s.steps > 1;
  s.step = std::move(to_end);
}

}  // namespace actio::io
