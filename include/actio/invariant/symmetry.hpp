#pragma once
#include <vector>

#include <actio/invariant/momentum.hpp>
#include <actio/method/integrator.hpp>

// Is a declared generator a symmetry of the Lagrangian? Measured, never assumed.
namespace actio::invariant {

struct SymmetryCheck {
  // |dL| along the prolonged generator (xi, Dxi v), relative to |dL| when the signs of xi's components are drawn at random;
  // the largest of a few states. NaN when the Lagrangian could not be evaluated.
  double defect = 0;
  bool holds = false;  // defect < 1e-6
};

// At the state given and at seeded random states near it. L = p . v - E is taken from `system`, which is left as it was.
// `h` [s] sets how far "near" is.
std::vector<SymmetryCheck> check_symmetries(const method::Integrator& system, MomentumMap& momentum,
                                            const method::Snapshot& state, double h);

}  // namespace actio::invariant
