#pragma once
#include <actio/discrete/nodes.hpp>
#include <actio/discrete/work.hpp>
#include <actio/system/lagrangian.hpp>

// Discrete Lagrangians that replace the action of a straight path by a quadrature:
//
//   Ld(q0, q1) = h sum_j b_j L(q0 + c_j h w, w),   w = (q1 - q0)/h
//
// Ld^alpha (KMOW 2.2) has one node c = alpha; Ld^{sym,alpha} (KMOW 2.16) two, alpha and 1 - alpha. The second argument is w
// throughout, never q1: with q1 the equations have a rounding floor of eps |q|/h. Forces F(t, q, v) enter by the same nodes, as
// discrete forces (KMOW 5.1)
//
//   Fd- = h sum_j b_j (1 - c_j) F(q0 + c_j h w, w),   Fd+ = h sum_j b_j c_j F(q0 + c_j h w, w)
namespace actio::discrete {

template <system::Lagrangian S>
class Quadrature {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  Quadrature(S system, Nodes nodes)
      : system_(std::move(system)), nodes_(nodes), q_(system_.space().vector()), f_(q_), p_(q_), F_(q_) {}

  S& system() { return system_; }
  const Nodes& nodes() const { return nodes_; }

  // Ld [J s]
  double value(double t, double h, const Vector& q0, const Vector& w) {
    double sum = 0;
    for (int j = 0; j < nodes_.count; ++j) {
      q_ = q0 + (nodes_.c[j] * h) * w;
      sum += h * nodes_.b[j] * system_.lagrangian(t + nodes_.c[j] * h, q_, w);
    }
    return sum;
  }

  // KMOW (2.11): Ed = -dLd/dh at fixed q0, q1 (and fixed time at the nodes) [J]
  double energy(double t, double h, const Vector& q0, const Vector& w) {
    using algebra::dot;
    double sum = 0;
    for (int j = 0; j < nodes_.count; ++j) {
      at_node(t, h, q0, w, j);
      sum += nodes_.b[j] * (dot(p_, w) - system_.lagrangian(t + nodes_.c[j] * h, q_, w));
    }
    return sum;
  }

  // -D1 Ld(q0, q0 + h w) - Fd-, the momentum at the start of the step [kg m/s] (n)
  void momentum_before(double t, double h, const Vector& q0, const Vector& w, Vector& p0) {
    momentum(t, h, q0, w, p0, [](double c) { return c - 1; });
  }
  // D2 Ld(q0, q0 + h w) + Fd+, the momentum at its end: the fibre derivative (KMOW 2.8) [kg m/s] (n)
  void momentum_after(double t, double h, const Vector& q0, const Vector& w, Vector& p1) {
    momentum(t, h, q0, w, p1, [](double c) { return c; });
  }

  // What the discrete forces do along the step, (Fd- + Fd+) . w, and what is left of the equations, r . w with r as below.
  Work work(double t, double h, const Vector& q0, const Vector& p0, const Vector& w) requires system::Forced<S> {
    using algebra::dot;
    Work sum;
    for (int j = 0; j < nodes_.count; ++j) {
      const double b = nodes_.b[j], s = h * (1 - nodes_.c[j]), tj = t + nodes_.c[j] * h;
      at_node(t, h, q0, w, j);
      sum.residual += b * dot(p_, w) - b * s * dot(f_, w);
      system_.external(tj, q_, w, F_);
      const double external = dot(F_, w);
      double friction = 0;
      if (system_.dissipative()) {
        system_.applied(tj, q_, w, f_);
        friction = external - dot(f_, w);
      }
      sum.external += b * h * external;
      sum.dissipated += b * h * friction;
      sum.residual -= b * s * (external - friction);
    }
    sum.residual -= dot(p0, w);
    return sum;
  }

  // r = -D1 Ld - Fd- - p0 and K = dr/dw; without forces d2 Ld/dq0 dq1 = -K/h, the discrete symplectic form (KMOW 2.1)
  void equations(double t, double h, const Vector& q0, const Vector& p0, const Vector& w, Vector& r, Matrix& K) {
    if constexpr (system::Separable<S>)
      if (one_gradient()) return equations_of_one_gradient(t, h, q0, p0, w, r, K);
    Space::clear(K);
    r = -1.0 * p0;
    for (int j = 0; j < nodes_.count; ++j) {
      const double b = nodes_.b[j], c = nodes_.c[j], s = h * (1 - c);
      q_ = q0 + (c * h) * w;
      system_.tangent(t + c * h, q_, w, {-b * s * c * h, -b * s, b * c * h, b}, f_, p_, K);
      add_applied_tangent(t + c * h, q_, w, -b * s * c * h, -b * s, f_, K);
      r += b * p_ - (b * s) * f_;
    }
  }

  // One node and L = 1/2 v'Mv - V: one gradient of V and one F, at q0 + c h w, say both momenta,
  //   p0 = M w + h (1-c) (grad V - F),   p1 = M w - h c (grad V - F)
  bool one_gradient() const requires system::Separable<S> { return nodes_.count == 1 && system_.separable(); }
  [[gnu::always_inline]] void equations_of_one_gradient(double t, double h, const Vector& q0, const Vector& p0, const Vector& w,
                                                        Vector& r, Matrix& K) requires system::Separable<S> {
    const double c = nodes_.c[0], s = h * (1 - c);
    algebra::Scratch<Space, Vector> q = q_, f = f_;
    q = q0 + (c * h) * w;
    system_.stiffness(t + c * h, q, 1.0, s * c * h, f, K);
    if (system::is_forced(system_)) [[unlikely]]
      add_applied_tangent(t + c * h, algebra::detached<Space>(q), algebra::detached<Space>(w), -s * c * h, -s, f, K);
    system_.momentum(w, r);
    r -= 1.0 * p0 + s * f;
  }

 private:
  void at_node(double t, double h, const Vector& q0, const Vector& w, int j) {
    q_ = q0 + (nodes_.c[j] * h) * w;
    system_.derivatives(t + nodes_.c[j] * h, q_, w, f_, p_);
  }
  // f += F and K += wq dF/dq + wv dF/dv
  void add_applied_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& f, Matrix& K) {
    if constexpr (system::Forced<S>) {
      if (!system_.forced()) return;
      system_.applied_tangent(t, q, v, wq, wv, F_, K);
      f += 1.0 * F_;
    }
  }
  template <class Weight>
  void momentum(double t, double h, const Vector& q0, const Vector& w, Vector& out, Weight weight) {
    for (int j = 0; j < nodes_.count; ++j) {
      at_node(t, h, q0, w, j);
      const double b = nodes_.b[j], s = b * h * weight(nodes_.c[j]);
      if constexpr (system::Forced<S>) {
        if (system_.forced()) {
          system_.applied(t + nodes_.c[j] * h, q_, w, F_);
          f_ += 1.0 * F_;
        }
      }
      if (j == 0)
        out = b * p_ + s * f_;
      else
        out += b * p_ + s * f_;
    }
  }

  S system_;
  Nodes nodes_;
  Vector q_, f_, p_, F_;
};

}  // namespace actio::discrete
