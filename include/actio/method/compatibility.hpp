#pragma once
#include <actio/method/spec.hpp>
#include <actio/system/model.hpp>
#include <string>
#include <utility>

// A method against a model, by the method's traits.
namespace actio::method {

// "" when the method fits, else the reason: "verlet needs a Lagrangian of the form 1/2 v'Mv - V(q)".
std::string why_incompatible(const system::Model& model, const Spec& spec);

// "methods that fit: variational, midpoint, gauss": the first of the catalogue that do, as they are without a word about their
// fields; "" for none.
std::string methods_that_fit(const system::Model& model);

// The same method as it is without constraints: RATTLE and SHAKE are Verlet then, or Ld^{sym,0} where that is not explicit.
Spec simplified(const system::Model& model, const Spec& spec);

// use(model), with its mass lumped where the method takes it so.
template <class Use>
auto with_mass_of(const Spec& spec, const system::Model& model, Use&& use) {
  if (!spec.properties().lumps_mass) return use(model);
  system::Model lumped = model;
  system::lump_mass(lumped);
  return use(std::as_const(lumped));
}

}  // namespace actio::method
