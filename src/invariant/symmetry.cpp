#include <actio/invariant/symmetry.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "extrapolate.hpp"
#include "motion.hpp"

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
    } catch (const std::exception&) { return std::numeric_limits<double>::quiet_NaN(); }
    system_->snapshot(state_);
    return state_.p.dot(v) - system_->energy();
  }
  const method::Snapshot& state() const { return state_; }
  double energy() const { return system_->energy(); }

 private:
  std::unique_ptr<method::Integrator> system_;
  method::Snapshot state_;
};

// A uniform variate on [-1, 1), the same on every platform.
double symmetric(std::mt19937_64& random) { return 0x1p-52 * static_cast<double>(random() >> 11) - 1.0; }

// dL/ds of L(q + s a, v + s b) at s = 0.
Derivative along(Lagrangian& L, double t, const VectorXd& q, const VectorXd& v, const VectorXd& a, const VectorXd& b, double s) {
  return differentiate(
      [&](double x, VectorXd& out) {
        out.resize(1);
        out[0] = L(t, q + x * a, v + x * b);
        return std::isfinite(out[0]);
      },
      s);
}

}  // namespace

std::vector<SymmetryCheck> check_symmetries(const method::Integrator& system, MomentumMap& momentum,
                                            const method::Snapshot& state, double h) {
  std::vector<SymmetryCheck> checks(momentum.size());
  if (checks.empty()) return checks;
  Lagrangian L(system);
  std::mt19937_64 random(20000510);
  const long n = system.size();
  const int states = n > 10000 ? 2 : 4;

  // How far a coordinate moves in a few steps, else a hundredth of where it is, else 1e-3.
  double reach = 10 * h * rms(state.v);
  if (!(reach > 0)) reach = 1e-2 * rms(state.q);
  if (!(reach > 0)) reach = 1e-3;
  double speed = rms(state.v);
  if (!(speed > 0)) speed = reach / (10 * h);

  for (int trial = 0; trial < states; ++trial) {
    VectorXd q = state.q, v = state.v;
    if (trial > 0) {
      for (double& x : q) x += reach * symmetric(random);
      for (double& x : v) x += speed * symmetric(random);
    }
    const double t = state.t;
    if (!std::isfinite(L(t, q, v))) continue;
    const double energy = std::abs(L.energy()) + std::abs(L.state().p.dot(v));
    for (std::size_t k = 0; k < checks.size(); ++k) {
      VectorXd xi, image(n), draw(n);
      momentum.field(k, t, q, xi);
      // D xi v, by differences along v (exact up to round-off where xi is affine).
      const double length = speed > 0 ? reach / speed : 1.0;
      VectorXd scratch;
      const Derivative pushed = differentiate(
          [&](double x, VectorXd& out) {
            momentum.field(k, t, q + x * v, scratch);
            out = scratch;
            return out.allFinite();
          },
          length);
      if (!xi.allFinite() || pushed.value.size() == 0) {
        checks[k].defect = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      image = pushed.value;
      const double size = std::max(rms(xi), 1e-300);
      const double s = reach / size;
      const Derivative d = along(L, t, q, v, xi, image, s);
      // What dL would be without the cancellation a symmetry brings.
      double scale = 0;
      for (int sign = 0; sign < 2; ++sign) {
        VectorXd a = xi, b = image;
        for (long i = 0; i < n; ++i)
          if (random() >> 63) {
            a[i] = -a[i];
            b[i] = -b[i];
          }
        const Derivative other = along(L, t, q, v, a, b, s);
        if (other.value.size() == 1) scale = std::max(scale, std::abs(other.value[0]));
      }
      if (d.value.size() == 0 || std::isnan(checks[k].defect)) {
        checks[k].defect = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      // Differences of L see nothing below its round-off over s.
      const double noise = 1e-13 * energy / s;
      const double value = std::max(0.0, std::abs(d.value[0]) - noise);
      if (value > 0) checks[k].defect = std::max(checks[k].defect, value / std::max({scale, value, 1e-300}));
    }
  }
  for (auto& check : checks) check.holds = check.defect < 1e-6;
  return checks;
}

}  // namespace actio::invariant
