#pragma once
#include <actio/system/lagrangian.hpp>
#include <array>

// Discrete Lagrangians that replace the action of a straight path by a quadrature:
//
//   Ld(q0, q1) = h sum_j b_j L(q0 + c_j h w, w),   w = (q1 - q0)/h
//
// Ld^alpha (KMOW 2.2) has one node c = alpha; Ld^{sym,alpha} (KMOW 2.16) two, alpha and 1 - alpha. The second argument is w
// throughout, never q1: with q1 the equations have a rounding floor of eps |q|/h.
namespace actio::discrete {

struct Nodes {
  int count = 1;
  std::array<double, 2> b{1, 0}, c{0.5, 0};

  static constexpr Nodes one(double alpha) { return {1, {1, 0}, {alpha, 0}}; }
  static constexpr Nodes symmetric(double alpha) { return alpha == 0.5 ? one(0.5) : Nodes{2, {0.5, 0.5}, {alpha, 1 - alpha}}; }
};

template <system::Lagrangian S>
class Quadrature {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  Quadrature(S system, Nodes nodes)
      : system_(std::move(system)),
        nodes_(nodes),
        q_(system_.space().vector()),
        f_(system_.space().vector()),
        p_(system_.space().vector()) {}

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

  // -D1 Ld(q0, q0 + h w), the momentum at the start of the step [kg m/s] (n)
  void momentum_before(double t, double h, const Vector& q0, const Vector& w, Vector& p0) {
    momentum(t, h, q0, w, p0, [](double c) { return c - 1; });
  }
  // D2 Ld(q0, q0 + h w), the momentum at its end: the fibre derivative (KMOW 2.8) [kg m/s] (n)
  void momentum_after(double t, double h, const Vector& q0, const Vector& w, Vector& p1) {
    momentum(t, h, q0, w, p1, [](double c) { return c; });
  }

  // r = -D1 Ld - p0 and K = dr/dw; and d2 Ld/dq0 dq1 = -K/h, the discrete symplectic form (KMOW 2.1)
  void equations(double t, double h, const Vector& q0, const Vector& p0, const Vector& w, Vector& r, Matrix& K) {
    if constexpr (system::Separable<S>)
      if (one_gradient()) return equations_of_one_gradient(t, h, q0, p0, w, r, K);
    Space::clear(K);
    r = -1.0 * p0;
    for (int j = 0; j < nodes_.count; ++j) {
      const double b = nodes_.b[j], c = nodes_.c[j], s = h * (1 - c);
      q_ = q0 + (c * h) * w;
      system_.tangent(t + c * h, q_, w, {-b * s * c * h, -b * s, b * c * h, b}, f_, p_, K);
      r += b * p_ - (b * s) * f_;
    }
  }

  // One node and L = 1/2 v'Mv - V: one gradient of V, at q0 + c h w, says both momenta,
  //   p0 = M w + h (1-c) grad V,   p1 = M w - h c grad V
  bool one_gradient() const {
    if constexpr (system::Separable<S>) return nodes_.count == 1 && system_.separable();
    return false;
  }
  [[gnu::always_inline]] void equations_of_one_gradient(double t, double h, const Vector& q0, const Vector& p0, const Vector& w,
                                                        Vector& r, Matrix& K) requires system::Separable<S> {
    const double c = nodes_.c[0], s = h * (1 - c);
    algebra::Scratch<Space, Vector> q = q_, f = f_;
    q = q0 + (c * h) * w;
    system_.stiffness(t + c * h, q, 1.0, s * c * h, f, K);
    system_.momentum(w, r);
    r -= 1.0 * p0 + s * f;
  }

 private:
  void at_node(double t, double h, const Vector& q0, const Vector& w, int j) {
    q_ = q0 + (nodes_.c[j] * h) * w;
    system_.derivatives(t + nodes_.c[j] * h, q_, w, f_, p_);
  }
  template <class Weight>
  void momentum(double t, double h, const Vector& q0, const Vector& w, Vector& out, Weight weight) {
    for (int j = 0; j < nodes_.count; ++j) {
      at_node(t, h, q0, w, j);
      const double b = nodes_.b[j], s = b * h * weight(nodes_.c[j]);
      if (j == 0)
        out = b * p_ + s * f_;
      else
        out += b * p_ + s * f_;
    }
  }

  S system_;
  Nodes nodes_;
  Vector q_, f_, p_;
};

}  // namespace actio::discrete
