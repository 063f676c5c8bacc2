#pragma once
#include <span>

#include <actio/method/integrator.hpp>

// How far one step is from being symplectic and reversible, measured at states of the run. The step is taken by clones of
// `system`, which is left as it was. Central differences, extrapolated; everything seeded, so a run repeated gives the same.
namespace actio::invariant {

struct Defect {
  double value = 0;  // dimensionless, the largest over the states; NaN when no state could be measured
  double floor = 0;  // what the differences can resolve there
};

// |Phi'^T J Phi' - J| / |J| of the flow map Phi: (q0, p0) -> (q1, p1), Frobenius norms, q and p in units of the run's own
// motion. For n > 12 estimated without bias from random pairs of tangent vectors u, v: omega(Phi' u, Phi' v) - omega(u, v),
// and for n > 10000 from one pair at the last two states. Where constraints are kept the form is that on their manifold: of
// tangent vectors pulled back by the projection onto it.
struct Symplecticity {
  Defect canonical;  // in (q, p)
  Defect own;        // in the method's own coordinates, Integrator::own_coordinates; only when asked for
};
// `h` [s]: one a state, or one for all.
Symplecticity symplecticity(const method::Integrator& system, std::span<const method::Snapshot> states, std::span<const double> h,
                            bool own);
inline Symplecticity symplecticity(const method::Integrator& system, std::span<const method::Snapshot> states, double h,
                                   bool own) {
  return symplecticity(system, states, {&h, 1}, own);
}

// A step, velocities turned round, a step, turned round again: the distance to where it began, relative to the largest position
// (and ten steps' motion) and velocity of the states. NaN when a step failed.
double reversibility(const method::Integrator& system, std::span<const method::Snapshot> states, std::span<const double> h);
inline double reversibility(const method::Integrator& system, std::span<const method::Snapshot> states, double h) {
  return reversibility(system, states, {&h, 1});
}

}  // namespace actio::invariant
