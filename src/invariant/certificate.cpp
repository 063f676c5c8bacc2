#include <actio/invariant/certificate.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/invariant/thresholds.hpp>

#include "numbers.hpp"

namespace actio::invariant {

using namespace threshold;

std::string Certificate::Failure::text() const { return core::text(core::at_step(step, t, {message, hint})); }

Certificate::Failure failure(const core::RunError& error) {
  return {error.step, error.t, error.diagnostic().message, error.diagnostic().hint};
}

bool resolved(const Defect& d) { return !std::isnan(d.value) && d.floor <= defect_resolved; }

bool none_seen(const Defect& d) { return d.value <= defect + of_floor * d.floor; }

namespace {

// E - E0 less what forces and moving constraints did, as far as it is known.
struct Unexplained {
  bool known = false;
  double last = 0, lost = 0, late = 0, worst = 0;
  double moved = 0;       // work that went in and out
  double resolution = 0;  // smaller is round-off
};

Unexplained unexplained(const Certificate& c) {
  Unexplained u;
  const auto& e = c.energy;
  if (!e.defined || !e.given) return u;
  if (c.ledger && !std::isnan(c.ledger->method)) {
    const auto& l = *c.ledger;
    u = {true, -l.method, std::isnan(l.lost) ? 0 : -l.lost, std::abs(l.lost), l.worst_method, l.moved, l.round_off};
    u.late = std::max(std::abs(l.method), std::abs(u.lost));
  } else if (e.conserved) {
    u = {true, e.last_error, e.lost, e.late_error, e.max_error, 0, e.resolution};
  }
  u.resolution = std::max(u.resolution, e.resolution);
  return u;
}

// With friction a gain on the way counts, though friction takes it again: nothing swings there. What is lost at the end, where
// that is the largest of all differences, is no gain: friction between two observations far apart is known roughly.
double most_gained(const Certificate& c, const Unexplained& u) {
  const bool lost = u.last < 0 && u.worst <= -u.last;
  return c.claims.friction && !lost ? std::max(u.last, u.worst) : u.last;
}

bool energy_seen_to_return(const Certificate::Energy& e) { return e.late_looks >= looks; }

}  // namespace

bool energy_expected_to_stay(const Certificate& c) {
  if (!c.energy.given || !c.energy.defined) return false;
  return c.energy.conserved || c.energy.declared || (c.claims.thermostat && !c.claims.forced);
}

double energy_error(const Certificate& c) { return energy_expected_to_stay(c) ? c.energy.max_error : unmeasured; }

double energy_drift(const Certificate& c) { return energy_expected_to_stay(c) ? c.energy.drift_per_step : unmeasured; }

bool energy_gained(const Certificate& c) {
  const Unexplained u = unexplained(c);
  const auto& e = c.energy;
  const double gain = most_gained(c, u);
  return u.known && gain > u.resolution && gain > energy_lost * e.motion && gain > gained_of_largest * e.largest_kinetic &&
         gain > (c.claims.friction ? gained_with_friction : gained) * std::max(e.early_motion, u.moved) &&
         (c.claims.friction || u.lost > 0 || !energy_seen_to_return(e));
}

double reversibility_allowance(double worst_residual, double cancellation) {
  return round_trip + 100 * std::min(worst_residual, residual_allowed) + eps * std::min(cancellation, 1e12);
}

double momentum_allowance(double scale, long steps, double worst_residual) {
  const double k = static_cast<double>(steps);
  return scale * (eps * (256 + 64 * std::sqrt(k) + 4 * k) + 8 * k * std::min(worst_residual, 1e-9));
}

namespace {

double nan_is_none(double x) { return std::isnan(x) ? 0 : x; }

// What a certificate finds of each claim, collected.
class Judgement {
 public:
  explicit Judgement(Certificate& c) : c_(c) {
    c.broken.clear();
    c.unresolved.clear();
    c.kept.clear();
    c.not_kept.clear();
  }
  template <class... A>
  void broken(fmt::format_string<A...> sentence, A&&... a) {
    c_.broken.push_back(fmt::format(sentence, std::forward<A>(a)...));
  }
  template <class... A>
  void unresolved(fmt::format_string<A...> sentence, A&&... a) {
    c_.unresolved.push_back(fmt::format(sentence, std::forward<A>(a)...));
  }
  template <class... A>
  void kept(fmt::format_string<A...> what, A&&... a) {
    c_.kept.push_back(fmt::format(what, std::forward<A>(a)...));
  }
  template <class... A>
  void not_kept(fmt::format_string<A...> what, A&&... a) {
    c_.not_kept.push_back(fmt::format(what, std::forward<A>(a)...));
  }

