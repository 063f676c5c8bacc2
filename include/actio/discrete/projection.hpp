#pragma once
#include <actio/core/archive.hpp>
#include <actio/system/constrained.hpp>
#include <cmath>

// States put on the constraints g(t, q) = 0 and their tangents G v + g_t = 0 along the forces G' lambda, which is the shortest
// way in the metric of the mass L_vv:
//
//   momentum   L_v(t, q, v) = p + G' mu,                  G v + g_t = 0
//   velocity   L_vv (v1 - v) = G' y,                      G v1 + g_t = 0
//   position   L_vv (q1 - q) = G(q1)' y,                  g(t, q1) = 0
namespace actio::system {
struct CompiledModel;
}
namespace actio::discrete {

template <system::Constrained S>
class Projection {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using KktSolver = typename S::KktSolver;
  using Multipliers = typename KktSolver::Multipliers;
  using Jacobian = typename KktSolver::Jacobian;

  explicit Projection(const S& system)
      : kkt_(system.kkt_solver()),
        f_(system.space().vector()),
        p_(f_),
        r_(f_),
        dv_(f_),
        start_(f_),
        g_(kkt_.multipliers()),
        g_t_(g_),
        mu_(g_),
        dmu_(g_),
        G_(kkt_.jacobian()),
        K_(system.space().matrix()) {}

  void archive(core::Archive& a) { a.part(kkt_); }

  // p += G' mu, with g_t and G at (t, q); v is the velocity of the result, and the first guess of it before. False: none is
  // found, or G is not of full rank.
  bool momentum(S& system, double t, const Vector& q, const Multipliers& g_t, const Jacobian& G, Vector& p, Vector& v,
                Multipliers& mu) {
    using algebra::dot;
    mu = 0.0 * g_t;
    if constexpr (system::Separable<S>) {
      if (system.separable()) {
        system.velocity(p, v);
        if (!factor(system, t, q, v, G)) return false;
        solve_linear(g_t, G, v, mu);
        finish(G, mu, p);
        return std::isfinite(dot(p, p));
      }
    }
    double last = 0;
    for (int k = 0; k < most_iterations; ++k) {
      if (!factor(system, t, q, v, G)) return false;  // L_v in p_
      residual(g_t, G, v);
      r_ = 1.0 * p_ - 1.0 * p;
      KktSolver::add_transposed(-1, G, mu, r_);
      kkt_.solve(r_, g_, dv_, dmu_);
      v -= 1.0 * dv_;
      mu -= 1.0 * dmu_;
      const double d = dot(dv_, dv_), size = dot(v, v);
      if (!std::isfinite(d)) return false;
      if (d <= rounding * rounding * size || d == 0 || (last > 0 && (d * d * d <= rounding * rounding * size * last * last)) ||
          (k > 2 && d > 0.0625 * last && d <= few * few * size)) {
        finish(G, mu, p);
        return true;
      }
      last = d;
    }
    return false;
  }

  // v becomes the nearest that fits. False: G is not of full rank.
  bool velocity(S& system, double t, const Vector& q, Vector& v) {
    using algebra::dot;
    system.constraint_tangent(t, q, g_, g_t_, G_);
    if (!factor(system, t, q, v, G_)) return false;
    solve_linear(g_t_, G_, v, mu_);
    return std::isfinite(dot(v, v));
  }

  // q becomes the nearest that fits, by the mass at (q, v); from too far away one that is reached by the shortest steps. False:
  // none is found.
  bool position(S& system, double t, Vector& q, const Vector& v) {
    start_ = q;
    if (nearest(system, t, q, v)) return true;
    q = start_;
    return retract(system, t, q, v);
  }

 private:
  // Newton's method, each step the shortest that its tangents allow and halved until g decreases.
  bool retract(S& system, double t, Vector& q, const Vector& v) {
    using algebra::dot;
    for (int k = 0; k < most_iterations; ++k) {
      system.constraint_tangent(t, q, g_, g_t_, G_);
      const double before = dot(g_, g_);
      if (before == 0) return true;
      if (!factor(system, t, start_, v, G_)) return false;
      g_ = -1.0 * g_;
      r_ = 0.0 * q;
      kkt_.solve(r_, g_, dv_, dmu_);
      const double d = dot(dv_, dv_);
      if (!std::isfinite(d)) return false;
      if (d <= few * few * dot(q, q)) return true;
      double s = 1;
      for (; s > 1e-4; s /= 2) {
        r_ = 1.0 * q + s * dv_;
        system.constraint(t, r_, g_);
        if (dot(g_, g_) < before) break;
      }
      if (s <= 1e-4) return d <= 1e-24 * dot(q, q);  // rounding, or no way on
      q = r_;
    }
    return false;
  }

