#include "claims.hpp"

#include <actio/system/callbacks.hpp>
#include <algorithm>

namespace actio::run {

namespace {

// What the method keeps through steps of these sizes. A form of its own that depends on h is another one at each size, as in a
// composition (Spec::keeps).
method::Keeps keeps(const Task& task) {
  const method::Keeps one = task.method.properties.keeps;
  return one == method::Keeps::own_form && !task.schedule.step.equal() ? method::Keeps::nothing : one;
}

bool driven(const method::Nature& nature, const Task& task) { return nature.constraints > 0 && task.constraints.moving(); }

// The work of what drives is that of forces at both ends of a step: as exact as the method is where it balances these.
bool balances_driven(const method::Nature& nature, const method::Stated& method) {
  return nature.driven && method.properties.at_end;
}

bool balances(const method::Nature& nature, const Task& task) {
  if (!(nature.energy && nature.lagrangian && task.autonomous)) return false;
  return task.method.balances() || (nature.linear && task.method.properties.balances_linear &&
                                    (!driven(nature, task) || balances_driven(nature, task.method)));
}

// A step back has a matrix of its own, with damping an indefinite one: of a large structure a factorisation that may take hours.
bool steps_back(const method::Integrator& integrator, const method::Nature& nature, const Task& task) {
  return task.method.properties.symmetric && !(nature.friction && task.method.friction_at_end()) &&
         !(too_large_to_probe(integrator) && nature.forced);
}

}  // namespace

invariant::Claims claims(const method::Integrator& integrator, const Task& task) {
  const method::Nature nature = integrator.nature();
  invariant::Claims out;
  out.solved = task.method.properties.solved || nature.linear;
  out.forced = nature.forced;
  out.keeps = nature.forced || !nature.lagrangian ? method::Keeps::nothing : keeps(task);
  out.own_form_lost = !nature.forced && nature.lagrangian && keeps(task) != task.method.properties.keeps;
  // Steps that depend on the time are a Lagrangian that does: a symplectic map each, but no energy near E for long.
  out.energy = task.schedule.step.equal() && (nature.energy || task.autonomous);
  out.friction = nature.friction && !nature.linear;
  out.balances = balances(nature, task);
  out.tangent = !task.method.balances();
  out.step_map = !task.method.chooses_steps;
  out.reversible = out.step_map && steps_back(integrator, nature, task);
  return out;
}

method::Keeps kept_momentum(const method::Integrator& integrator, const Task& task) {
  const method::Keeps kept = keeps(task);
  const method::Nature nature = integrator.nature();
  const bool own = kept == method::Keeps::own_form && nature.forced;
  return own || (nature.friction && task.method.friction_at_end()) ? method::Keeps::nothing : kept;
}

bool keeps_ledger(const method::Integrator& integrator, const Task& task) {
  const method::Nature nature = integrator.nature();
  return nature.energy && (nature.forced || balances(nature, task) || driven(nature, task));
}

bool is_autonomous(const system::Model& model) {
  if (model.callbacks && model.callbacks->time) return false;
  return std::none_of(model.terms.begin(), model.terms.end(),
                      [&](const system::Term& term) { return system::depends_on_time(model, term.graph, term.value); });
}

long energies_of(const system::Model& model) {
  long sum = 1;
  for (const system::Term& term : model.terms) sum += term.elements;
  return sum;
}

}  // namespace actio::run
