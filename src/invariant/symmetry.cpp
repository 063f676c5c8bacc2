#include <actio/invariant/symmetry.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <actio/invariant/scales.hpp>

#include "extrapolate.hpp"
#include "motion.hpp"
#include "numbers.hpp"

namespace actio::invariant {

namespace {

using Eigen::VectorXd;

class Lagrangian {
 public:
  explicit Lagrangian(const method::Integrator& system) : system_(system.clone()) {}
  // L = p . v - E; NaN where it has no value.
  double operator()(double t, const VectorXd& q, const VectorXd& v) {
    try {
      system_->start(t, q, v);
      system_->snapshot(state_);
      const double power = state_.p.dot(v), energy = system_->energy();
      size_ = std::abs(power) + std::abs(energy);
      return power - energy;
    } catch (const std::exception&) { return nan; }
  }
  // F . xi, by which a force changes the momentum, and the size of what is added up.
  std::pair<double, double> push(double t, const VectorXd& q, const VectorXd& v, const VectorXd& xi) {
    system_->applied(t, q, v, force_);
    return {force_.dot(xi), force_.cwiseAbs().dot(xi.cwiseAbs())};
  }
  // What L was added up from: its round-off is a few eps of it.
  double size() const { return size_; }

 private:
  std::unique_ptr<method::Integrator> system_;
  method::Snapshot state_;
  VectorXd force_;
  double size_ = 0;
};

// A uniform variate on [-1, 1), the same on every platform.
double symmetric(std::mt19937_64& random) { return 0x1p-52 * static_cast<double>(random() >> 11) - 1.0; }

// A tangent of the velocity phase space.
struct Direction {
  VectorXd q, v;
};

constexpr int exact = 7, rough = 2;  // levels of differences: rough where a size alone is asked for

// dL/ds of L(q + s a, v + s b) at s = 0.
Derivative along(Lagrangian& L, double t, const VectorXd& q, const VectorXd& v, const Direction& d, double s, int levels) {
  return differentiate(
      [&](double x, VectorXd& out) {
        out.resize(1);
        out[0] = L(t, q + x * d.q, v + x * d.v);
        return std::isfinite(out[0]);
      },
      s, {levels});
}

// The components with signs at random; two that move get opposite ones, so that what comes is not the generator again.
Direction scrambled(const Direction& d, std::mt19937_64& random) {
  Direction out = d;
  double first = 0;
  bool opposite = false;
  long last = -1;
  for (long i = 0; i < d.q.size(); ++i) {
    const double sign = random() >> 63 ? -1.0 : 1.0;
    out.q[i] *= sign;
    out.v[i] *= sign;
    if (d.q[i] == 0 && d.v[i] == 0) continue;
    if (last < 0) first = sign;
    opposite = opposite || sign != first;
    last = i;
  }
  if (last >= 0 && !opposite) {
    out.q[last] = -out.q[last];
    out.v[last] = -out.v[last];
  }
  return out;
}

// (xi, Dxi v) at a state; Dxi v by differences along v, exact up to round-off where xi is affine. False where it has no value.
bool prolonged(MomentumMap& momentum, std::size_t k, double t, const VectorXd& q, const VectorXd& v, double length,
               Direction& d) {
  momentum.field(k, t, q, d.q);
  const Derivative pushed = differentiate(
      [&](double x, VectorXd& out) {
        momentum.field(k, t, q + x * v, out);
        return out.allFinite();
      },
      length);
  if (!d.q.allFinite() || pushed.value.size() == 0) return false;
  d.v = pushed.value;
  // Differences of a constant leave its round-off.
  if (rms(d.v) * length < 1e-12 * rms(d.q)) d.v.setZero();
  return true;
}

// A generator moves what rests as far as what moves: each coordinate as if it had its equal share of the kinetic energy, but no
// more than a thousand times its own motion.
void widen(Scales& near, const method::Snapshot& state, double h) {
  if (near.mass.size() == 0) return;
  const double share = state.p.cwiseAbs().dot(state.v.cwiseAbs()) / static_cast<double>(std::max(state.q.size(), 1L));
  for (long i = 0; i < near.v.size(); ++i) {
    if (!(near.v[i] > 0) || !(near.mass[i] > 0)) continue;
    const double equal = std::sqrt(share) / std::sqrt(near.mass[i]), own = std::abs(state.v[i]);
    near.v[i] = std::max(near.v[i], own > 1e-8 * equal ? std::min(equal, 1e3 * own) : equal);
    near.q[i] = std::max(near.q[i], 10 * std::abs(h) * near.v[i]);
    near.p[i] = near.mass[i] * near.v[i];
  }
}

}  // namespace

std::vector<SymmetryCheck> check_symmetries(const method::Integrator& system, MomentumMap& momentum,
                                            const method::Snapshot& state, double h) {
  std::vector<SymmetryCheck> checks(momentum.size());
  if (checks.empty()) return checks;
  if (!system.properties().energy) {  // of L nothing but its derivatives is known
    for (SymmetryCheck& check : checks) check = {.defect = nan, .holds = false, .rate = 0, .resolved = false};
    return checks;
  }
  Lagrangian L(system);
  std::mt19937_64 random(20000510);
  const long n = system.size();
  const int states = n > 100 ? 2 : 4;  // of many coordinates one state shows as much as four of few
  Scales near = scales(system, {&state, 1}, h);
  widen(near, state, h);
  if (!near.usable) {
    for (SymmetryCheck& check : checks) check = {.defect = nan, .holds = false, .rate = 0, .resolved = false};
    return checks;
  }
  const VectorXd q_unit = near.q.unaryExpr([](double x) { return x > 0 ? 1 / x : 0.0; });
  const VectorXd v_unit = near.v.unaryExpr([](double x) { return x > 0 ? 1 / x : 0.0; });
  // How large positions are beside the motion, each weighed by its action: what rounding them is of it.
  const VectorXd action = near.q.cwiseProduct(near.p);
  const double far = std::sqrt(action.dot((state.q.cwiseProduct(q_unit)).cwiseAbs2()) / std::max(action.sum(), 1e-300));
  // What was seen of each over the states: L along xi, its noise, L along other directions.
  std::vector<double> noise(checks.size(), 0), other(checks.size(), 0);

  for (int trial = 0; trial < states; ++trial) {
    VectorXd q = state.q, v = state.v;
    if (trial > 0) {
      for (long i = 0; i < n; ++i) q[i] += near.q[i] * symmetric(random);
      for (long i = 0; i < n; ++i) v[i] += near.v[i] * symmetric(random);
    }
    const double t = state.t;
    if (!std::isfinite(L(t, q, v))) continue;
    const double size = L.size();
    for (std::size_t k = 0; k < checks.size(); ++k) {
      auto& check = checks[k];
      Direction xi;
      if (!prolonged(momentum, k, t, q, v, 10 * std::abs(h), xi)) {
        check.defect = nan;
        continue;
      }
      // A coordinate that never moves is held by forces that no symmetry knows.
      const auto fixed = system.fixed_dofs();
      if (std::any_of(fixed.begin(), fixed.end(), [&](std::int32_t i) { return xi.q[i] != 0; })) {
        check.defect = 1;
        continue;
      }
      // Out of the constraints no motion follows it.
      check.defect = std::max(check.defect, momentum.leaves_constraints(k, t, q));
      // As far as either the positions or the velocities reach; nothing moves where both vanish.
      const double moves_q = rms(xi.q.cwiseProduct(q_unit)), moves_v = rms(xi.v.cwiseProduct(v_unit));
      if (!(moves_q > 0) && !(moves_v > 0)) continue;
      const double s = std::min(moves_q > 0 ? 1 / moves_q : std::numeric_limits<double>::infinity(),
                                moves_v > 0 ? 1 / moves_v : std::numeric_limits<double>::infinity());
      const Derivative d = along(L, t, q, v, xi, s, exact);
      // What dL would be without the cancellation a symmetry brings.
      double scale = 0, generic = 0;
      for (int draw = 0; draw < 2; ++draw) {
        const Derivative signs = along(L, t, q, v, scrambled(xi, random), s, rough);
        if (signs.value.size() == 1) scale = std::max(scale, std::abs(signs.value[0]));
        Direction any{VectorXd(n), VectorXd(n)};
        for (long i = 0; i < n; ++i) any.q[i] = near.q[i] / s * symmetric(random);
        for (long i = 0; i < n; ++i) any.v[i] = near.v[i] / s * symmetric(random);
        const Derivative elsewhere = along(L, t, q, v, any, s, rough);
        if (elsewhere.value.size() == 1) generic = std::max(generic, std::abs(elsewhere.value[0]));
      }
      if (d.value.size() == 0 || std::isnan(check.defect)) {
        check.defect = nan;
        continue;
      }
      // Differences of L see nothing below its round-off over s, nor below that of the positions they start from.
      const double blur = 4 * eps * size / s + 64 * eps * far * std::max(scale, generic);
      const auto [push, pushes] = L.push(t, q, v, xi.q);
      scale = std::max(scale, pushes);
      const double value =
          std::max(0.0, std::abs(d.value[0] + push) - 16 * eps * pushes - blur - 10 * (std::isfinite(d.error) ? d.error : 0.0));
      check.rate = std::max(check.rate, value);
      noise[k] = std::max(noise[k], blur);
      other[k] = std::max(other[k], generic);
      if (value > 0) check.defect = std::max(check.defect, value / std::max({scale, value, 1e-300}));
    }
  }
  for (std::size_t k = 0; k < checks.size(); ++k) {
    checks[k].holds = checks[k].defect < 1e-6;
    checks[k].resolved = !std::isnan(checks[k].defect) && noise[k] <= 1e-3 * other[k];
  }
  return checks;
}

double force_scale(const method::Integrator& system, const method::Snapshot& state, double h) {
  Lagrangian L(system);
  const Motion near = motion({&state, 1}, h);
  std::mt19937_64 random(20000511);
  const double here = L(state.t, state.q, state.v);
  double stiffness = 0;
  for (int draw = 0; draw < 4 && state.q.size() > 0; ++draw) {
    VectorXd a(state.q.size());
    for (double& x : a) x = random() >> 63 ? -near.q : near.q;
    const double change = L(state.t, state.q + a, state.v) - 2 * here + L(state.t, state.q - a, state.v);
    const double seen = std::abs(change) - 16 * eps * L.size();
    if (std::isfinite(seen)) stiffness = std::max(stiffness, seen / a.squaredNorm());
  }
  return stiffness * rms(state.q);
}

double Cancellation::at(const VectorXd& q, const VectorXd& rest) const {
  if (weight.size() == 0) return 0;
  return energy * (rest.size() == 0 ? weight.dot(q.cwiseAbs2()) : weight.dot((q - rest).cwiseAbs2()));
}

Cancellation cancellation(const method::Integrator& system, const method::Snapshot& state, double h) {
  Cancellation out;
  const Scales near = scales(system, {&state, 1}, h);
  if (!near.usable) return out;
  Lagrangian L(system);
  std::mt19937_64 random(20000515);
  const double here = L(state.t, state.q, state.v);
  for (int draw = 0; draw < 4; ++draw) {
    VectorXd a = near.q;
    for (double& x : a)
      if (random() >> 63) x = -x;
    const double change = L(state.t, state.q + a, state.v) - 2 * here + L(state.t, state.q - a, state.v);
    const double seen = std::abs(change) - 16 * eps * L.size();
    if (std::isfinite(seen)) out.energy = std::max(out.energy, seen);
  }
  out.weight = near.mass.size() > 0 ? near.mass : VectorXd::Ones(state.q.size());
  const double sum = out.weight.dot(near.q.cwiseAbs2());
  if (sum > 0) out.weight /= sum;
  return out;
}

}  // namespace actio::invariant
