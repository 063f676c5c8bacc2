#include <actio/petsc/spread.hpp>

#include <type_traits>
#include <vector>

#include <actio/core/error.hpp>
#include <actio/system/motion.hpp>

#include "make/make.hpp"

namespace actio::petsc {
namespace {

using namespace method;

template <class M>
constexpr bool by_acceleration = requires(const M& m) {
  coefficients(m);
};
template <class M>
constexpr bool is_explicit = std::is_same_v<M, Verlet> || std::is_same_v<M, SymplecticEuler> || std::is_same_v<M, McLachlanAtela>;
template <class M>
constexpr bool is_variational = std::is_same_v<M, Variational> || std::is_same_v<M, Midpoint>;
template <class M>
constexpr bool is_constrained_verlet = std::is_same_v<M, Rattle> || std::is_same_v<M, Shake>;
template <class M>
constexpr bool keeps_constraints = is_variational<M> || is_constrained_verlet<M>;
template <class M>
constexpr bool can_spread = by_acceleration<M> || is_explicit<M> || keeps_constraints<M> || std::is_same_v<M, EnergyMomentum>;

std::string those_that_can() {
  std::string names;
  for_each_method([&]<class M>(std::type_identity<M>) {
    if (can_spread<M>) names += (names.empty() ? "" : ", ") + std::string(M::description.name);
  });
  return names;
}

}  // namespace

std::string not_spread(const system::Model& model) {
  if (!model.bodies.empty()) return "rotations of rigid bodies are kept on one process only: run it without -np";
  if (!model.equations.empty()) return "equations in place of a Lagrangian are solved on one process only: run it without -np";
  if (model.callbacks) return "a code that assembles forces on its own does so on one process only: run it without -np";
  if (!model.library.empty())
    return "a potential from a library is one function of all coordinates, which only one process has: run it without -np";
  return "";
}

std::string not_spread(const system::Model& model, const Spec& spec) {
  if (std::string why = not_spread(model); !why.empty()) return why;
  const std::string name(spec.description().name);
  return std::visit(
      [&]<class M>(const M&) -> std::string {
        const bool constrained = !model.constraints.empty();
        if (constrained && model.least_squares)
          return "constraints that may be redundant are kept on one process only: run it without -np";
        if (constrained && !keeps_constraints<M> && !(by_acceleration<M> && system::why_not_driven(model).empty()))
          return name +
                 " keeps constraints on one process only; on many do rattle, shake, variational and midpoint, or "
                 "constraint_method = \"penalty\"";
        if (!can_spread<M>) return name + " runs on one process only; on many do " + those_that_can();
        if (spec.composed && (!is_explicit<M> || constrained))
          return name +
                 " is composed on one process only; on many explicit methods are: verlet, symplectic-euler, mclachlan-atela";
        return "";
      },
      spec.choice);
}

std::unique_ptr<Integrator> make_integrator(MPI_Comm comm, const system::Model& model, const Spec& spec,
                                            const BuildOptions& options, Partition* partition) {
  if (const std::string why = misfit(model, spec); !why.empty()) throw core::InputError(why);
  if (const std::string why = not_spread(model, spec); !why.empty()) throw core::InputError(why);
  using Kind = BuildOptions::Space;
  if (options.space != Kind::automatic && options.space != Kind::sparse)
    throw core::InputError("matrices of many processes are sparse", "leave --space out");
  if (model.constraints.empty() && (std::holds_alternative<Rattle>(spec.choice) || std::holds_alternative<Shake>(spec.choice))) {
    Spec same = spec;
    same.choice = Verlet{};
    if (!misfit(model, same).empty()) same.choice = Variational{0, true};
    return make_integrator(comm, model, same, options, partition);
  }
  if (const auto* m = std::get_if<CentralDifference>(&spec.choice); m && m->mass == "lumped") {
    Spec same = spec;
    std::get<CentralDifference>(same.choice).mass = "consistent";
    system::Model lumped = model;
    system::lump_mass(lumped);
    return make_integrator(comm, lumped, same, options, partition);
  }
  const auto tell = [&](const auto& system) {
    if (partition) *partition = system.model().partition;
  };
  return std::visit(
      [&]<class M>(const M& m) -> std::unique_ptr<Integrator> {
        if constexpr (can_spread<M>) {
          if constexpr (std::is_same_v<M, EnergyMomentum>) {
            SpreadConserving system(comm, model, options.compile, {.equivariant = m.equivariant});
            tell(system);
            return make_energy_momentum(std::move(system));
          } else {
            const bool driven = by_acceleration<M> && !model.constraints.empty();
            SpreadModel system(comm, model, options.compile, {.no_matrix = is_explicit<M>, .driven = driven});
            tell(system);
            if constexpr (keeps_constraints<M>)
              if (!model.constraints.empty()) return make_constrained(std::move(system), spec);
            if constexpr (is_explicit<M>)
              return make_explicit(std::move(system), spec);
            else if constexpr (is_constrained_verlet<M>)
              throw core::InputError("without constraints there is nothing for rattle and shake to do");
            else if constexpr (is_variational<M>)
              return make_variational(std::move(system), spec);
            else if (const auto c = coefficients(m); c.at_end())
              return make_newmark(std::move(system), c);
            else
              return make_accelerations(std::move(system), c);
          }
        }
        throw core::InputError("a method that cannot be spread");
      },
      spec.choice);
}

}  // namespace actio::petsc
