#include <actio/method/use.hpp>

namespace actio::method {
namespace {

enum Place { cheap, structural, variational, energy, constrained, bodies, stiff, comparison };

Place place_of(const Traits& t) {
  if (t.takes_equations && !t.separable) return comparison;
  if (t.on_groups) return bodies;
  if (t.needs_constraints) return constrained;
  if (t.is_explicit) return cheap;
  if (t.takes_equations) return structural;
  if (t.element_energies) return energy;
  return t.matrices == Matrices::all ? variational : stiff;
}

}  // namespace

const std::vector<Use>& uses() {
  static const std::vector<Use> all{
      {"explicit", "no equations are solved: the cheapest steps, below a limit of the step; molecules, orbits, waves"},
      {"structural dynamics", "the family of Newmark: implicit for large steps, with numerical damping where it is asked for"},
      {"variational, implicit", "from a discrete Lagrangian or a minimum principle: any L(q, v), friction, constraints"},
      {"energy exactly", "conserves energy and momenta; solids and chains under large motions"},
      {"constraints", "explicit but for the multipliers: molecules with rigid bonds, linkages, bodies with joints"},
      {"rigid bodies", "rotations without multipliers or a mass of their own"},
      {"linearly implicit", "one linear system in a step: stiff terms beside soft ones"},
      {"for comparison", "accurate, but nothing is conserved"}};
  return all;
}

const Use& use_of(const Traits& traits) { return uses()[place_of(traits)]; }

}  // namespace actio::method
