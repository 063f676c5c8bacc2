#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <actio/invariant/certificate.hpp>
#include <actio/invariant/thresholds.hpp>

namespace actio::invariant {

namespace {

// "  energy          largest error 1.2e-05 at t = 3.4"
struct Lines {
  std::string out;
  template <class... A>
  void operator()(std::string_view label, fmt::format_string<A...> format, A&&... a) {
    if (!out.empty()) out += '\n';
    fmt::format_to(std::back_inserter(out), "  {:<15} ", label);
    fmt::format_to(std::back_inserter(out), format, std::forward<A>(a)...);
  }
};

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string per_step(double seconds, long steps) {
  if (steps == 0) return "-";
  const double one = seconds / static_cast<double>(steps);
  if (one < 1e-6) return fmt::format("{:.0f} ns a step", one * 1e9);
  if (one < 1e-3) return fmt::format("{:.1f} us a step", one * 1e6);
  return fmt::format("{:.2f} ms a step", one * 1e3);
}

void energy_lines(Lines& line, const Certificate& c) {
  const auto& e = c.energy;
  if (!e.given) {
    line("energy", "not measured: the code gives forces but not their potential");
    return;
  }
  if (!e.defined) {
    line("energy", "not defined: equations f(x'', x', x, t) = 0 have no energy unless system.energy declares one");
    return;
  }
  if (c.claims.forced || (c.claims.thermostat && !c.energy.conserved && c.ledger && std::isnan(c.ledger->method))) {
    line("energy", "{:.10g} at the start, {:.10g} at the end", e.initial, e.initial + (c.ledger ? c.ledger->change : 0.0));
    return;
  }
  if (c.claims.thermostat)
    line("energy", "{:.10g} at the start, {:.10g} at the end: the thermostat exchanges it", e.initial,
         e.initial + (c.ledger ? c.ledger->change : 0.0));
  line(c.claims.thermostat ? "less heat" : "energy", "{:.10g} at the start; largest error {:.2e} at t = {:.6g}", e.initial,
       e.max_error, e.max_error_time);
  const bool swung = e.swings >= threshold::fewest_swings;
  if (std::abs(e.lost) > std::max(0.5 * e.max_error, e.resolution) && e.conserved && swung)
    line("", "throughout the last quarter of the run it stays {:.1e} or more {} its start", std::abs(e.lost),
         e.lost > 0 ? "above" : "below");
  if (e.jump > 0 && e.conserved && c.claims.keeps != method::Keeps::nothing)
    line("",
         "it is not claimed to stay near its start: it jumps by up to {:.1e} where a pair crosses the cutoff of {}; "
         "subtract the energy there, or let a switch take it to 0",
         e.jump, e.jumps_in);
  else if (e.conserved && !c.claims.energy && c.claims.keeps != method::Keeps::nothing)
    line("", "the steps differ in size: the method does not claim that it stays near its start");
  if (c.claims.discrete_energy && !std::isnan(e.discrete_error))
    line("", "the discrete energy of a step differs from that of the first by at most {:.1e} (round-off allows {:.0e})",
         e.discrete_error, e.discrete_allowed);
  if (e.declared)
    line("", "declared beside equations of motion: no method claims anything about it");
  else if (!e.conserved && c.constraints && c.constraints->moving)
    line("", "the constraints move: energy is not expected to be conserved");
  else if (!e.conserved && !c.claims.thermostat)
    line("", "the Lagrangian depends on time: energy is not expected to be conserved");
  if (std::isnan(e.drift_per_step)) {
    line("", "drift not measured: {} step{} tell too little; it takes 8 observations", c.steps, c.steps == 1 ? "" : "s");
    return;
  }
  if (c.claims.thermostat) {
    line("", "drift {:.1e} a step; the errors of the steps add up as a random walk", e.drift_per_step);
    return;
  }
  const bool visible = std::abs(e.drift_per_step) > e.drift_confidence;
  const bool rounded = std::abs(e.drift_per_step) * static_cast<double>(c.steps) <= e.resolution;
  line("", "drift {:.1e} +- {:.1e} a step (95 %): {}", e.drift_per_step, e.drift_confidence,
       !visible  ? "no detectable drift"
       : rounded ? "no more than round-off"
       : swung   ? "drifts"
                 : "the run has too few oscillations to distinguish a drift");
}

// What became of the energy.
void ledger_lines(Lines& line, const Certificate& c) {
  if (!c.ledger) return;
  const auto& l = *c.ledger;
  const bool moving = c.constraints && c.constraints->moving && !c.constraints->penalty;
  const bool bath = c.claims.thermostat;
  if (c.claims.forced || moving || bath)
    line("ledger", "change {:+.6g} = {}{}{} - {} {:.6g}{} - loss by the method", l.change,
         c.claims.forced || moving ? fmt::format("work of external forces {:+.6g}", l.external) : "",
         bath ? fmt::format("{}heat of the noise {:+.6g}", c.claims.forced || moving ? " + " : "", l.heat) : "",
         moving ? fmt::format(" + of moving constraints {:+.6g}", l.constraints) : "",
         !c.claims.inelastic ? "friction"
         : c.claims.friction ? "friction and impacts"
                             : "impacts",
         l.dissipated, l.residual != 0 ? fmt::format(" + work of the solver's residual {:+.1e}", l.residual) : "");
  const std::string_view label = c.claims.forced || moving || bath ? "" : "ledger";
  if (std::isnan(l.method))
    line(label, "loss by the method: not measured, because the Lagrangian depends on time and does work itself");
  else if (l.worst_method <= l.round_off)
    line(label, "loss by the method: 0 (at most {:.1e}, round-off allows {:.0e})", l.worst_method, l.round_off);
  else
    line(label, "{} by the method: {:.3e} at the end, {}at most {:.1e}{}", l.method < 0 ? "gain" : "loss", std::abs(l.method),
         l.method < 0 ? "of either sign " : "", l.worst_method,
         c.claims.energy_balanced ? fmt::format("; claimed to be 0 (round-off allows {:.0e})", l.round_off) : "");
}

void thermostat_lines(Lines& line, const Certificate& c) {
  if (!c.thermostat) return;
  const method::Bath& bath = *c.thermostat;
  const bool one_rate = bath.fastest - bath.slowest <= 1e-12 * bath.fastest;
  line("thermostat", "kT = {:.6g}, friction {}, scheme {}, seed {}", bath.kT,
       one_rate ? fmt::format("at the rate {:.6g}", bath.fastest)
                : fmt::format("at rates from {:.6g} to {:.6g}", bath.slowest, bath.fastest),
       bath.scheme, bath.seed);
  const auto measured = [](const method::Bath::Mean& mean) {
    if (std::isnan(mean.value)) return std::string("not measured");
    if (std::isnan(mean.error)) return fmt::format("{:.6g}, too few samples for an error", mean.value);
    return fmt::format("{:.6g} +- {:.1e}", mean.value, mean.error);
  };
  line("", "kinetic kT = {} ({} degree{} of freedom)", measured(bath.kinetic), bath.freedoms, bath.freedoms == 1 ? "" : "s");
  line("", "configurational kT = {}", measured(bath.configurational));
}

void contact_lines(Lines& line, const Certificate& c) {
  if (!c.contacts) return;
  const auto& k = *c.contacts;
  line("contacts", "{} impact{}{}{}; lowest gap {:.1e}: {}", k.impacts, k.impacts == 1 ? "" : "s",
       c.claims.inelastic ? fmt::format(", which took {:.6g} of the energy", k.lost) : "",
       k.resting > 0 ? fmt::format(", {} contact{} last{}", k.resting, k.resting == 1 ? "" : "s", k.resting == 1 ? "s" : "") : "",
       k.lowest_gap, k.open ? "kept open" : "LOST");
  if (k.within) line("", "one of the steps that are measured has an impact");
}

void constraint_lines(Lines& line, const Certificate& c) {
  if (!c.constraints) return;
  const auto& k = *c.constraints;
  const long of_rotations = c.rotations ? 6 * c.rotations->bodies : 0;
  const std::string what =
      fmt::format("{}{}{}{}", k.count, of_rotations > 0 ? fmt::format(", {} of rotations", of_rotations) : "",
                  k.moving ? ", moving" : "", k.penalty ? ", by penalty" : "");
  if (k.penalty)
    line("constraints", "{}: largest distance {:.1e} at t = {:.6g}", what, k.distance, k.distance_time);
  else
    line("constraints", "{}: largest distance {:.1e}, largest rate {:.1e}: {}", what, k.distance, k.speed,
         !(k.distance <= k.allowed_distance) || (c.claims.tangent && !(k.speed <= k.allowed_speed)) ? "LOST"
         : c.claims.tangent ? fmt::format("kept ({:.0e} and {:.0e} allowed)", k.allowed_distance, k.allowed_speed)
                            : fmt::format("positions kept ({:.0e} allowed), velocities not claimed", k.allowed_distance));
  if (k.corrected_q > 0 || k.corrected_v > 0)
    line("", "the start was projected: position moved by {:.2e}, velocity by {:.2e}", k.corrected_q, k.corrected_v);
}

void rotation_lines(Lines& line, const Certificate& c) {
  if (!c.rotations) return;
  const auto& r = *c.rotations;
  const std::string what = fmt::format("{} bod{}: |R'R - 1| at most {:.1e}, |det R - 1| {:.1e}", r.bodies,
                                       r.bodies == 1 ? "y" : "ies", r.orthogonality, r.determinant);
  if (std::isnan(r.allowed))
    line("rotations", "{}, by penalty", what);
  else
    line("rotations", "{}: {} ({:.0e} allowed)", what, r.orthogonality <= r.allowed ? "kept" : "LOST", r.allowed);
}

void momentum_lines(Lines& line, const Certificate& c) {
  for (const auto& m : c.momentum) {
    std::string note;
    if (!std::isnan(m.withdrawn) && m.symmetry)
      note =
          fmt::format("changed at t = {:.6g}, where it could not be checked whether it is a symmetry: not claimed", m.withdrawn);
    else if (!std::isnan(m.withdrawn))
      note = fmt::format("not a symmetry at t = {:.6g} (defect {:.1e}): not expected to be conserved", m.withdrawn,
                         m.symmetry_defect);
    else if (!m.symmetry && std::isnan(m.symmetry_defect))
      note = "it could not be checked whether this is a symmetry of the system: not claimed";
    else if (!m.symmetry)
      note = fmt::format("not a symmetry of this system (defect {:.1e}): not expected to be conserved", m.symmetry_defect);
    else if (m.claimed && !(c.claims.keeps == method::Keeps::conjugate_form))
      note = m.max_error <= m.bound ? fmt::format("kept (round-off allows {:.0e})", m.bound)
                                    : fmt::format("LOST (round-off allows {:.0e})", m.bound);
    else if (m.claimed)
      note = fmt::format("in the conjugate coordinates largest error {:.1e}: {} (round-off allows {:.0e})", m.own_max_error,
                         m.own_max_error <= m.bound ? "kept" : "LOST", m.bound);
    else if (c.contacts && m.affine && !m.claimed)
      note = "impacts change it: not expected to be conserved";
    else if (c.claims.thermostat)
      note = "the thermostat changes it: not expected to be conserved";
    else if (!m.affine)
      note = "not affine in q: no method here conserves it exactly";
    else
      note = "not claimed by the method";
    line("momentum", "{}: {:.10g}; largest error {:.1e}", m.name, m.initial, m.max_error);
    line("", "{}", note);
  }
}

void step_lines(Lines& line, const Certificate& c) {
  if (!c.claims.step_map) {
    line("step", "symplecticity and reversibility are not measured: the method chooses its own steps");
    return;
  }
  if (c.measuring.states == 0) {
    line("step", "not measured{}", c.measuring.why_less.empty() ? "" : ", see measuring");
    return;
  }
  const auto defect = [&](std::string_view label, const Defect& d, bool claimed, std::string_view where) {
    if (c.symplecticity.no_freedom)
      line(label, "the constraints leave no degree of freedom, so there is no symplectic form");
    else if (std::isnan(d.value))
      line(label, "not measured");
    else if (!resolved(d))
      line(label, "not resolved{}: measured {:.1e}, but differences resolve only {:.0e}", where, d.value, d.floor);
    else if (none_seen(d))
      line(label, "defect {:.1e}{}: {} (measured to {:.0e})", d.value, where, claimed ? "kept" : "no defect seen", d.floor);
    else
      line(label, "defect {:.1e}{}: {}", d.value, where, claimed ? "LOST" : "not kept, not claimed");
  };
  const bool own = c.claims.keeps == method::Keeps::conjugate_form;
  if (own) {
    defect("symplecticity", c.symplecticity.own, true, " in the conjugate coordinates");
    defect("", c.symplecticity.canonical, false, " in (q, p)");
  } else {
    defect("symplecticity", c.symplecticity.canonical, c.claims.keeps == method::Keeps::canonical, "");
  }
  if (std::isnan(c.reversibility))
    line("reversibility", "not measured");
  else
    line("reversibility", "stepping forward and back returns to within {:.1e}{}", c.reversibility,
         c.claims.reversible ? "" : " (not claimed)");
  const Accuracy& a = c.accuracy;
  if (!std::isnan(a.error))
    line("accuracy", "one step and two half steps differ by {:.1e} of the change that the forces make{}", a.error,
         std::isnan(a.order) ? "" : fmt::format("; order {:.1f}", a.order));
}

}  // namespace

namespace {

std::string meaning(const Certificate& c) {
  const std::string kept = fmt::format("{}{}", fmt::join(c.kept, ", "),
                                       c.claims.thermostat && !c.kept.empty() ? " (of the steps without the noise)" : "");
  switch (c.verdict) {
    case Certificate::Verdict::kept:
      return kept.empty() ? "all that the method claims" : kept;
    case Certificate::Verdict::unresolved:
      return kept.empty() ? "what the method claims could not be measured"
                          : fmt::format("{}; some claims of the method could not be measured", kept);
    case Certificate::Verdict::no_claims:
      return "the run reached its end; the method claims nothing";
    case Certificate::Verdict::stopped:
      return "interrupted; measured until then";
    case Certificate::Verdict::failed:
      break;
  }
  return c.failure ? "the run did not reach its end" : "a claim does not hold";
}

}  // namespace

std::string step_words(double smallest, double largest, long different, double last) {
  if (!std::isnan(last)) return fmt::format("{:.6g}, the last {:.6g}", largest, last);
  if (different <= 1) return fmt::format("{:.6g}", largest);
  return fmt::format("{:.6g} to {:.6g}, {} different", smallest, largest, different);
}

std::string text(const Certificate& c) {
  Lines line;
  line("method", "{}{}{}", c.method, c.order > 0 ? fmt::format(", order {}", c.order) : "",
       c.thermostat ? fmt::format(", with the noise of a thermostat ({})", c.thermostat->scheme) : "");
  const std::string steps =
      c.follows ? fmt::format("{} steps that follow the motion, of {:.4g} to {:.4g}", c.steps, c.shortest, c.longest)
                : fmt::format("{} of {} steps of {}", c.steps, c.planned,
                              step_words(c.smallest_step, c.step, c.different_steps, c.last_step));
  line("run", "{}, {} coordinate{}, t = {:.8g}; {}, {}", steps, c.coordinates, c.coordinates == 1 ? "" : "s", c.last.t,
       duration(c.wall_seconds), per_step(c.wall_seconds, c.steps));
  if (!c.past_end.empty()) line("", "{}", c.past_end);
  if (c.claims.conjugate_form_lost)
    line("", "the symplectic form that the method conserves depends on the step, and the steps differ: it conserves none");
  energy_lines(line, c);
  ledger_lines(line, c);
  thermostat_lines(line, c);
  contact_lines(line, c);
  constraint_lines(line, c);
  rotation_lines(line, c);
  momentum_lines(line, c);
  step_lines(line, c);
  const auto per_step_of = [&](long count) { return static_cast<double>(count) / static_cast<double>(std::max(c.steps, 1L)); };
  if (c.solver.iterations > 0 || c.solver.factorisations > 0)
    line("solver", "{:.2f} iterations a step{}{}, worst residual {:.1e}", per_step_of(c.solver.iterations),
         c.solver.linear_iterations > 0
             ? fmt::format(", {:.2f} linear iterations a step", per_step_of(c.solver.linear_iterations))
             : "",
         c.solver.factorisations > 0
             ? fmt::format(", {} factorisation{}", c.solver.factorisations, c.solver.factorisations == 1 ? "" : "s")
             : "",
         c.solver.worst_residual);
  for (const auto& sentence : c.broken) line("broken", "{}", sentence);
  for (const auto& sentence : c.unresolved) line("unresolved", "{}", sentence);
  if (c.claims.step_map)
    line("measuring", "the step at {} of {} states, {} (level {}){}", c.measuring.states, c.measuring.of_states,
         duration(c.measuring.seconds), word(c.measuring.level), c.measuring.why_less.empty() ? "" : ": " + c.measuring.why_less);
  line("verdict", "{}: {}", verdict_text(c.verdict), meaning(c));
  if (!c.not_kept.empty()) line("", "neither claimed nor conserved: {}", fmt::join(c.not_kept, "; "));
  return (c.title.empty() ? std::string() : c.title + "\n") + line.out;
}

}  // namespace actio::invariant
