#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <actio/system/mass_factor.hpp>
#include <actio/system/motion.hpp>

#include "matrix.hpp"
#include "parts.hpp"

namespace actio::io {

system::MassMatrix read_mass(const Section& system, const SymbolTable& symbols, std::vector<NoMass>& no_mass) {
  system::MassMatrix mass;
  const Value* value = system.find("mass");
  if (!value) return mass;
  const std::string path = system.path("mass");
  GivenMatrix given = read_symmetric(symbols, *value, path, "mass", true);
  no_mass = std::move(given.no_mass);
  mass.kind = given.diagonal ? system::MassMatrix::Kind::diagonal : system::MassMatrix::Kind::full;
  mass.diagonal = std::move(given.entries);
  mass.full = std::move(given.full);
  if (given.diagonal) return mass;
  mass.factor = std::make_shared<system::MassFactor>(refusal_of_mass(symbols, *value, path));
  if (mass.full.rows() <= most_rows_to_factor_at_once) mass.factor->of(mass.full);
  return mass;
}

void settle_no_mass(const std::vector<NoMass>& no_mass, const method::Spec& method, system::Model& model) {
  if (no_mass.empty()) return;
  const bool prescribed = !model.constraints.empty() && system::why_not_prescribed(model).empty();
  const std::vector<std::int32_t> dirichlet = prescribed ? system::dirichlet_coordinates(model) : model.fixed_dofs;
  for (const NoMass& of : no_mass) {
    const std::int32_t i = of.coordinate;
    const std::string name = model.coordinate_name(i);
    if (std::ranges::binary_search(model.fixed_dofs, i)) continue;  // its placeholder moves nothing
    if (!std::ranges::binary_search(dirichlet, i))
      throw core::InputError(of.place, of.message,
                             fmt::format("{0} is free to move: give it a mass (or {0}' in a lagrangian); newmark and hht take "
                                         "no smaller steps for a small one. Or fix it (fixed = [\"{0}\"]), prescribe it by a "
                                         "constraint, or eliminate it: if only linear springs act on it, the stiffness of the "
                                         "others is K - K_s K_ss^-1 K_s' (static condensation)",
                                         name));
    if (method.traits().constraints != method::Constraints::imposed)
      throw core::InputError(of.place, fmt::format("{}, and {} divides by it", of.message, method.name()),
                             fmt::format("{} is given as a function of t, so its mass changes the force that drives it, not the "
                                         "motion: give it any; newmark, hht and their relatives need none",
                                         name));
    constexpr double nothing = 1e-20;  // beside the smallest mass: its part of energies and forces is below their round-off
    if (model.mass.kind == system::MassMatrix::Kind::diagonal)
      model.mass.diagonal[i] *= nothing;
    else
      model.mass.full.coeffRef(i, i) *= nothing;
  }
}

}  // namespace actio::io
