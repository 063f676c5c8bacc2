#pragma once
#include <vector>

#include <actio/invariant/momentum.hpp>
#include <actio/method/integrator.hpp>

// Is a declared generator a symmetry: does L not change along it, and no force push along it? dJ/dt = dL . xi + F . xi. Measured,
// never assumed.
namespace actio::invariant {

struct SymmetryCheck {
  // |dL + F . xi| along the prolonged generator (xi, Dxi v), relative to |dL| when the signs of xi's components are drawn at
  // random; the largest of a few states. With constraints not less than
  // |G xi|, relative, on them: a motion stays there. NaN when the Lagrangian could not be evaluated.
  double defect = 0;
  bool holds = false;     // defect < 1e-6
  double rate = 0;        // |dL| above its own round-off: J changes by no more in a second [J's unit / s]
  bool resolved = false;  // a loss of a thousandth of what L changes by along other directions would be seen
};

// At the state given and at seeded random states near it. L = p . v - E is taken from `system`, which is left as it was.
// `h` [s] sets how far "near" is.
std::vector<SymmetryCheck> check_symmetries(const method::Integrator& system, MomentumMap& momentum,
                                            const method::Snapshot& state, double h);

// How large forces may be before they cancel: |K q| with K the second differences of L along random signs, root mean square a
// coordinate. What L's own round-off leaves of a second difference is taken off.
double force_scale(const method::Integrator& system, const method::Snapshot& state, double h);

// What the energy is added up from before it cancels, |q - rest| |K (q - rest)|: `energy` sum_i weight_i (q_i - rest_i)^2, with K
// the second differences of L along random signs of each coordinate's own motion, weighed by masses, so that units may differ.
struct Cancellation {
  double energy = 0;       // [J]
  Eigen::VectorXd weight;  // (n)
  double at(const Eigen::VectorXd& q, const Eigen::VectorXd& rest) const;
  void archive(core::Archive& a) { a(energy, weight); }
};
Cancellation cancellation(const method::Integrator& system, const method::Snapshot& state, double h);

}  // namespace actio::invariant
