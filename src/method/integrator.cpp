#include <algorithm>

#include <fmt/format.h>

#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/core/error.hpp>
#include <actio/method/imposes_motion.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/bodies.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/compiled.hpp>
#include <actio/system/constrained.hpp>
#include <actio/system/motion.hpp>

#include "make/lie_group.hpp"
#include "make/make.hpp"

namespace actio::method {

namespace {

// dL/dv depends on t: the acceleration needs its time derivative too.
bool momentum_depends_on_time(const system::Model& model, const system::Term& term) {
  if (!term.velocities || !depends_on_time(model, term.graph, term.value)) return false;
  expr::Graph g = term.graph;
  std::vector<expr::Id> v;
  for (long l = 0; l < term.locals; ++l) v.push_back(g.column(static_cast<int>(term.locals + l)));
  for (const expr::Id p : expr::gradient(g, term.value, v))
    if (depends_on_time(model, g, p)) return true;
  return false;
}

bool symmetric(const Spec& spec) {
  return std::visit([](const auto& m) { return m.symmetric(); }, spec.choice);
}

// Small or dense systems take full matrices; the rest is sparse.
BuildOptions::Space choose(const system::CompiledModel& model) {
  constexpr long largest_fixed = 4;
  if (model.n <= largest_fixed && !model.motion) return BuildOptions::Space::fixed;
  return model.n <= largest_dense ? BuildOptions::Space::dense : BuildOptions::Space::sparse;
}

bool takes_equations(const Spec& spec) {
  return std::visit(
      [](const auto& m) {
        return requires { std::remove_cvref_t<decltype(m)>::takes_equations; };
      },
      spec.choice);
}

bool is_explicit(const Spec& spec) {
  return std::holds_alternative<Verlet>(spec.choice) || std::holds_alternative<SymplecticEuler>(spec.choice) ||
         std::holds_alternative<McLachlanAtela>(spec.choice);
}

bool needs_no_matrix(const Spec& spec) {
  return is_explicit(spec) || std::holds_alternative<RungeKutta4>(spec.choice) || std::holds_alternative<CvodeAdams>(spec.choice);
}

// Without constraints RATTLE and SHAKE are Verlet, or Ld^{sym,0} where that is not explicit.
Spec unconstrained(const system::Model& model, const Spec& spec) {
  const bool rattle = std::holds_alternative<Rattle>(spec.choice) || std::holds_alternative<Shake>(spec.choice);
  if (!rattle || !model.constraints.empty()) return spec;
  const bool velocities = std::any_of(model.terms.begin(), model.terms.end(), [](const auto& term) { return term.velocities; });
  const bool kinetic = model.mass.kind != system::MassMatrix::Kind::none;
  Spec same = spec;
  if (velocities || !kinetic || system::force_needs_velocity(model))
    same.choice = Variational{0, true};
  else
    same.choice = Verlet{};
  return same;
}

bool keeps_constraints(const Spec& spec) {
  return std::holds_alternative<Rattle>(spec.choice) || std::holds_alternative<Shake>(spec.choice) ||
         std::holds_alternative<Variational>(spec.choice) || std::holds_alternative<Midpoint>(spec.choice) ||
         std::holds_alternative<LieGroup>(spec.choice) || std::holds_alternative<EnergyMomentum>(spec.choice);
}

std::string not_kept(const system::Model& model, const Spec& spec) {
  if (model.constraints.empty() || keeps_constraints(spec)) return "";
  const std::string why = system::why_not_driven(model);
  if (imposes_motion(spec) && why.empty()) return "";
  const std::string others = std::holds_alternative<Verlet>(spec.choice) ? "rattle is Verlet with constraints"
                             : model.bodies.empty() ? "rattle, shake, variational, midpoint and energy-momentum do"
                                                    : "lie-group, rattle, shake, variational, midpoint and energy-momentum do";
  const std::string_view name = spec.description().name;
  if (imposes_motion(spec))
    return fmt::format(
        "{} keeps no constraints but those that give a coordinate as a function of time, and here is {}: {}; or "
        "constraint_method = \"penalty\"",
        name, why, others);
  return fmt::format("{} does not keep constraints: {}{}; or constraint_method = \"penalty\"", name, others,
                     why.empty() && !std::holds_alternative<Verlet>(spec.choice)
                         ? ", and as they all give a coordinate as a function of time newmark, hht and their kind do"
                         : "");
}

template <class T, class... U>
constexpr bool is_one_of = (std::is_same_v<T, U> || ...);

// Friction by a minimum principle needs forces with a potential.
std::string not_minimised(const system::Model& model, const Spec& spec) {
  const bool friction = !model.dissipation.empty() || model.damping.nonZeros() > 0;
  if (std::holds_alternative<MinimisingNewmark>(spec.choice))
    for (const system::Force& force : model.forces) {
      const auto used = expr::columns_of(force.graph, force.value);
      if (std::any_of(used.begin(), used.end(), [&](int c) { return c < 2 * force.locals; }))
        return fmt::format(
            "minimising-newmark takes external forces of t alone, and {} depends on positions or velocities: no "
            "potential stands for it in what is minimised. Friction is better said as `dissipation`; newmark, "
            "variational and two-step take any force",
            force.name.empty() ? "a force" : force.name);
    }
  if (spec.friction_at_end() && friction && spec.composed)
    return std::string(spec.description().name) + " is of order 1 with friction: it cannot be composed";
  return "";
}

// What a method asks of a code with residual and tangent that is not given.
std::string not_from_a_code(const system::Model& model, const Spec& spec) {
  if (!model.callbacks) return "";
  const system::Callbacks& code = *model.callbacks;
  const std::string_view name = spec.description().name;
  if (code.residual && !code.tangent && !needs_no_matrix(spec))
    return fmt::format("{} needs the tangent of the residual: only explicit methods do without (verlet, rk4)", name);
  if (!std::holds_alternative<MinimisingNewmark>(spec.choice)) return "";
  if (code.residual && !code.energy) return fmt::format("{} minimises an energy, and none is given beside the residual", name);
  if (code.force_tangent) return fmt::format("{} takes external forces of t alone", name);
  return "";
}

bool is_linearly_implicit(const Spec& spec) {
  return std::holds_alternative<ZhangSkeel>(spec.choice) || std::holds_alternative<ZhangSkeelSimplified>(spec.choice) ||
         std::holds_alternative<ZhangSkeelStiff>(spec.choice) || std::holds_alternative<PushForwardNewmark>(spec.choice);
}

std::string not_linearly_implicit(const system::Model& model, const Spec& spec) {
  const std::string_view name = spec.description().name;
  if (system::force_needs_velocity(model))
    return fmt::format("{} takes no forces that depend on velocities (newmark, variational or midpoint take those)", name);
  if (std::holds_alternative<ZhangSkeel>(spec.choice) && (!model.library.empty() || model.callbacks))
    return fmt::format("zhang-skeel needs third derivatives, which {} does not give: take zhang-skeel-simplified",
                       model.callbacks ? "a code with a residual and a tangent" : "a potential from a library");
  const auto stiff = [](const system::Term& term) { return term.stiff; };
  if (std::holds_alternative<ZhangSkeelStiff>(spec.choice) && model.constraints.empty() && model.stiffness.nonZeros() == 0 &&
      std::none_of(model.terms.begin(), model.terms.end(), stiff))
    return "zhang-skeel-stiff needs to know which terms are stiff: mark them with stiff = true, or take zhang-skeel-simplified, "
           "which takes the Hessian of all terms";
  return "";
}

// What matrices the method makes of a separable system.
system::Entries entries(const system::CompiledModel& model, const Spec& spec) {
  if (std::holds_alternative<ZhangSkeelStiff>(spec.choice)) return system::Entries::stiff;
  if (std::holds_alternative<ZhangSkeel>(spec.choice) || std::holds_alternative<ZhangSkeelSimplified>(spec.choice))
    return system::Entries::potential;
  return model.separable && needs_no_matrix(spec) ? system::Entries::none : system::Entries::all;
}

template <class Space>
std::unique_ptr<Integrator> make_on(std::shared_ptr<const system::CompiledModel> model, const Spec& spec) {
  System<Space> system(model, system::layout<Space>(*model, entries(*model, spec)));
  return std::visit(
      [&](const auto& m) -> std::unique_ptr<Integrator> {
        using Method = std::remove_cvref_t<decltype(m)>;
        if constexpr (is_one_of<Method, Variational, Midpoint, Rattle, Shake>)
          if (system::is_constrained(system)) return make_constrained<Space>(std::move(system), spec);
        if constexpr (is_one_of<Method, Variational, Midpoint>)
          return make_variational<Space>(std::move(system), spec);
        else if constexpr (is_one_of<Method, Verlet, SymplecticEuler, McLachlanAtela>)
          return make_splitting<Space>(std::move(system), spec);
        else if constexpr (is_one_of<Method, RungeKutta4, CvodeAdams>)
          return make_classical<Space>(std::move(system), spec);
        else if constexpr (is_one_of<Method, MinimisingNewmark, TwoStep>)
          return make_minimising<Space>(std::move(system), spec);
        else if constexpr (is_one_of<Method, Rattle, Shake>)
          throw core::InputError("without constraints there is nothing for rattle and shake to do");
        else if constexpr (is_one_of<Method, LieGroup>)
          throw core::InputError("lie-group is not made on a space of its model");
        else if constexpr (is_one_of<Method, EnergyMomentum>)
          throw core::InputError("energy-momentum is made of a model, not of a compiled one");
        else if constexpr (is_one_of<Method, ZhangSkeel, ZhangSkeelSimplified, ZhangSkeelStiff, PushForwardNewmark>)
          return make_linearly_implicit<Space>(std::move(system), spec);
        else
          return make_accelerations<Space>(std::move(system), coefficients(m), spec);
      },
      spec.choice);
}

}  // namespace

bool imposes_motion(const Spec& spec) {
  return std::visit(
      [](const auto& m) {
        return requires { coefficients(m); };
      },
      spec.choice);
}

void Integrator::archive(core::Archive&) { throw core::InputError("this integrator cannot be archived"); }

std::string misfit(const system::Model& model, const Spec& spec) {
  const std::string name(spec.description().name);
  bool velocities = false, time = false;
  for (const system::Term& term : model.terms) {
    velocities = velocities || term.velocities;
    time = time || momentum_depends_on_time(model, term);
  }
  if (!model.equations.empty())
    return takes_equations(spec) ? "" : name + " needs a Lagrangian, not equations f(x'', x', x, t) = 0";
  const bool mass = model.mass.kind != system::MassMatrix::Kind::none;
  if (spec.description().separable && (velocities || !mass)) return name + " needs a Lagrangian of the form 1/2 v'Mv - V(q)";
  if (is_explicit(spec) && system::force_needs_velocity(model))
    return name + " is explicit: its forces may not depend on velocities (newmark, variational or midpoint take those)";
  if (is_linearly_implicit(spec))
    if (const std::string why = not_linearly_implicit(model, spec); !why.empty()) return why;
  if (const std::string why = not_minimised(model, spec); !why.empty()) return why;
  if (const auto* m = std::get_if<LieGroup>(&spec.choice))
    if (const std::string why = not_for_lie_group(model, *m); !why.empty()) return why;
  if (std::holds_alternative<EnergyMomentum>(spec.choice) && (!model.library.empty() || model.callbacks))
    return fmt::format("energy-momentum needs the energy of each element, and {} is one function of all coordinates",
                       model.callbacks ? "what a code assembles" : "a potential from a library");
  if (const std::string why = not_from_a_code(model, spec); !why.empty()) return why;
  if (!mass && !velocities) return "the system has neither a mass nor a Lagrangian that depends on velocities";
  if (time && (name == "rk4" || name == "cvode-adams"))
    return name + " needs a Lagrangian whose momentum dL/dv does not depend on t";
  const bool on_group = std::holds_alternative<LieGroup>(spec.choice);
  if (const std::string why = system::no_ambient_mass(model); !why.empty() && !on_group)
    return fmt::format("{}: {} (lie-group needs none)", name, why);
  if (const std::string why = not_kept(model, spec); !why.empty()) return why;
  if (std::holds_alternative<EnergyMomentum>(spec.choice) && spec.composed && !model.constraints.empty())
    return "energy-momentum with constraints cannot be composed: its velocities leave them, by what changes its sign each step";
  if (spec.composed && (spec.description().self_contained || !symmetric(spec)))
    return fmt::format("only symmetric methods of order 2 can be composed, {} is not{}", name,
                       !spec.solved()                                ? " when its steps are not solved"
                       : name.ends_with("newmark")                   ? " unless gamma = 0.5"
                       : name == "variational" || name == "two-step" ? " unless symmetric = true or alpha = 0.5"
                                                                     : "");
  return "";
}

std::unique_ptr<Integrator> make_integrator(const system::Model& model, const Spec& given, const BuildOptions& options) {
  const Spec spec = unconstrained(model, given);
  if (const std::string why = misfit(model, spec); !why.empty()) throw core::InputError(why);
  if (const auto* m = std::get_if<CentralDifference>(&spec.choice); m && m->mass == "lumped") {
    Spec same = spec;
    std::get<CentralDifference>(same.choice).mass = "consistent";
    system::Model lumped = model;
    system::lump_mass(lumped);
    return make_integrator(lumped, same, options);
  }
  if (std::holds_alternative<LieGroup>(spec.choice)) return make_lie_group(model, spec, options);
  if (std::holds_alternative<EnergyMomentum>(spec.choice)) return make_energy_momentum(model, spec, options);
  const bool fuse = options.space != BuildOptions::Space::sparse && !std::holds_alternative<ZhangSkeelStiff>(spec.choice);
  const bool driven = imposes_motion(spec) && !model.constraints.empty();
  auto compiled = driven ? system::compile_driven(model, options.compile, fuse)
                         : system::compile(model, options.compile, fuse, std::holds_alternative<ZhangSkeel>(spec.choice));
  auto space = options.space == BuildOptions::Space::automatic ? choose(*compiled) : options.space;
  if (space == BuildOptions::Space::fixed && (compiled->n > 4 || driven || compiled->constraints.count > compiled->n))
    space = BuildOptions::Space::dense;
  using namespace algebra;
  if (space == BuildOptions::Space::sparse) return make_on<SparseSpace>(compiled, spec);
  if (space == BuildOptions::Space::fixed) {
    switch (compiled->n) {
      case 1:
        return make_on<DenseSpace<1>>(compiled, spec);
      case 2:
        return make_on<DenseSpace<2>>(compiled, spec);
      case 3:
        return make_on<DenseSpace<3>>(compiled, spec);
      case 4:
        return make_on<DenseSpace<4>>(compiled, spec);
    }
  }
  return make_on<DenseSpace<Eigen::Dynamic>>(compiled, spec);
}

}  // namespace actio::method
