#include "make.hpp"

#include <actio/method/splitting.hpp>
#include <actio/method/verlet.hpp>

#include "integrator_of.hpp"

namespace actio::petsc {

std::unique_ptr<method::Integrator> make_explicit(SpreadModel system, const method::Spec& spec) {
  using Splitting = method::SplittingStepper<SpreadModel>;
  if (const auto* m = std::get_if<method::McLachlanAtela>(&spec.choice))
    return method::integrator_of(Splitting(std::move(system), method::mclachlan_atela(m->stages_order)), spec);
  if (std::holds_alternative<method::SymplecticEuler>(spec.choice))
    return method::integrator_of(Splitting(std::move(system), method::symplectic_euler()), spec);
  if (std::get<method::Verlet>(spec.choice).form == "position")
    return method::integrator_of(Splitting(std::move(system), method::position_verlet()), spec);
  return method::integrator_of(method::VerletStepper<SpreadModel>(std::move(system)), spec);
}

}  // namespace actio::petsc
