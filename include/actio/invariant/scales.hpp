#pragma once
#include <span>

#include <actio/method/integrator.hpp>

// The size of each coordinate's own motion in a run: what is measured of a step is measured in these units, so that a light body
// beside heavy ones, or an angle beside lengths, counts as much as they do.
namespace actio::invariant {

struct Scales {
  Eigen::VectorXd q, v,
      p;                 // (n) ten steps' motion, its velocity, the momentum of that velocity; 0 for coordinates that are fixed
  Eigen::VectorXd mass;  // (n) of each coordinate, |M v| / |v|: a weight that makes their squares add up
  bool usable = false;   // false: nothing moves, so a momentum has no scale
};

// v: the largest of each coordinate over the states. At least a millionth of what its equal share of the kinetic energy would
// give it (a tenth where it does not move); where constraints join coordinates, one for all of one unit; where all rest,
// that of Motion. q: 10 |h| v, at least sqrt(eps) of the position. p: |M v| with signs at random, so that the mass sets its unit.
Scales scales(const method::Integrator& system, std::span<const method::Snapshot> states, double h);

// How far places that are rounded otherwise change the energy at (q, v) [J]: what cancels there may be larger than the energy.
double rounding_of_energy(const method::Integrator& system, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

}  // namespace actio::invariant
