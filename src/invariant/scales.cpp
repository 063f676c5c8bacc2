#include "scales.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "motion.hpp"

namespace actio::invariant {

using Eigen::VectorXd;

Scales scales(const method::Integrator& system, std::span<const method::Snapshot> states, double h) {
  Scales s;
  const long n = system.size();
  if (states.empty() || n == 0 || !(std::abs(h) > 0)) return s;
  VectorXd position = VectorXd::Zero(n), largest = position;
  s.v = s.p = position;
  for (const auto& at : states) {
    s.v = s.v.cwiseMax(at.v.cwiseAbs());
    largest = largest.cwiseMax(at.p.cwiseAbs());
    position = position.cwiseMax(at.q.cwiseAbs());
  }
  const Motion motion = invariant::motion(states, h);
  const double least = motion.resting ? motion.v : 1e-3 * rms(s.v);
  s.v = s.v.cwiseMax(least);
  for (const auto i : system.fixed()) s.v[i] = 0;
  const double resolution = std::sqrt(std::numeric_limits<double>::epsilon());
  // The momentum of such velocities; of smaller ones where the Lagrangian has no value so fast.
  const auto probe = system.clone();
  method::Snapshot there;
  std::mt19937_64 random(20000513);
  for (int tries = 0; tries < 8 && !s.usable; ++tries) {
    s.p.setZero();
    try {
      probe->start(states[0].t, states[0].q, states[0].v);
      probe->snapshot(there);
      const VectorXd p0 = there.p;
      for (int draw = 0; draw < 2; ++draw) {
        VectorXd v = states[0].v;
        for (long i = 0; i < n; ++i) v[i] += random() >> 63 ? -s.v[i] : s.v[i];
        probe->start(states[0].t, states[0].q, v);
        probe->snapshot(there);
        s.p = s.p.cwiseMax((there.p - p0).cwiseAbs());
      }
    } catch (const std::exception&) { s.p.setZero(); }
    s.usable = s.p.allFinite() && s.p.maxCoeff() > 0;
    if (!s.usable) s.v /= 10;
  }
  if (!s.usable) {
    s.p = largest;
    s.usable = s.p.allFinite() && s.p.maxCoeff() > 0;
  }
  s.p = s.p.cwiseMax(1e-20 * s.p.maxCoeff());
  s.q = (10 * std::abs(h) * s.v).cwiseMax(resolution * position);
  for (const auto i : system.fixed()) s.q[i] = s.p[i] = 0;
  s.usable = s.usable && s.q.allFinite();
  return s;
}

}  // namespace actio::invariant