  bool nearest(S& system, double t, Vector& q, const Vector& v) {
    using algebra::dot;
    double last = 0;
    int again = 0;
    for (int k = 0; k < most_iterations; ++k) {
      system.constraint_tangent(t, q, g_, g_t_, G_);
      if (!factor(system, t, start_, v, G_)) return false;
      // K (q1 - start) - G' y = 0,  g + G (q1 - q) = 0
      dv_ = 1.0 * q - 1.0 * start_;
      KktSolver::multiply(G_, dv_, dmu_);
      g_ = 1.0 * dmu_ - 1.0 * g_;
      r_ = 0.0 * q;
      kkt_.solve(r_, g_, dv_, dmu_);
      r_ = 1.0 * start_ + 1.0 * dv_;
      dv_ = 1.0 * r_ - 1.0 * q;
      q = r_;
      const double d = dot(dv_, dv_), size = dot(q, q);
      if (!std::isfinite(d) || (k > 2 && d > 1e-20 * size && d > 0.5 * last)) return false;
      if (d <= few * few * size || (k > 2 && d > 0.25 * last && d <= 1e-24 * size)) {
        // Beside positions of 1e6 what is small may be much of a rotation: by the mass it is not.
        Space::multiply(K_, dv_, r_);
        const double moved = dot(dv_, r_);
        Space::multiply(K_, q, r_);
        if (!(moved > few * few * dot(q, r_)) || again == 2) return true;
        ++again;
      }
      last = d;
    }
    return false;
  }

  static constexpr int most_iterations = 50;
  static constexpr double rounding = 1e-16, few = 4e-16;

  // g = G v + g_t
  void residual(const Multipliers& g_t, const Jacobian& G, const Vector& v) {
    KktSolver::multiply(G, v, g_);
    g_ += 1.0 * g_t;
  }
  // L_vv and L_v at (q, v), the former factored with G
  bool factor(S& system, double t, const Vector& q, const Vector& v, const Jacobian& G) {
    if (!known_) {
      Space::clear(K_);
      system.tangent(t, q, v, {.vv = 1}, f_, p_, K_);
      known_ = system.separable();
      if constexpr (requires { kkt_.compress(K_); })
        if (known_) kkt_.compress(K_);
    }
    return kkt_.factor(K_, G, G);
  }
  // K dv = G' dmu and G (v + dv) + g_t = 0: one solve, once more against rounding, more where the KKT solver is regularised
  void solve_linear(const Multipliers& g_t, const Jacobian& G, Vector& v, Multipliers& mu) {
    using algebra::dot;
    r_ = 0.0 * v;
    for (int k = 0; k < (kkt_.regularised() ? 10 : 2); ++k) {
      residual(g_t, G, v);
      kkt_.solve(r_, g_, dv_, dmu_);
      v -= 1.0 * dv_;
      mu -= 1.0 * dmu_;
      if (dot(dv_, dv_) <= rounding * rounding * dot(v, v)) break;
    }
  }
  // p += G' mu
  void finish(const Jacobian& G, const Multipliers& mu, Vector& p) { KktSolver::add_transposed(1, G, mu, p); }

  KktSolver kkt_;
  Vector f_, p_, r_, dv_, start_;
  Multipliers g_, g_t_, mu_, dmu_;
  Jacobian G_;
  Matrix K_;
  bool known_ = false;  // K_ = M, which is constant
};

// A start on the constraints: q and v become the nearest that fit.
struct [[nodiscard]] StartReport {
  bool found = true;
  double position = 0, velocity = 0;  // |q1 - q|, |v1 - v|
};
template <system::Constrained S>
StartReport project(Projection<S>& projection, S& system, double t, typename S::Space::Vector& q, typename S::Space::Vector& v) {
  using algebra::dot;
  auto before = q;
  StartReport report;
  report.found = projection.position(system, t, q, v);
  before -= 1.0 * q;
  report.position = std::sqrt(dot(before, before));
  if (!report.found) return report;
  before = v;
  report.found = projection.velocity(system, t, q, v);
  before -= 1.0 * v;
  report.velocity = std::sqrt(dot(before, before));
  return report;
}
template <system::Constrained S>
StartReport project(S& system, double t, typename S::Space::Vector& q, typename S::Space::Vector& v) {
  Projection<S> projection(system);
  return project(projection, system, t, q, v);
}
// The same of a model, on its full space: what vectors of a fixed size do by a copy, for it is not worth compiling for each.
StartReport project(const system::CompiledModel& model, double t, Eigen::VectorXd& q, Eigen::VectorXd& v);

}  // namespace actio::discrete
