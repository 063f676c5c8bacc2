#include <actio/petsc/distributed.hpp>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/composition.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/motion.hpp>
#include <actio/system/thermostat.hpp>

#include "make/make.hpp"
#include "thermostat/langevin.hpp"

namespace actio::petsc {
namespace {

using namespace method;

std::string listed(auto&& can) {
  std::string names;
  for_each_method([&]<class M>(std::type_identity<M>) {
    if (can(M::traits)) names += (names.empty() ? "" : ", ") + std::string(M::description.name);
  });
  return names;
}

template <Method M>
std::unique_ptr<Integrator> make_of(MPI_Comm comm, const M& method, const system::Model& model, const BuildOptions& options,
                                    std::vector<double> composition, Partition* partition) {
  const bool constrained = !model.constraints.empty();
  DistributedOptions how{.no_matrix = M::traits.matrices == Matrices::none,
                         .prescribed = constrained && M::traits.constraints == Constraints::imposed};
  if constexpr (M::traits.element_energies) how.equivariant = method.equivariant;
  SystemOf<M> system(comm, model, options.compile, how);
  if (partition) *partition = system.model().partition;
  if constexpr (M::traits.distributed_constraints)
    if (constrained) return make_constrained(method, std::move(system));
  if constexpr (M::traits.needs_constraints)
    throw core::InputError("rattle and shake need constraints, and the system has none: take verlet");
  else
    return make(method, std::move(system), std::move(composition));
}

}  // namespace

std::string why_not_distributed(const system::Model& model) {
  if (!model.contacts.empty()) return "contacts are found on one process only: leave -np out";
  if (!model.bodies.empty()) return "rigid bodies run on one process only: leave -np out";
  if (!model.equations.empty()) return "equations in place of a Lagrangian run on one process only: leave -np out";
  if (model.callbacks && model.callbacks->built_in())
    return fmt::format("{} runs on one process only: leave -np out", model.callbacks->name);
  if (model.callbacks) return "callbacks run on one process only: leave -np out";
  if (!model.library.empty()) return "a potential from a library needs all coordinates on one process: leave -np out";
  return "";
}

std::string why_not_distributed(const system::Model& model, const Spec& spec) {
  if (std::string why = why_not_distributed(model); !why.empty()) return why;
  const Traits& traits = spec.traits();
  const std::string_view name = spec.description().name;
  const bool constrained = !model.constraints.empty();
  if (model.thermostat && model.thermostat->acts()) {
    using Kind = system::MassMatrix::Kind;
    if (model.mass.kind == Kind::full && !spec.properties().lumps_mass)
      return "a thermostat with a mass matrix that is not diagonal runs on one process only: its noise needs a root of the "
             "matrix; lump the mass of a solid (mass = \"lumped\"), or leave -np out";
    if (model.thermostat->friction.kind == Kind::full)
      return "a thermostat with a matrix of friction that is not diagonal runs on one process only: its noise needs the modes of "
             "the matrix; take a rate or a friction for each coordinate, or leave -np out";
  }
  if (constrained && model.least_squares)
    return "constraints that may be redundant (system.redundant) run on one process only: leave -np out";
  if (constrained && !traits.distributed_constraints &&
      !(traits.constraints == Constraints::imposed && system::why_not_prescribed(model).empty()))
    return fmt::format("{} takes constraints on one process only; on several {} do, or set constraint_method = \"penalty\"", name,
                       names_of_those([](const Traits& of) { return of.distributed_constraints; }));
  if (spec.transforms_time()) return "steps that follow the motion run on one process only: leave -np out";
  if (!traits.distributed)
    return fmt::format("{} runs on one process only; these methods run on several: {}", name,
                       listed([](const Traits& of) { return of.distributed; }));
  if (spec.composed && (!traits.is_explicit || constrained))
    return fmt::format("{} can be composed on one process only; these methods can be composed on several: {}", name,
                       listed([](const Traits& of) { return of.is_explicit && of.distributed; }));
  return "";
}

std::unique_ptr<Integrator> make_integrator(MPI_Comm comm, const system::Model& model, const Spec& given,
                                            const BuildOptions& options, Partition* partition) {
  const Spec spec = simplified(model, given);
  if (const std::string why = why_incompatible(model, spec); !why.empty()) throw core::InputError(why);
  if (const std::string why = why_not_distributed(model, spec); !why.empty()) throw core::InputError(why);
  using Kind = BuildOptions::Space;
  if (options.space != Kind::automatic && options.space != Kind::sparse)
    throw core::InputError("matrices on several processes are sparse", "leave --space out");
  return with_mass_of(spec, model, [&](const system::Model& stepped) {
    return std::visit(
        [&]<Method M>(const M& method) -> std::unique_ptr<Integrator> {
          if constexpr (M::traits.distributed)
            return with_thermostat(stepped, make_of(comm, method, stepped, options, gammas(spec), partition));
          else
            throw core::InputError("this method runs on one process only");
        },
        spec.choice);
  });
}

}  // namespace actio::petsc
