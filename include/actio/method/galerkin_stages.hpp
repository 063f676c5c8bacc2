#pragma once
#include <actio/discrete/galerkin.hpp>
#include <actio/method/detail/relative_residual.hpp>
#include <actio/method/stepper.hpp>
#include <cmath>
#include <vector>

// What lies within a step of a Galerkin method (discrete/galerkin.hpp): velocities W_j, forces and momenta at its nodes.
namespace actio::method {

// (t, q, p), and the polynomial of the step that led there, where the next solve begins.
template <class Vector>
struct GalerkinState : PhaseState<Vector> {
  std::vector<Vector> stages;  // W_j of the last step
  Vector w;                    // its mean velocity
  double h = 0;                // of it; 0: there is none
  void archive(core::Archive& a) {
    PhaseState<Vector>::archive(a);
    archive_list(a, stages);
    a(w, h);
  }
  template <class T>
  static void archive_list(core::Archive& a, std::vector<T>& list) {
    long count = static_cast<long>(list.size());
    a(count);
    if (count < 0 || count > discrete::Galerkin::most) throw core::InputError("the saved state has another layout");
    list.resize(static_cast<std::size_t>(count));
    for (T& each : list) a(each);
  }
};

template <system::Lagrangian S>
struct GalerkinStages {
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  GalerkinStages(S of, discrete::Galerkin galerkin)
      : system(std::move(of)),
        rule(std::move(galerkin)),
        w(static_cast<std::size_t>(rule.degree), system.space().vector()),
        f(rule.nodes.size(), system.space().vector()),
        p(f),
        q(system.space().vector()),
        v(q),
        x(q),
        y(q),
        r_(q),
        moved_(q) {}

  int nodes() const { return static_cast<int>(rule.nodes.size()); }
  bool separable() const {
    if constexpr (system::Separable<S>) return system.separable();
    return false;
  }
  // The force at the first node is that at q0, whatever the W_j.
  bool starts_with_known_force() const {
    if constexpr (system::Forced<S>)
      if (system.forced() && system.force_needs_velocity()) return false;
    return separable() && rule.nodes[0] == 0;
  }

  // w: the polynomial of the last step, gone on with, or its mean. False where there was no step.
  bool predict(const GalerkinState<Vector>& from, double h, bool mean) {
    if (from.h == 0) return false;
    if (mean || std::abs(h) > most_extrapolated * std::abs(from.h)) {
      mean_velocity(from.stages, v);
      for (Vector& each : w) each = v;
      return true;
    }
    const double ratio = h / from.h;
    for (int j = 0; j < rule.degree; ++j) {
      const double c = 1 + rule.path_nodes[j] * ratio;
      w[j] = rule.basis(0, c) * from.stages[0];
      for (int i = 1; i < rule.degree; ++i) w[j] += rule.basis(i, c) * from.stages[i];
    }
    return true;
  }
  // w: the velocity of the momentum, by one increment of Newton's method for L_v(q, v) = p, exact where L is quadratic in v.
  // factor(K) and solve(b, x) are of a linear solver. False: L_vv is singular.
  template <class Factor, class Solve>
  bool first_velocity(const PhaseState<Vector>& from, Matrix& K, Factor&& factor, Solve&& solve) {
    if constexpr (system::Separable<S>) {
      if (system.separable()) {
        system.velocity(from.p, v);
        for (Vector& each : w) each = v;
        return true;
      }
    }
    v = 0.0 * from.q;
    Space::clear(K);
    system.tangent(from.t, from.q, v, {0, 0, 0, 1}, x, y, K);
    if (!factor(K)) return false;
    y -= 1.0 * from.p;
    solve(y, x);
    for (Vector& each : w) each = -1.0 * x;
    return true;
  }
  void mean_velocity(const std::vector<Vector>& of, Vector& out) const {
    out = rule.beta[0] * of[0];
    for (int j = 1; j < rule.degree; ++j) out += rule.beta[j] * of[j];
  }