  void form() {
    using method::Keeps;
    const bool own = c_.claims.keeps == Keeps::conjugate_form;
    if (!own && c_.claims.keeps != Keeps::canonical) {
      if (c_.claims.step_map && !c_.claims.forced && resolved(c_.symplecticity.canonical))
        none_seen(c_.symplecticity.canonical) ? void() : not_kept("the symplectic form");
      return;
    }
    const Defect& d = own ? c_.symplecticity.own : c_.symplecticity.canonical;
    const std::string_view where = own ? " in its conjugate coordinates" : "";
    if (c_.symplecticity.no_freedom) return;  // as many constraints as coordinates: nothing to be symplectic
    if (std::isnan(d.value))
      unresolved("{} claims to be symplectic{}: not measured{}", c_.method, where, remedy());
    else if (!resolved(d) && !c_.measuring.why_less.empty())
      unresolved("{} claims to be symplectic{}: measured only to {:.0e}, see measuring", c_.method, where, d.floor);
    else if (!resolved(d))
      unresolved("{} claims to be symplectic{}: {} limit the differences to {:.0e}; {}", c_.method, where,
                 c_.energy.rough.empty() ? "round-off errors" : "forces that jump at the cutoff of " + c_.energy.rough, d.floor,
                 c_.energy.rough.empty() ? "scale the coordinates so that they change by about their own size"
                                         : "a switch takes them to 0");
    else if (!none_seen(d))
      broken("{} claims to be symplectic{}, but the defect of a step is {:.2e}; differences resolve {:.0e}", c_.method, where,
             d.value, d.floor);
    else
      kept("the symplectic form{}", own ? " in its conjugate coordinates" : "");
  }

  void rotations() {
    if (!c_.rotations || std::isnan(c_.rotations->allowed)) return;
    if (!(c_.rotations->orthogonality <= c_.rotations->allowed))
      broken("{} claims that rotations stay orthogonal, but |R'R - 1| was {:.2e}; {:.1e} is allowed", c_.method,
             c_.rotations->orthogonality, c_.rotations->allowed);
    else
      kept("rotations");
  }

  void constraints() {
    if (!c_.constraints) return;
    const auto& k = *c_.constraints;
    if (k.penalty) {
      not_kept("the constraints (a penalty satisfies them to {:.1e})", k.distance);
      return;
    }
    const bool far = !(k.distance <= k.allowed_distance), off = !(k.speed <= k.allowed_speed);
    if (far)
      broken("{} claims to satisfy the constraints, but the largest distance from one is {:.2e}; {:.1e} is allowed", c_.method,
             k.distance, k.allowed_distance);
    if (c_.claims.tangent && off)
      broken("{} claims that velocities are tangent to the constraints, but the rate of one is {:.2e}; {:.1e} is allowed",
             c_.method, k.speed, k.allowed_speed);
    const bool coarse_velocities = !c_.claims.tangent && !(k.speed <= threshold::tangent * k.fastest);
    if (coarse_velocities)
      unresolved("velocities violate the constraints by {:.2e}, and the fastest is {:.2e}: take a smaller step", k.speed,
                 k.fastest);
    if (!far && !off) kept("the constraints");
    if (!far && off && !c_.claims.tangent && !coarse_velocities) kept("the constraints of positions");
  }

  void contacts() {
    if (!c_.contacts) return;
    if (!c_.contacts->open)
      broken(
          "{} claims that gaps stay open, but one came to {:.2e}: what passes a contact within a step was not seen; take a "
          "smaller step",
          c_.method, c_.contacts->lowest_gap);
    else
      kept("open gaps");
  }

