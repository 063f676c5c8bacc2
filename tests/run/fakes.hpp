#pragma once
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include <actio/method/integrator.hpp>
#include <actio/system/model.hpp>

// Integrators simple enough to know everything about, of unit mass.
namespace fakes {

using Eigen::VectorXd;
namespace method = actio::method;

class Fake : public method::Integrator {
 public:
  using Step = std::function<void(VectorXd& q, VectorXd& v, double h)>;
  using Energy = std::function<double(const VectorXd& q, const VectorXd& v)>;
  Fake(long n, Step step, Energy energy) : n_(n), step_(std::move(step)), energy_(std::move(energy)) {}

  long size() const override { return n_; }
  void start(double t, const VectorXd& q, const VectorXd& v) override {
    t_ = t;
    q_ = q;
    v_ = v;
    ++starts;
  }
  void start_momentum(double t, const VectorXd& q, const VectorXd& p) override { start(t, q, p); }
  method::BatchReport advance(long steps, double h, const method::BatchOptions& how = {}) override {
    method::BatchReport report;
    report.work = how.work;
    for (; report.steps < steps; ++report.steps, ++taken, t_ += h) {
      if (taken == fails_at) {
        report.ok = false;
        report.what = "Newton's method did not converge in 50 iterations";
        report.failed_residual = 0.25;
        return report;
      }
      step_(q_, v_, h);
      if (taken == nan_at) q_[0] = std::numeric_limits<double>::quiet_NaN();
      report.iterations += iterations_a_step;
      report.worst_residual = residual;
    }
    longest_batch = std::max(longest_batch, steps);
    return report;
  }
  void snapshot(method::Snapshot& out) const override {
    out.t = t_;
    out.q = q_;
    out.v = v_;
    out.p = v_;
  }
  double energy() const override { return energy_(q_, v_); }
  void conjugate_coordinates(double h, VectorXd& x, VectorXd& p) const override {
    x = q_;
    p = v_;
    if (own) own(x, p, h);
  }
  std::unique_ptr<method::Integrator> clone() const override { return std::make_unique<Fake>(*this); }

  std::function<void(VectorXd& x, VectorXd& p, double h)> own;
  long fails_at = -1, nan_at = -1, iterations_a_step = 0;  // steps are counted over the object's life, clones included
  long taken = 0, starts = 0, longest_batch = 0;
  double residual = 0;

 private:
  long n_;
  Step step_;
  Energy energy_;
  double t_ = 0;
  VectorXd q_, v_;
};

inline double oscillator_energy(const VectorXd& q, const VectorXd& v) { return 0.5 * v.squaredNorm() + 0.5 * q.squaredNorm(); }

// Exact flow of V = |q|^2 / 2.
inline Fake rotation(long n) {
  return Fake(
      n,
      [](VectorXd& q, VectorXd& v, double h) {
        const double c = std::cos(h), s = std::sin(h);
        const VectorXd q0 = q;
        q = c * q0 + s * v;
        v = c * v - s * q0;
      },
      oscillator_energy);
}

// Explicit Euler of the same: energy grows by 1 + h^2 a step, Phi'^T J Phi' = (1 + h^2) J.
inline Fake euler(long n) {
  return Fake(
      n,
      [](VectorXd& q, VectorXd& v, double h) {
        const VectorXd q0 = q;
        q += h * v;
        v -= h * q0;
      },
      oscillator_energy);
}

// V = r^2 (r^2 - 1)^2, r = |q|: the nonlinear oscillator of KMOW section 4.
inline double ring_energy(const VectorXd& q, const VectorXd& v) {
  const double r = q.squaredNorm();
  return 0.5 * v.squaredNorm() + r * (r - 1) * (r - 1);
}
inline VectorXd ring_force(const VectorXd& q) {
  const double r = q.squaredNorm();
  return -2 * q * ((r - 1) * (r - 1) + 2 * r * (r - 1));
}
inline Fake verlet(long n = 2) {
  return Fake(
      n,
      [](VectorXd& q, VectorXd& v, double h) {
        v += 0.5 * h * ring_force(q);
        q += h * v;
        v += 0.5 * h * ring_force(q);
      },
      ring_energy);
}
inline Fake rk4() {
  return Fake(
      2,
      [](VectorXd& q, VectorXd& v, double h) {
        const VectorXd k1 = v, l1 = ring_force(q);
        const VectorXd k2 = v + h / 2 * l1, l2 = ring_force(q + h / 2 * k1);
        const VectorXd k3 = v + h / 2 * l2, l3 = ring_force(q + h / 2 * k2);
        const VectorXd k4 = v + h * l3, l4 = ring_force(q + h * k3);
        q += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
      },
      ring_energy);
}

// Generators on the plane (x, y): rotation about the origin, a shift along x, and x d/dy (a shear).
inline actio::system::GeneratorBlock component(std::int32_t row, std::vector<std::int32_t> dofs,
                                               std::function<actio::expr::Id(actio::expr::Graph&)> make) {
  actio::system::GeneratorBlock b;
  b.value = make(b.graph);
  b.locals = static_cast<long>(dofs.size());
  b.rows = {row};
  b.dofs = std::move(dofs);
  return b;
}
inline actio::system::Model plane() {
  actio::system::Model m;
  m.title = "plane";
  m.families = {{"x", 1, 0, false}, {"y", 1, 1, false}};
  m.symmetries.push_back(
      {"angular momentum",
       {component(0, {1}, [](auto& g) { return g.neg(g.column(0)); }), component(1, {0}, [](auto& g) { return g.column(0); })}});
  return m;
}
inline void declare_shift(actio::system::Model& m) {
  m.symmetries.push_back({"shift", {component(0, {}, [](auto& g) { return g.constant(1); })}});
}

}  // namespace fakes