  // q and v at a node, from w
  void at_node(int k, double h, const Vector& q0) {
    q = q0 + (h * rule.A[k][0]) * w[0];
    for (int j = 1; j < rule.degree; ++j) q += (h * rule.A[k][j]) * w[j];
    if (rule.collocated) {
      v = w[k];
      return;
    }
    v = rule.values[k][0] * w[0];
    for (int j = 1; j < rule.degree; ++j) v += rule.values[k][j] * w[j];
  }
  // q and v in the middle of the step, from w
  void at_middle(double h, const Vector& q0) {
    mean_velocity(w, v);
    q = q0 + (h / 2) * v;
  }
  // f_k = L_q + F at q, v; p_k = L_v too, if it is asked for
  void forces(double t, int k, bool momenta) {
    bool done = false;
    if constexpr (system::Separable<S>)
      if (!momenta && system.separable()) {
        system.force(t, q, f[k]);
        done = true;
      }
    if (!done) system.derivatives(t, q, v, f[k], p[k]);
    if constexpr (system::Forced<S>) {
      if (!system.forced()) return;
      system.applied(t, q, v, x);
      f[k] += 1.0 * x;
    }
  }
  void evaluate(double t, double h, const Vector& q0, bool momenta = true, int first = 0) {
    for (int k = first; k < nodes(); ++k) {
      at_node(k, h, q0);
      forces(t + rule.nodes[k] * h, k, momenta);
    }
  }
  // R_j, from f and p
  void residual_of(int j, double h, const Vector& p0, Vector& r) const {
    r = -1.0 * p0;
    for (int k = 0; k < nodes(); ++k) {
      if (rule.E[j][k] != 0) r += rule.E[j][k] * p[k];
      r -= (h * rule.Abar[j][k]) * f[k];
    }
  }
  // K = vv L_vv + middle (L_vq - L_qv - F_v) - middle^2 (L_qq + F_q) at q, v
  void tangent(double t, double middle, Matrix& K) {
    Space::clear(K);
    system.tangent(t, q, v, {-middle * middle, -middle, middle, 1}, x, y, K);
    if constexpr (system::Forced<S>)
      if (system.forced()) system.applied_tangent(t, q, v, -middle * middle, -middle, x, K);
  }

  // The largest |R_j| / size of the w that are there, or relative to what cancels in it (detail/relative_residual.hpp).
  // evaluate_at(q0) makes what residual_at(j, r) makes R_j of.
  template <class Evaluate, class Residual>
  double largest_residual(const Vector& q0, double size, Evaluate&& evaluate_at, Residual&& residual_at) {
    using algebra::dot;
    double largest = 0;
    evaluate_at(q0);
    for (int j = 0; j < rule.degree; ++j) {
      residual_at(j, r_);
      const double mine = detail::relative_residual(r_, size, q0, moved_, [&](const Vector& moved) {
        evaluate_at(moved);
        residual_at(j, v);
        v -= 1.0 * r_;
        evaluate_at(q0);
        return std::sqrt(dot(v, v));
      });
      largest = std::max(largest, mine);
    }
    return largest;
  }

  // h sum_k b_k F . V at the nodes.
  Work work(const GalerkinState<Vector>& before, const GalerkinState<Vector>& after, double h) {
    using algebra::dot;
    Work sum;
    w = after.stages;
    if constexpr (system::Forced<S>) {
      for (int k = 0; k < nodes(); ++k) {
        const double t = before.t + rule.nodes[k] * h;
        at_node(k, h, before.q);
        system.external(t, q, v, x);
        const double external = dot(x, v);
        sum.external += rule.weights[k] * h * external;
        if (!system.dissipative()) continue;
        system.applied(t, q, v, y);
        sum.dissipated += rule.weights[k] * h * (external - dot(y, v));
      }
    }
    return sum;
  }

  // sum_k b_k f_k and the mean velocity: the rates of p and q over the step
  void rates(Vector& of_p, Vector& of_q) const {
    of_p = rule.weights[0] * f[0];
    for (int k = 1; k < nodes(); ++k) of_p += rule.weights[k] * f[k];
    mean_velocity(w, of_q);
  }

  static constexpr double most_extrapolated = 4;  // of the last step

  S system;
  discrete::Galerkin rule;
  std::vector<Vector> w, f, p;  // W_j (m); L_q + F and L_v at the nodes (r)
  Vector q, v;                  // at the node that was looked at last
  Vector x, y;                  // scratch memory

 private:
  Vector r_, moved_;
};

}  // namespace actio::method