  void momentum() {
    for (const auto& m : c_.momentum) {
      const double error = c_.claims.keeps == method::Keeps::conjugate_form ? m.own_max_error : m.max_error;
      if (m.claimed && error > m.bound)
        broken("{} claims to conserve the momentum \"{}\", but it changed by {:.2e}; round-off allows {:.1e}", c_.method, m.name,
               error, m.bound);
      else if (m.claimed)
        kept("{}", m.name);
      else if (!m.symmetry && c_.claims.keeps != method::Keeps::nothing)
        unresolved("\"{}\" is declared a symmetry, but {}: its momentum is not expected to be conserved", m.name,
                   std::isnan(m.symmetry_defect) ? std::string("whether it is one could not be checked")
                                                 : fmt::format("is none (defect {:.1e})", m.symmetry_defect));
      else if (m.symmetry && m.max_error > m.bound)
        not_kept("{} (changed by {:.1e})", m.name, m.max_error);
    }
  }

  // What a method that loses no energy keeps: E itself only where nothing else changes it.
  std::string_view balance_words() const {
    if (c_.claims.thermostat && !c_.claims.forced) return " less heat";
    return c_.energy.conserved ? "" : " balance";
  }
  void energy() {
    const auto& e = c_.energy;
    const bool near_claimed = (c_.claims.keeps != method::Keeps::nothing || c_.claims.reversible_steps) && c_.claims.energy;
    const bool near = near_claimed && e.conserved;
    const bool balanced = c_.claims.energy_balanced && c_.ledger;
    if (balanced && !(c_.ledger->worst_method <= c_.ledger->round_off)) {
      broken("{} claims to lose no energy, but lost {:.2e}; round-off allows {:.1e}", c_.method, c_.ledger->worst_method,
             c_.ledger->round_off);
    } else if (balanced && c_.ledger->round_off > energy_resolved * e.motion && !e.resting) {
      unresolved(
          "{} claims to lose no energy: round-off of energies of {:.1e} hides changes below {:.1e}, and the motion has {:.1e}; "
          "subtract the constant from the potential",
          c_.method, std::abs(e.initial), c_.ledger->round_off, e.motion);
    } else if (balanced) {
      kept("the energy{} exactly", balance_words());
    }
    if (near_claimed && !e.given)
      unresolved("{} claims to keep the energy near its start: the code gives no potential", c_.method);
    const Unexplained u = unexplained(c_);
    if (!u.known) return;
    const bool gained_much = energy_gained(c_);
    const double share = e.motion > 0 ? 1 / e.motion : 0;
    if (gained_much && !(near && u.late > u.resolution && std::abs(u.lost) > energy_lost * e.motion))
      broken("the energy grew by {:.1e} without work of any force; the motion began with {:.1e}: take a smaller step",
             most_gained(c_, u), e.early_motion);
    if (!near) {
      if ((e.conserved || c_.claims.thermostat) && !balanced && std::abs(u.lost) > energy_unclear * e.motion &&
          u.late > u.resolution)
        not_kept("the energy{} (changed by {:.0f} % of that of the motion)", c_.claims.thermostat ? " less heat" : "",
                 100 * std::abs(u.lost) * share);
      return;
    }
    if (u.resolution > energy_resolved * e.motion && !e.resting && !balanced) {
      unresolved(
          "{} claims to keep the energy near its start: round-off of energies of {:.1e} hides changes below {:.1e}, and the "
          "motion has {:.1e}; subtract the constant from the potential, or move the origin of the coordinates nearer",
          c_.method, std::abs(e.initial), u.resolution, e.motion);
      return;
    }
    if (u.late <= u.resolution && u.worst <= u.resolution) {
      if (!balanced) kept("the energy near its start");
      return;
    }
    if (c_.follows && u.worst > u.resolution && u.worst > energy_followed * e.motion) {
      unresolved(
          "{} claims to keep the energy near its start, but for a moment it was {:.1e} away, and the motion has {:.1e}: the "
          "steps "
          "there were too long, or sigma was nearly 0",
          c_.method, u.worst, e.motion);
      return;
    }
    const bool enough = energy_seen_to_return(e);
    if (u.late > u.resolution && std::abs(u.lost) > energy_lost * e.motion &&
        (enough || std::abs(u.last) > energy_absurd * e.motion)) {
      broken(
          "{} claims to keep the energy near its start, but it stays {:+.2e} or more away in the last quarter of the run; "
          "the motion has {:.1e}: take a smaller step",
          c_.method, u.lost, e.motion);
    } else if (enough && u.late > energy_absurd * e.motion && u.late > 10 * e.early_error) {
      broken(
          "{} claims to keep the energy near its start, but its error grows from {:.1e} in the first quarter of the run to "
          "{:.1e} in the last: take a smaller step",
          c_.method, e.early_error, u.late);
    } else if (!c_.ledger && u.worst > u.resolution && e.typical_error > energy_swing_unclear * e.motion) {
      const std::string sentence = fmt::format(
          "{} claims to keep the energy near its start, but it is {:.1e} away on average and {:.1e} at most; the motion has "
          "{:.1e}: take a smaller step",
          c_.method, e.typical_error, u.worst, e.motion);
      (e.typical_error > energy_swing * e.motion ? c_.broken : c_.unresolved).push_back(sentence);
    } else if (enough && e.swings >= fewest_swings && std::abs(e.drift_per_step) > 2 * e.drift_confidence &&
               u.late > u.resolution && std::abs(u.lost) > std::max(energy_drifted, of_accuracy * c_.accuracy.error) * e.motion) {
      unresolved(
          "{} claims to keep the energy near its start, but it drifts to {:+.1e} away, {:.0f} times what the error of a step "
          "explains; the motion has {:.1e}",
          c_.method, u.lost, std::abs(u.lost) / (c_.accuracy.error * e.motion), e.motion);
    } else if (std::abs(u.lost) > energy_unclear * e.motion && u.late > u.resolution) {
      unresolved(
          "{} claims to keep the energy near its start, but it stays {:+.1e} or more away in the last quarter of the run, "
          "{:.0f} % of what the motion has{}",
          c_.method, u.lost, 100 * std::abs(u.lost) * share,
          enough ? "; a smaller step shows whether it returns" : ", and the run is too short to see it return");
    } else {
      kept("the energy near its start{}", std::isnan(e.drift_per_step) ? " (too few observations to see a drift)" : "");
    }
  }

