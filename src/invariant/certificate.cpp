#include <actio/invariant/certificate.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace actio::invariant {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

bool resolved(const Defect& d) { return !std::isnan(d.value) && d.floor <= 1e-3; }

bool none_seen(const Defect& d) { return d.value <= 1e-8 + 10 * d.floor; }

bool energy_gone(const Certificate::Energy& e) {
  return e.conserved && std::abs(e.lost) > e.resolution && std::abs(e.lost) > 0.5 * e.max_error &&
         std::abs(e.lost) > 0.1 * e.largest_kinetic;
}

bool energy_runs_away(const Certificate::Energy& e) {
  return e.conserved && e.late_error > e.resolution && e.late_error > 100 * e.early_error &&
         e.late_error > 0.5 * e.largest_kinetic;
}

bool energy_absurd(const Certificate::Energy& e) {
  return e.conserved && e.largest_kinetic > 0 && e.max_error > e.resolution && e.max_error > 10 * e.largest_kinetic &&
         e.late_error > 10 * e.early_error;
}

double reversibility_allowance(double worst_residual, double cancellation) {
  return 1e-9 + 100 * std::min(worst_residual, worst_residual_allowed) + eps * std::min(cancellation, 1e12);
}

double momentum_allowance(double scale, long steps, double worst_residual) {
  const double k = static_cast<double>(steps);
  return scale * (eps * (256 + 64 * std::sqrt(k) + 4 * k) + 8 * k * std::min(worst_residual, 1e-9));
}

void judge(Certificate& c) {
  using method::Keeps;
  c.broken.clear();
  c.unresolved.clear();
  if (c.claims.keeps == Keeps::canonical || c.claims.keeps == Keeps::own_form) {
    const bool own = c.claims.keeps == Keeps::own_form;
    const Defect& d = own ? c.symplecticity.own : c.symplecticity.canonical;
    if (std::isnan(d.value))
      c.unresolved.push_back(fmt::format("{} claims to be symplectic: not measured", c.method));
    else if (!resolved(d))
      c.unresolved.push_back(fmt::format("{} claims to be symplectic: measured only to {:.0e}", c.method, d.floor));
    else if (!none_seen(d))
      c.broken.push_back(fmt::format("{} claims to be symplectic{}, a step's defect is {:.2e}", c.method,
                                     own ? " in its own coordinates" : "", d.value));
  }
  if (c.rotations && !std::isnan(c.rotations->allowed) && !(c.rotations->orthogonality <= c.rotations->allowed))
    c.broken.push_back(fmt::format("{} claims to keep rotations, one was {:.2e} away in |R'R - 1|; {:.1e} is allowed", c.method,
                                   c.rotations->orthogonality, c.rotations->allowed));
  if (c.constraints && !c.constraints->penalty) {
    const auto& k = *c.constraints;
    if (!(k.distance <= k.allowed_distance))
      c.broken.push_back(fmt::format("{} claims to keep the constraints, the state was {:.2e} away from one; {:.1e} is allowed",
                                     c.method, k.distance, k.allowed_distance));
    if (c.claims.tangent && !(k.speed <= k.allowed_speed))
      c.broken.push_back(
          fmt::format("{} claims to keep velocities along the constraints, they leave one by {:.2e}; {:.1e} is allowed", c.method,
                      k.speed, k.allowed_speed));
    if (!c.claims.tangent && !(k.speed <= 0.1 * k.fastest))
      c.unresolved.push_back(fmt::format(
          "velocities leave the constraints by {:.2e} where the fastest is {:.2e}: take a smaller step", k.speed, k.fastest));
  }
  for (const auto& m : c.momentum) {
    const double error = c.claims.keeps == Keeps::own_form ? m.own_max_error : m.max_error;
    if (m.claimed && error > m.bound)
      c.broken.push_back(fmt::format("{} claims to keep the momentum \"{}\", it changed by {:.2e}; round-off allows {:.1e}",
                                     c.method, m.name, error, m.bound));
  }
  if (c.claims.balances && c.ledger && !(c.ledger->worst_method <= c.ledger->round_off))
    c.broken.push_back(fmt::format("{} claims to lose no energy, it lost {:.2e}; round-off allows {:.1e}", c.method,
                                   c.ledger->worst_method, c.ledger->round_off));
  const bool keeps_energy = c.claims.keeps != Keeps::nothing && c.claims.energy;
  if (keeps_energy && !c.energy.given)
    c.unresolved.push_back(fmt::format("{} claims to keep the energy near its start: not measured", c.method));
  else if (keeps_energy && energy_gone(c.energy))
    c.broken.push_back(fmt::format("{} claims to keep the energy near its start, it is {:.2e} away for good: take a smaller step",
                                   c.method, c.energy.lost));
  else if (keeps_energy && energy_runs_away(c.energy))
    c.broken.push_back(
        fmt::format("{} claims to keep the energy near its start, its error grows from {:.1e} in the first quarter "
                    "of the run to {:.1e} in the last: take a smaller step",
                    c.method, c.energy.early_error, c.energy.late_error));
  else if (!keeps_energy && c.claims.reversible && c.claims.energy && energy_absurd(c.energy))
    c.broken.push_back(
        fmt::format("the energy was off by {:.1e}, the kinetic energy never above {:.1e}: the step is too large for the forces, "
                    "take a smaller one",
                    c.energy.max_error, c.energy.largest_kinetic));
  if (c.claims.reversible && std::isnan(c.reversibility))
    c.unresolved.push_back(fmt::format("{} claims to be reversible: not measured", c.method));
  if (c.claims.reversible &&
      c.reversibility > reversibility_allowance(c.solver.worst_residual, c.ledger ? c.ledger->cancellation : 0))
    (c.claims.friction ? c.unresolved : c.broken)
        .push_back(fmt::format("{} claims to be reversible, a step and back misses by {:.2e}{}", c.method, c.reversibility,
                               c.claims.friction ? ": where friction sticks a step back amplifies all rounding" : ""));

  using V = Certificate::Verdict;
  const bool claims_something = c.claims.keeps != Keeps::nothing || c.claims.reversible || c.claims.balances;
  if (c.ledger && c.ledger->runs_away)
    c.broken.push_back(fmt::format("the energy grows without bound, by {:.1e} that no force has done: take a smaller step",
                                   c.ledger->worst_method));
  if (!claims_something && c.claims.solved && !(c.solver.worst_residual <= worst_residual_believed))
    c.broken.push_back(fmt::format("the equations of the steps are solved only to {:.1e}", c.solver.worst_residual));
  if (claims_something && !(c.solver.worst_residual <= worst_residual_allowed))
    (c.solver.worst_residual <= worst_residual_believed ? c.unresolved : c.broken)
        .push_back(fmt::format("{} claims what holds for a step whose equations are solved; they are solved only to {:.1e}",
                               c.method, c.solver.worst_residual));
  if (c.failure || !c.broken.empty())
    c.verdict = V::failed;
  else if (c.interrupted)
    c.verdict = V::stopped;
  else
    c.verdict = !claims_something ? V::unclaimed : c.unresolved.empty() ? V::kept : V::unresolved;
}

std::string_view word(Certificate::Verdict verdict) {
  switch (verdict) {
    case Certificate::Verdict::kept:
      return "kept";
    case Certificate::Verdict::unresolved:
      return "unresolved";
    case Certificate::Verdict::unclaimed:
      return "unclaimed";
    case Certificate::Verdict::stopped:
      return "stopped";
    case Certificate::Verdict::failed:
      break;
  }
  return "failed";
}

}  // namespace actio::invariant
