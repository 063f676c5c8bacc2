#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <actio/discrete/body_coordinates.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/method/step_control.hpp>
#include <actio/system/bodies.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/constrained.hpp>
#include <actio/system/fast_part.hpp>
#include <actio/system/motion.hpp>
#include <actio/system/thermostat.hpp>

#include "contact/impacts.hpp"
#include "lanes/system.hpp"

// The traits of a method against the properties of a model, each with its reason.
namespace actio::method {

namespace {

using system::Model;

// dL/dv depends on t: the acceleration needs its time derivative too.
bool momentum_depends_on_time(const system::Model& model, const system::Term& term) {
  if (!term.velocities || !depends_on_time(model, term)) return false;
  expr::Graph g = term.graph;
  std::vector<expr::Id> v;
  for (long l = 0; l < term.locals; ++l) v.push_back(g.column(static_cast<int>(term.locals + l)));
  for (const expr::Id p : expr::gradient(g, term.value, v))
    if (depends_on_time(model, g, p)) return true;
  return false;
}

std::string needs_lagrangian(const Model& model, const Spec& spec, bool velocities) {
  const Traits& traits = spec.traits();
  const std::string name(spec.description().name);
  const bool mass = model.mass.kind != system::MassMatrix::Kind::none;
  if (traits.separable && (velocities || !mass)) return name + " needs a Lagrangian of the form 1/2 v'Mv - V(q)";
  if (traits.velocity_forces || !system::force_needs_velocity(model)) return "";
  return fmt::format("{}{} takes no forces that depend on velocities: newmark, variational and midpoint do", name,
                     traits.is_explicit ? " is explicit and" : "");
}

// Who gives a potential that is no term; "" where nobody does.
std::string other_potential(const Model& model) {
  if (!model.library.empty()) return "a potential from a library";
  if (!model.callbacks) return "";
  return model.callbacks->built_in() ? model.callbacks->name : "a potential from callbacks";
}

std::string needs_derivatives(const Model& model, const Spec& spec) {
  const Traits& traits = spec.traits();
  const std::string_view name = spec.description().name;
  const bool built_in = model.callbacks && model.callbacks->built_in();
  if (const std::string by = other_potential(model); traits.third_derivatives && !by.empty())
    return fmt::format("{} needs third derivatives, which {} does not give: take {}", name, by,
                       built_in ? "verlet" : "zhang-skeel-simplified");
  const auto stiff = [](const system::Term& term) { return term.stiff; };
  if (traits.matrices == Matrices::stiff && model.constraints.empty() && model.stiffness.nonZeros() == 0 &&
      std::none_of(model.terms.begin(), model.terms.end(), stiff))
    return fmt::format(
        "{} needs stiff terms, and none is marked: set stiff = true on them, or take zhang-skeel-simplified, which uses the "
        "Hessian of all terms",
        name);
  return "";
}

// Friction by a minimum principle needs forces with a potential.
std::string needs_potential(const Model& model, const Spec& spec) {
  const std::string_view name = spec.description().name;
  const bool friction = !model.dissipation.empty() || model.damping.nonZeros() > 0;
  if (spec.traits().minimises)
    for (const system::Force& force : model.forces)
      if (depends_on_columns(force, 0, 2 * force.locals))
        return fmt::format(
            "{} minimises a potential and takes external forces of t alone, and {} depends on positions or velocities. Write "
            "friction as `dissipation`, or take newmark, variational or two-step, which take any force",
            name, force.name.empty() ? "a force" : force.name);
  if (spec.friction_at_end() && friction && spec.composed)
    return fmt::format("{} cannot be composed: with friction it has order 1", name);
  return "";
}

std::string needs_bodies(const Model& model, const Spec& spec) {
  if (!spec.traits().on_groups) return "";
  const std::string_view name = spec.description().name;
  if (model.bodies.empty())
    return fmt::format("{} needs rigid bodies, and the system has none: declare them in system.bodies", name);
  if (std::none_of(model.constraints.begin(), model.constraints.end(), [](const auto& c) { return c.of_rotations; }))
    return fmt::format("{} needs rigid bodies, and a penalty lets them deform: remove constraint_method = \"penalty\"", name);
  if (const std::string_view why = spec.properties().contradiction; !why.empty()) return fmt::format("{} {}", name, why);
  if (const std::string why = discrete::not_of_bodies(model); !why.empty()) return fmt::format("{}: {}", name, why);
  return "";
}

// A part whose motion is known.
std::string needs_split(const Model& model, const Spec& spec) {
  if (!spec.traits().needs_split) return "";
  const std::string_view name = spec.description().name;
  if (!model.fast)
    return fmt::format(
        "{} needs a part of the system whose motion is known: declare it in [system.split], fast = \"kepler\" or \"linear\"",
        name);
  if (const std::string why = system::why_no_fast_part(model); !why.empty()) return why;
  if (!model.fixed_dofs.empty())
    return fmt::format("{} takes no fixed coordinates: the motion of [system.split] moves all of them", name);
  if (model.thermostat && model.thermostat->acts()) return fmt::format("{} takes no thermostat: verlet does", name);
  return "";
}

// Of steps that follow the motion.
std::string follows_no_motion(const Model& model, const Spec& spec) {
  if (!spec.transforms_time()) return "";
  const std::string_view name = spec.description().name;
  const bool time = std::ranges::any_of(model.terms, [&](const auto& term) { return depends_on_time(model, term); }) ||
                    (model.callbacks && model.callbacks->time);
  if (model.thermostat && model.thermostat->acts()) return "a thermostat needs steps of one size, and these follow the motion";
  if (!spec.control || spec.control->kind == StepControl::Kind::own) {
    if (system::is_forced(model)) return fmt::format("{} takes no forces beside a potential", name);
    if (time) return fmt::format("{} needs a potential that does not depend on the time", name);
    return "";
  }
  const StepControl& control = *spec.control;
  if (control.sigma != StepControl::Sigma::function) {
    const bool mass = model.mass.kind != system::MassMatrix::Kind::none && model.equations.empty();
    if (!mass || lagrangian_needs_velocity(model) || !model.bodies.empty() || time)
      return fmt::format("steps by \"{}\" need a Lagrangian of the form 1/2 v'Mv - V(q){}: give an expression",
                         control.definition, time ? ", and here something depends on the time" : "");
    if (control.sigma == StepControl::Sigma::force && model.callbacks && model.callbacks->without_tangent())
      return "steps by \"force\" need second derivatives of the potential: give an expression";
  }
  if (control.kind == StepControl::Kind::reversible) {
    if (spec.traits().chooses_steps) return fmt::format("{} chooses its own steps", name);
    if (spec.traits().needs_split) return fmt::format("{} is for steps of one size", name);
    if (!spec.symmetric())
      return fmt::format("reversible steps are of symmetric methods, and {} is not one{}{}", name,
                         spec.traits().symmetric_if.empty() ? "" : " unless ", spec.traits().symmetric_if);
    if (spec.friction_at_end() && system::force_needs_velocity(model))
      return fmt::format("reversible steps are of symmetric methods, and {} with friction is not one", name);
    return "";
  }
  const bool takes = std::holds_alternative<Midpoint>(spec.choice) || std::holds_alternative<Gauss>(spec.choice) ||
                     std::holds_alternative<Lobatto>(spec.choice);
  if (!takes || spec.composed) return "run.step.poincare is for midpoint, gauss and lobatto, not composed: gauss has any order";
  const std::string why = lanes::no_steps_with(model);
  if (!why.empty() && why != "a full mass matrix") return fmt::format("run.step.poincare takes no {}", why);
  if (system::is_forced(model)) return "run.step.poincare takes no forces beside a potential";
  if (time) return "run.step.poincare needs a potential that does not depend on the time";
  const auto elements = static_cast<std::size_t>(control.sum.elements) * control.sum.graph.size();
  if (model.size() > lanes::most_explicit || lanes::operations(model) + elements > lanes::most_operations)
    return fmt::format("run.step.poincare is for at most {} coordinates and some {} operations: take reversible",
                       lanes::most_explicit, lanes::most_operations);
  return "";
}

std::string needs_element_energies(const Model& model, const Spec& spec) {
  const std::string by = other_potential(model);
  if (!spec.traits().element_energies || by.empty()) return "";
  return fmt::format("{} needs the energy of each element, and {} is one function of all coordinates", spec.description().name,
                     by);
}

// What a method asks of a code with residual and tangent that is not given.
std::string needs_of_a_code(const Model& model, const Spec& spec) {
  if (!model.callbacks) return "";
  const system::Callbacks& code = *model.callbacks;
  const std::string_view name = spec.description().name;
  // Matrices of the mass alone have derivatives of the potential where a force acts or the Lagrangian is another one.
  const bool of_mass = spec.traits().matrices == Matrices::mass && !system::is_forced(model) && !lagrangian_needs_velocity(model);
  if (code.without_tangent() && spec.traits().matrices != Matrices::none && !of_mass)
    return code.built_in()
               ? fmt::format("{} needs second derivatives{}, which {} does not give: verlet, rattle and shake need forces alone",
                             name, spec.traits().matrices == Matrices::mass ? " beside external forces" : "", code.name)
               : fmt::format("{} needs {}: give it, or take an explicit method (verlet, rk4)", name, code.hessian_word);
  if (!spec.traits().minimises) return "";
  if (code.residual && !code.energy)
    return fmt::format("{} minimises an energy, and the callbacks give a residual without its energy", name);
  if (code.force_tangent)
    return fmt::format("{} takes external forces of t alone, and the callbacks give a force with a tangent", name);
  return "";
}

std::string keeps_no_constraints(const Model& model, const Spec& spec) {
  const Traits& traits = spec.traits();
  if (model.constraints.empty()) return "";
  if (model.least_squares && !traits.redundant_constraints)
    return fmt::format("{} takes no redundant constraints: rattle and midpoint do", spec.description().name);
  if (traits.constraints == Constraints::kept) return "";
  const bool imposes = traits.constraints == Constraints::imposed;
  const std::string why = system::why_not_prescribed(model);
  if (imposes && why.empty()) return "";
  const std::string others = !traits.with_constraints.empty()
                                 ? std::string(traits.with_constraints)
                                 : names_of_those([&](const Traits& of) {
                                     return of.constraints == Constraints::kept && (!of.on_groups || !model.bodies.empty());
                                   }) + (imposes ? " take any" : " do");
  const std::string_view name = spec.description().name;
  if (imposes)
    return fmt::format(
        "{} takes only constraints that prescribe a coordinate as a function of time, and {}: {}; or set "
        "constraint_method = \"penalty\"",
        name, why, others);
  return fmt::format(
      "{} takes no constraints: {}{}; or set constraint_method = \"penalty\"", name, others,
      why.empty() && traits.with_constraints.empty()
          ? "; newmark, hht and their relatives do, because each constraint prescribes a coordinate as a function of time"
          : "");
}

std::string cannot_be_composed(const Model& model, const Spec& spec) {
  if (!spec.composed) return "";
  const Traits& traits = spec.traits();
  const std::string_view name = spec.description().name;
  if (!traits.tangent_velocities && !model.constraints.empty())
    return fmt::format(
        "{} with constraints cannot be composed: its velocities violate them by an error that changes sign each step", name);
  if (!traits.chooses_steps && !traits.needs_split && spec.symmetric()) return "";
  return fmt::format("only symmetric methods of order 2 can be composed, and {} is not one{}{}", name,
                     !spec.solved()                 ? " with a fixed number of iterations"
                     : !traits.symmetric_if.empty() ? " unless "
                                                    : "",
                     spec.solved() ? traits.symmetric_if : "");
}

// What a thermostat's noise asks of both. The method is one with which the model is stepped (simplified).
std::string takes_no_thermostat(const Model& model, const Spec& spec) {
  if (!model.thermostat || !model.thermostat->acts()) return "";
  const Traits& traits = spec.traits();
  const std::string_view name = spec.description().name;
  const bool constant_mass = model.equations.empty() && !lagrangian_needs_velocity(model);
  if (!constant_mass)
    return "a thermostat needs a Lagrangian of the form 1/2 v'Mv - V(q) with a constant M: the momenta of its noise have the "
           "covariance kT M";
  if (traits.chooses_steps) return fmt::format("{} takes no thermostat: it chooses its own steps", name);
  if (traits.on_groups) return fmt::format("{} takes no thermostat: rattle does, with the rotations as constraints", name);
  if (!model.constraints.empty()) {
    if (model.least_squares) return "a thermostat takes no redundant constraints: how many freedoms they leave is not known";
    if (std::ranges::any_of(model.constraints, [&](const auto& g) { return depends_on_time(model, g); }))
      return "a thermostat takes no constraints that depend on time";
    if (traits.constraints != Constraints::kept || !traits.tangent_velocities)
      return fmt::format("{} takes no thermostat beside constraints: rattle does", name);
  }
  const bool accelerations = traits.constraints == Constraints::imposed || traits.minimises;
  if (accelerations && system::is_forced(model) && system::force_needs_velocity(model))
    return fmt::format("{} takes no thermostat beside forces that depend on velocities: variational and midpoint do", name);
  if (model.thermostat->scheme != system::Thermostat::Scheme::baoab) return "";
  if (!spec.properties().two_halves || spec.composed)
    return fmt::format(
        "the scheme baoab puts the noise in the middle of a step of verlet{}, and the method is {}: take obabo, which "
        "goes with every method",
        model.constraints.empty() ? " (form \"velocity\")" : " or rattle", spec.name());
  if (system::is_forced(model))
    return "the scheme baoab takes no external forces: their work in a step that the noise interrupts is not known; take obabo";
  return "";
}

}  // namespace

// Order matters where two reasons hold: what stands first is said.
std::string why_incompatible(const Model& model, const Spec& spec) {
  const Traits& traits = spec.traits();
  const std::string name(spec.description().name);
  const bool velocities = lagrangian_needs_velocity(model);
  const bool time = std::ranges::any_of(model.terms, [&](const auto& term) { return momentum_depends_on_time(model, term); });
  if (std::string why = takes_no_contacts(model, simplified(model, spec)); !why.empty()) return why;
  if (!model.equations.empty())
    return traits.takes_equations ? follows_no_motion(model, spec)
                                  : name + " needs a Lagrangian, not equations f(x'', x', x, t) = 0";
  if (std::string why = needs_lagrangian(model, spec, velocities); !why.empty()) return why;
  if (std::string why = needs_derivatives(model, spec); !why.empty()) return why;
  if (std::string why = needs_potential(model, spec); !why.empty()) return why;
  if (std::string why = needs_bodies(model, spec); !why.empty()) return why;
  if (std::string why = needs_split(model, spec); !why.empty()) return why;
  if (std::string why = needs_element_energies(model, spec); !why.empty()) return why;
  if (std::string why = needs_of_a_code(model, spec); !why.empty()) return why;
  if (model.mass.kind == system::MassMatrix::Kind::none && !velocities)
    return "the system has neither a mass nor a Lagrangian that depends on velocities";
  if (time && !traits.momentum_of_time) return name + " needs a Lagrangian whose momentum dL/dv does not depend on t";
  if (const std::string why = system::no_ambient_mass(model); !why.empty() && !traits.on_groups)
    return fmt::format("{}: {} ({} needs none)", name, why, names_of_those([](const Traits& of) { return of.on_groups; }));
  if (std::string why = follows_no_motion(model, spec); !why.empty()) return why;
  if (std::string why = keeps_no_constraints(model, spec); !why.empty()) return why;
  if (std::string why = takes_no_thermostat(model, simplified(model, spec)); !why.empty()) return why;
  return cannot_be_composed(model, spec);
}

std::string methods_that_fit(const Model& model) {
  constexpr std::size_t most = 3;
  std::vector<std::string_view> names;
  for (const Spec& spec : all_methods())
    if (names.size() < most && why_incompatible(model, spec).empty()) names.push_back(spec.description().name);
  return names.empty() ? "" : fmt::format("methods that fit: {}", fmt::join(names, ", "));
}

Spec simplified(const Model& model, const Spec& spec) {
  if (!spec.traits().needs_constraints || !model.constraints.empty()) return spec;
  Spec same = spec;
  same.choice = Verlet{};
  const bool mass = model.mass.kind != system::MassMatrix::Kind::none;
  if (lagrangian_needs_velocity(model) || !mass || force_needs_velocity(model)) same.choice = Variational{0, true};
  return same;
}

}  // namespace actio::method