  void discrete_energy() {
    if (!c_.claims.discrete_energy) return;
    const auto& e = c_.energy;
    if (std::isnan(e.discrete_error))
      unresolved("{} claims to conserve the discrete energy: no step was found by it", c_.method);
    else if (e.discrete_error <= e.discrete_allowed)
      kept("the discrete energy");
    else
      broken("{} claims to conserve the discrete energy, but that of a step was {:.1e} from it; {:.1e} is allowed", c_.method,
             e.discrete_error, e.discrete_allowed);
  }

  void reversibility() {
    if (!c_.claims.reversible) return;
    const double allowed = reversibility_allowance(c_.solver.worst_residual, c_.ledger ? c_.ledger->cancellation : 0);
    if (std::isnan(c_.reversibility))
      unresolved("{} claims to be reversible: not measured{}", c_.method, remedy());
    else if (c_.reversibility <= allowed)
      kept("reversibility");
    else if (c_.claims.friction)
      unresolved(
          "{} claims to be reversible, but stepping forward and back returns only to {:.2e}: where friction sticks, a step back "
          "amplifies round-off",
          c_.method, c_.reversibility);
    else
      broken("{} claims to be reversible, but stepping forward and back returns only to {:.2e}; round-off allows {:.1e}",
             c_.method, c_.reversibility, allowed);
  }

