#include "claims.hpp"

#include <actio/core/error.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/pairs.hpp>
#include <algorithm>

namespace actio::run {

namespace {

constexpr long most_near = 100;  // pairs a point, within a cutoff

// What the method keeps through steps of these sizes. A form of its own that depends on h is another one at each size, as in a
// composition (Spec::keeps).
method::Keeps keeps(const Task& task) {
  const method::Keeps one = task.method.properties.keeps;
  const bool one_size = task.schedule.one_size() && !task.method.reversible_steps;
  return one == method::Keeps::conjugate_form && !one_size ? method::Keeps::nothing : one;
}

bool prescribed(const method::SystemProperties& properties, const Task& task) {
  return properties.constraints > 0 && task.constraints.moving();
}

// The work of what drives is that of forces at both ends of a step: as exact as the method is where it balances these.
bool balances_prescribed(const method::SystemProperties& properties, const method::Stated& method) {
  return properties.prescribed && method.properties.at_end;
}

bool energy_balanced(const method::SystemProperties& properties, const Task& task) {
  if (properties.contacts) return false;  // an impact conserves the discrete energy, not that of the system
  if (!(properties.energy && properties.lagrangian && task.autonomous)) return false;
  return task.method.conserves_energy() || (properties.linear && task.method.properties.balances_linear &&
                                            (!prescribed(properties, task) || balances_prescribed(properties, task.method)));
}

// A step back has a matrix of its own, with damping an indefinite one: of a large structure a factorisation that may take hours.
bool steps_back(const method::Integrator& integrator, const method::SystemProperties& properties, const Task& task) {
  return task.method.properties.symmetric && !(properties.friction && task.method.friction_at_end()) &&
         !(too_large_to_probe(integrator) && properties.forced) && !properties.inelastic;
}

}  // namespace

invariant::Certificate before_start(const method::Integrator& integrator, const Task& task, bool moving) {
  const method::SystemProperties properties = integrator.properties();
  invariant::Certificate c;
  c.title = task.title;
  c.method = task.method.name;
  c.order = task.method.order(properties.friction);
  c.claims = claims(integrator, task);
  c.energy.defined = properties.energy;
  for (const system::CutoffJump& jump : task.cutoffs) {
    if (jump.force > 0) c.energy.rough = jump.term;
    if (jump.energy > c.energy.jump) {
      c.energy.jump = jump.energy;
      c.energy.jumps_in = jump.term;
    }
  }
  c.energy.declared = properties.energy && !properties.lagrangian;
  c.energy.given = properties.energy || !properties.lagrangian;
  c.energy.conserved =
      task.autonomous && properties.energy && properties.lagrangian && !properties.forced && !moving && !properties.thermostat;
  c.coordinates = integrator.size();
  c.step = task.schedule.step.largest();
  c.smallest_step = task.schedule.step.smallest();
  c.different_steps = std::max(1L, task.schedule.step.different());
  c.last_step = task.schedule.last_step();
  c.end = task.schedule.end;
  c.past_end = task.schedule.past_end;
  c.planned = task.schedule.steps;
  c.follows = task.schedule.follows;
  return c;
}

invariant::Claims claims(const method::Integrator& integrator, const Task& task) {
  const method::SystemProperties properties = integrator.properties();
  invariant::Claims out;
  out.solved = task.method.properties.solved || properties.linear;
  out.forced = properties.forced;
  out.thermostat = properties.thermostat;
  out.inelastic = properties.inelastic;
  const bool no_form = properties.forced || !properties.lagrangian || task.method.reversible_steps;
  out.keeps = no_form ? method::Keeps::nothing : keeps(task);
  out.reversible_steps = task.method.reversible_steps && !properties.forced && properties.lagrangian;
  out.conjugate_form_lost = !properties.forced && properties.lagrangian && keeps(task) != task.method.properties.keeps;
  // Steps that depend on the time are a Lagrangian that does: a symplectic map each, but no energy near E for long.
  out.energy = task.schedule.one_size() && (properties.energy || task.autonomous) && !properties.thermostat &&
               std::ranges::none_of(task.cutoffs, [](const system::CutoffJump& jump) { return jump.energy > 0; });
  out.friction = properties.friction && !properties.linear;
  out.energy_balanced = energy_balanced(properties, task);
  out.tangent = !task.method.conserves_energy();
  out.step_map = !task.method.chooses_steps;
  out.discrete_energy = task.method.finds_step;
  out.order = out.step_map && task.method.by_author;
  out.reversible = out.step_map && steps_back(integrator, properties, task);
  return out;
}

bool motion_reverses(const method::Integrator& integrator, std::span<const method::Snapshot> states) {
  const auto copy = integrator.clone();
  method::Snapshot there, back;
  try {
    for (const method::Snapshot& s : states) {
      copy->start(s.t, s.q, s.v);
      copy->snapshot(there);
      copy->start(s.t, s.q, -s.v);
      copy->snapshot(back);
      if (!((there.p + back.p).norm() <= 1e-9 * (there.p.norm() + back.p.norm()))) return false;
    }
  } catch (const core::InputError&) { return false; }
  return true;
}

method::Keeps kept_momentum(const method::Integrator& integrator, const Task& task) {
  const method::Keeps kept = keeps(task);
  const method::SystemProperties properties = integrator.properties();
  const bool own = kept == method::Keeps::conjugate_form && properties.forced;
  return own || properties.thermostat || (properties.friction && task.method.friction_at_end()) ? method::Keeps::nothing : kept;
}

bool keeps_ledger(const method::Integrator& integrator, const Task& task) {
  const method::SystemProperties properties = integrator.properties();
  return properties.energy &&
         (properties.forced || properties.thermostat || energy_balanced(properties, task) || prescribed(properties, task));
}

bool is_autonomous(const system::Model& model) {
  if (model.callbacks && model.callbacks->time) return false;
  return std::ranges::none_of(model.terms, [&](const system::Term& term) { return depends_on_time(model, term); });
}

long energies_of(const system::Model& model) {
  long sum = 1 + (model.callbacks ? model.callbacks->energies : 0);
  for (const system::Term& term : model.terms)
    sum += term.pairs && term.pairs->near ? most_near * term.pairs->near->points : term.elements;
  return sum;
}

}  // namespace actio::run
