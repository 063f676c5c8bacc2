#include <actio/invariant/scales.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "motion.hpp"

namespace actio::invariant {

using Eigen::VectorXd;

namespace {

// The largest |M dv| over two vectors dv of these sizes with signs at random, from the state; false where the Lagrangian has no
// value so fast.
bool momenta_of(method::Integrator& probe, const method::Snapshot& at, const VectorXd& v, VectorXd& p) {
  p.setZero(v.size());
  std::mt19937_64 random(20000513);
  method::Snapshot there;
  try {
    probe.start(at.t, at.q, at.v);
    probe.snapshot(there);
    const VectorXd p0 = there.p;
    for (int draw = 0; draw < 2; ++draw) {
      VectorXd moved = at.v;
      for (long i = 0; i < v.size(); ++i) moved[i] += random() >> 63 ? -v[i] : v[i];
      probe.start(at.t, at.q, moved);
      probe.snapshot(there);
      p = p.cwiseMax((there.p - p0).cwiseAbs());
    }
  } catch (const std::exception&) { return false; }
  return p.allFinite() && p.maxCoeff() > 0;
}

// Coordinates that constraints join move together, so one size serves all that are in one unit: the root mean square of x over
// each. Speeds of equal energy, 1/sqrt(mass), that are 1e4 apart are taken for different units: lengths of 1e6 beside rotations.
// 0 where `used` is 0.
VectorXd same_in_units(const VectorXd& x, const VectorXd& speed, const VectorXd& used) {
  std::vector<long> order;
  const double fastest = speed.maxCoeff(), most = x.maxCoeff();
  for (long i = 0; i < speed.size(); ++i)
    if (used[i] != 0 && speed[i] > 1e-12 * fastest) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](long a, long b) { return speed[a] > speed[b]; });
  std::vector<long> unit(static_cast<std::size_t>(speed.size()), -1);
  long units = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || speed[order[k]] < 1e-4 * speed[order[k - 1]]) ++units;
    unit[static_cast<std::size_t>(order[k])] = units - 1;
  }
  long near = 0;
  VectorXd squares = VectorXd::Zero(std::max(units, 1L)), count = squares, out = VectorXd::Zero(x.size());
  for (long i = 0; i < x.size(); ++i) {
    long& of = unit[static_cast<std::size_t>(i)];
    near = of < 0 ? near : of;
    of = near;
    if (used[i] == 0) continue;
    squares[of] += x[i] * x[i] / (most * most);
    ++count[of];
  }
  for (long i = 0; i < x.size(); ++i)
    if (const long of = unit[static_cast<std::size_t>(i)]; used[i] != 0) out[i] = most * std::sqrt(squares[of] / count[of]);
  return out;
}

}  // namespace

Scales scales(const method::Integrator& system, std::span<const method::Snapshot> states, double h) {
  Scales s;
  const long n = system.size();
  if (states.empty() || n == 0 || !(std::abs(h) > 0)) return s;
  VectorXd position = VectorXd::Zero(n), p;
  s.v = s.p = position;
  for (const auto& at : states) {
    s.v = s.v.cwiseMax(at.v.cwiseAbs());
    s.p = s.p.cwiseMax(at.p.cwiseAbs());
    position = position.cwiseMax(at.q.cwiseAbs());
  }
  const Motion motion = invariant::motion(states, h);
  if (motion.resting) s.v = s.v.cwiseMax(motion.v);
  const auto properties = system.properties();
  const bool joined = properties.constraints > 0 && !properties.prescribed;
  const auto fixed = system.fixed_dofs();
  // The mass of each coordinate, from velocities of its own size, and of all where it has none.
  const auto probe = system.clone();
  VectorXd tried = s.v, equal_energy = s.v;
  const double typical = rms(s.v);
  for (long i = 0; i < n; ++i)
    if (!(tried[i] > 1e-12 * typical)) tried[i] = typical;
  for (const auto i : fixed) tried[i] = 0;
  for (int tries = 0; tries < 8 && !s.usable; ++tries, tried /= 10) {
    if (!momenta_of(*probe, states[0], tried, p)) continue;
    // Each as fast as its own motion; where it hardly moves, or is joined to others, by its share of the kinetic energy.
    const double share = s.p.cwiseProduct(s.v).sum() / static_cast<double>(std::max(n - static_cast<long>(fixed.size()), 1L));
    s.mass = p.cwiseQuotient(tried.cwiseMax(1e-300));
    // Where none is seen, as of an entry of a rotation that keeps its length, the neighbour's unit is taken.
    equal_energy = s.mass.unaryExpr([](double m) { return m != 0 ? 1 / std::sqrt(std::abs(m)) : 0.0; });
    if (!(equal_energy.maxCoeff() > 0) || !equal_energy.allFinite()) equal_energy = s.v;
    if (joined) s.v = same_in_units(s.v, equal_energy, tried);
    for (long i = 0; !joined && i < n; ++i) {
      if (tried[i] == 0) continue;
      const double mass = p[i] / tried[i], equal = mass > 0 ? std::sqrt(share) / std::sqrt(mass) : 0;
      const bool moves = s.v[i] > 1e-8 * equal;
      s.v[i] = std::max(s.v[i], equal * (moves ? 1e-6 : 0.1));
      if (!(s.v[i] > 0)) s.v[i] = tried[i];
    }
    for (const auto i : fixed) s.v[i] = 0;
    for (int slower = 0; slower < 8 && !s.usable; ++slower) {
      s.usable = momenta_of(*probe, states[0], s.v, p);
      if (!s.usable) s.v /= 10;
    }
  }
  if (s.usable)
    s.p = joined ? same_in_units(s.p.cwiseMax(p), equal_energy, s.v) : p;
  else
    s.usable = s.p.allFinite() && s.p.maxCoeff() > 0;
  s.p = s.p.cwiseMax(1e-30 * s.p.maxCoeff());
  s.q = (10 * std::abs(h) * s.v).cwiseMax(std::sqrt(std::numeric_limits<double>::epsilon()) * position);
  for (const auto i : fixed) s.q[i] = s.p[i] = 0;
  s.usable = s.usable && s.q.allFinite();
  return s;
}

double rounding_of_energy(const method::Integrator& system, double t, const VectorXd& at, const VectorXd& v) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const auto probe = system.clone();
  double least = std::numeric_limits<double>::infinity(), most = -least;
  VectorXd q = at;
  try {
    for (long draw = 0; draw < 4; ++draw) {
      for (long i = 0; i < q.size(); ++i) q[i] = at[i] * (1 + eps * static_cast<double>((i * (2 * draw + 1) + draw) % 5 - 2));
      probe->start(t, q, v);
      least = std::min(least, probe->energy());
      most = std::max(most, probe->energy());
    }
  } catch (const std::exception&) { return 0; }
  return std::isfinite(most - least) ? most - least : 0;
}

}  // namespace actio::invariant
