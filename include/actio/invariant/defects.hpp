#pragma once
#include <memory>
#include <span>
#include <vector>

#include <actio/invariant/scales.hpp>
#include <actio/method/integrator.hpp>

// How far one step is from being symplectic and reversible, measured at states of the run. The step is taken by clones of
// `system`, which is left as it was. Central differences, extrapolated; everything seeded, so a run repeated gives the same.
namespace actio::invariant {

struct Defect {
  double value = 0;  // dimensionless, the largest over the states; NaN when no state could be measured
  double floor = 0;  // what the differences can resolve there
};

// |Phi'^T J Phi' - J| / |J| of the flow map Phi: (q0, p0) -> (q1, p1), Frobenius norms, each q_i and p_i in units of its own
// motion in the run (ten steps' motion, and M v of its velocity). For n > 12 estimated without bias from random pairs of tangent
// vectors u, v: omega(Phi' u, Phi' v) - omega(u, v), a pair for each group of coordinates whose actions |q_i| |p_i| are within
// 1e4 of one another, so that what is light is seen beside what is heavy. Where constraints are kept the form is that on their
// manifold: of tangent vectors pulled back by the projection onto it.
struct Symplecticity {
  Defect canonical;         // in (q, p)
  Defect own;               // in Integrator::conjugate_coordinates; only when asked for
  bool no_freedom = false;  // the constraints leave no direction to move in, so there is no form to keep
};

// How much is spent on a state.
struct Effort {
  int tangents = 4;  // beyond 12 coordinates: all pairs of so many vectors
  int levels = 7;    // of each difference, at most; one alone resolves no more than thresholds.hpp says of it
};

// Measures states of one run, one by one, each with what effort there is; the result is the largest over those measured. A state
// measured again counts as it was measured last.
class SymplecticityProbe {
 public:
  // `states` and `h` [s], one a state or one for all, outlive the probe; `units`: scales() of the states.
  SymplecticityProbe(const method::Integrator& system, std::span<const method::Snapshot> states, std::span<const double> h,
                     bool own, const Scales& units);
  ~SymplecticityProbe();
  void measure(std::size_t state, const Effort& effort = {});
  // The first step of measuring a state, which is not taken again by the next call of measure() if that is of the same state:
  // how long it takes tells about the others.
  void begin(std::size_t state);
  Symplecticity result() const;
  // Steps that measuring a state takes, about.
  static long cost(const method::Integrator& system, const Effort& effort);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::span<const method::Snapshot> states_;
  std::span<const double> h_;
  bool own_, no_freedom_ = false;
  std::size_t begun_ = static_cast<std::size_t>(-1);
  Eigen::VectorXd unmoved_;           // what the map makes of the state that was begun
  std::vector<Symplecticity> found_;  // of each state
};

// The largest defects over all states.
Symplecticity symplecticity(const method::Integrator& system, std::span<const method::Snapshot> states, std::span<const double> h,
                            bool own);
inline Symplecticity symplecticity(const method::Integrator& system, std::span<const method::Snapshot> states, double h,
                                   bool own) {
  return symplecticity(system, states, {&h, 1}, own);
}

// A step, velocities turned round, a step, turned round again: the distance to where it began, relative to the largest position
// (and ten steps' motion) and velocity of the states. At those numbered `only` of them, or at all. NaN when a step failed.
double reversibility(const method::Integrator& system, std::span<const method::Snapshot> states, std::span<const double> h,
                     std::span<const std::size_t> only = {});
inline double reversibility(const method::Integrator& system, std::span<const method::Snapshot> states, double h) {
  return reversibility(system, states, {&h, 1});
}

}  // namespace actio::invariant