  // The steps are those of this system, at the order the method has.
  void accuracy() {
    const Accuracy& a = c_.accuracy;
    // Where forces act, one state may stand at the jump of a load.
    const bool smooth = !c_.claims.forced && (c_.energy.conserved || c_.claims.thermostat);
    if (a.states_off > 0 && (smooth || a.states_off > a.states_on))
      broken(
          "even in the limit of short steps they differ from the system by {:.1e} (of the motion, or of the forces' power): "
          "if you give derivatives of your own, check them",
          a.inconsistency);
    if (c_.code &&
        std::max({0.0, nan_is_none(c_.code->energy), nan_is_none(c_.code->tangent), nan_is_none(c_.code->symmetry)}) > code)
      broken(
          "the functions given for the potential are not derivatives of one another: the gradient is off the differences of the "
          "value by {:.1e}, the Hessian off those of the gradient by {:.1e}, and off its own symmetry by {:.1e}",
          c_.code->energy, c_.code->tangent, c_.code->symmetry);
    if (claims_something() && c_.order > 1 && a.together < 1.5 && a.together_finer < 1.5)
      unresolved(
          "{} has order {}, but the run's first steps together have order {:.1f} and {:.1f}: the potential has a kink, or the "
          "steps differ",
          c_.method, c_.order, a.together, a.together_finer);
    if (claims_something() && c_.order > 1 && a.slips > 0 && a.slips <= few_slips)
      unresolved("in {} of the run's first steps the positions do not move with the velocities", a.slips);
    if (a.ringing > 0) {
      // The midpoint rule leaves such a velocity as large as it was; a rule that claims nothing may let it grow.
      const std::string why = fmt::format(
          "friction holds {} of the coordinates, and their velocities change sign at every step; coefficients that damp the "
          "highest frequencies do not (minimising-newmark: gamma = 0.6, beta = 0.3025)",
          a.ringing);
      claims_something() ? unresolved("{}", why) : broken("{}", why);
    }
    if (!std::isnan(a.order) && c_.order > 0 && a.order < c_.order - threshold::order)
      broken("{} has order {}, but its steps have order {:.1f}", c_.method, c_.order, a.order);
    if (c_.claims.order && c_.order > 0 && !c_.claims.friction && !a.order_tried)
      unresolved("{} is stated to have order {}, which was not measured; --certificate full measures it", c_.method, c_.order);
    const auto& e = c_.energy;
    // Energy that no ledger accounts for, where the Lagrangian depends on the time: steps that do not follow the forces feed it.
    if (!unexplained(c_).known && e.motion > gained * 10 * e.early_motion && a.typical > coarse)
      broken(
          "the energy of the motion grew from {:.1e} to {:.1e}, and the steps do not resolve the forces: one step and two half "
          "steps differ by {:.0f} % of the change that the forces make; take a smaller step",
          e.early_motion, e.motion, 100 * a.typical);
  }

  void solver() {
    const double r = c_.solver.worst_residual;
    if (!claims_something() && c_.claims.solved && !(r <= residual_believed))
      broken("the equations of the steps are solved only to {:.1e}", r);
    if (claims_something() && !(r <= residual_believed))
      broken("the claims of {} hold for solved step equations, but these are solved only to {:.1e}", c_.method, r);
    else if (claims_something() && !(r <= residual_allowed))
      unresolved("the claims of {} hold for solved step equations, but these are solved only to {:.1e}", c_.method, r);
  }

  bool claims_something() const {
    return c_.claims.keeps != method::Keeps::nothing || c_.claims.reversible || c_.claims.energy_balanced;
  }

 private:
  std::string remedy() const {
    return c_.measuring.why_less.empty() ? std::string(": no step could be taken near the states of the run")
                                         : std::string(", see measuring");
  }
  Certificate& c_;
};

}  // namespace

void judge(Certificate& c) {
  Judgement j(c);
  j.form();
  j.rotations();
  j.constraints();
  j.contacts();
  j.momentum();
  j.energy();
  j.discrete_energy();
  j.reversibility();
  j.accuracy();
  j.solver();
  using V = Certificate::Verdict;
  if (c.failure || !c.broken.empty())
    c.verdict = V::failed;
  else if (c.interrupted)
    c.verdict = V::stopped;
  else
    c.verdict = !j.claims_something() ? V::no_claims : c.unresolved.empty() ? V::kept : V::unresolved;
}

std::string_view word(Level level) {
  switch (level) {
    case Level::off:
      return "off";
    case Level::quick:
      return "quick";
    case Level::standard:
      return "standard";
    case Level::full:
      break;
  }
  return "full";
}

std::string_view word(Certificate::Verdict verdict) {
  switch (verdict) {
    case Certificate::Verdict::kept:
      return "kept";
    case Certificate::Verdict::unresolved:
      return "unresolved";
    case Certificate::Verdict::no_claims:
      return "no_claims";
    case Certificate::Verdict::stopped:
      return "stopped";
    case Certificate::Verdict::failed:
      break;
  }
  return "failed";
}

std::string_view verdict_text(Certificate::Verdict verdict) {
  return verdict == Certificate::Verdict::no_claims ? "no claims" : word(verdict);
}

}  // namespace actio::invariant
