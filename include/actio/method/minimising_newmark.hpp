#pragma once
#include <actio/method/catalogue/minimising.hpp>
#include <actio/method/detail/relative_residual.hpp>
#include <actio/method/stepper.hpp>
#include <actio/solve/factorisations.hpp>
#include <actio/solve/minimise.hpp>
#include <actio/system/lagrangian.hpp>
#include <cmath>
#include <limits>

// Newmark as a minimum principle (KMOW 3.6, 5.4), for M q'' + grad V(q) + dphi/dv(q, q') = f(t). An explicit predictor,
//
//   q_pre = q0 + h v0 + h^2/2 (1 - 2 beta) a0,
//
// then q1 minimises (3.22): (q - q_pre)'M(q - q_pre) / (2 h^2) + beta Vk(q) - beta f(t1) . q, with the incremental potential
// (3.18)
//
//   Vk(q) = V(q) + h phi(q0 + sigma (q - q0), (q - q0)/h),
//
// so that M a1 + grad Vk(q1) = f(t1) and q1 = q_pre + beta h^2 a1; then v1 = v0 + h [(1 - gamma) a0 + gamma a1] (3.17). The
// unknown is a1: with q1 = q_pre + beta h^2 a, (3.22) over beta^2 h^2 is
//
//   1/2 a'Ma + Vk(q1) / (beta h^2) - f . a,     gradient M a + grad Vk - f,     Hessian M + beta h^2 Vk''
//
// The minimum is found from a0 downhill, whether the function is convex or not; of a linear system it is where the gradient
// vanishes, by one solve with a factorisation kept for each h; beta = 0 is explicit. a0 starts as the true
// acceleration (5.4). V is taken at t1, phi at t0 + sigma h.
//
// Order: without friction this is Newmark: 2 at gamma = 1/2, else 1. With friction 1: phi sees the mean velocity of the step, h/2
// behind v1. So what sticks has a mean velocity of 0, and v1 = (1 - gamma/beta) v0 + ...: at 1/4, 1/2 it alternates, a grows by
// 8 v/h in two steps, and M a takes its part of the friction. From gamma > 1/2 on, with beta = (gamma + 1/2)^2/4, it dies out by
// (gamma - 3/2)/(gamma + 1/2) a step. Friction that depends on q takes M + beta h^2 Vk'' from phi_qq and phi_qv too; sigma
// matters only then. External forces depend on time alone: a force of q or v has no potential to be put into (3.22).
namespace actio::method {

template <system::Separable S>
class MinimisingNewmarkStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  static constexpr Capabilities capabilities{.factorisations = true, .work = system::Forced<S>, .explains_failure = true};
  static constexpr const char* failure =
      "the line search found no minimum; where a coordinate sticks and friction is much stiffer than the mass over a step, gamma "
      "= "
      "1/2 reverses its velocity at every step and its acceleration grows: take gamma = 0.6, beta = 0.3025";

  struct State {
    double t = 0;
    Vector q, v, a;
    void archive(core::Archive& to) { to(t, q, v, a); }
  };

  MinimisingNewmarkStepper(S system, MinimisingNewmark coefficients)
      : system_(std::move(system)),
        beta_(coefficients.beta),
        gamma_(coefficients.gamma),
        sigma_(coefficients.sigma),
        linear_(system::is_linear(system_)),
        minimise_(system_.space()),
        kept_(system_.space()),
        K_(system_.space().matrix()),
        q_(system_.space().vector()),
        w_(q_),
        a_(q_),
        f_(q_),
        p_(q_),
        load_(q_),
        friction_(q_),
        phi_q_(q_),
        g_(q_) {}

  S& system() { return system_; }
  void archive(core::Archive& a) { a(kept_); }
  long factorisations() const { return kept_.count(); }

  State start(double t, const Vector& q, const Vector& p) {
    State x{t, q, p, p};
    system_.velocity(p, x.v);
    system_.force(t, q, f_);
    if constexpr (system::Forced<S>) {
      if (system_.forced()) {
        system_.applied(t, q, x.v, load_);
        f_ += 1.0 * load_;
      }
    }
    system_.velocity(f_, x.a);  // M a = -grad V - dphi/dv + f
    return x;
  }

  StepReport step(State& x, double h) {
    using algebra::dot;
    const Step s = of(x, h);
    load(s.t1, x.q, x.v);
    StepReport report;
    if (beta_ == 0) {
      at(s, x.a);
      system_.force(s.t1, q_, f_);
      f_ += 1.0 * load_ - 1.0 * friction_force(s, 0);
      system_.velocity(f_, a_);
    } else if (linear_) {
      a_ = x.a;
      slopes(s, a_, 0, g_, K_);
      const auto tangent = [&](Matrix& K) { slopes(s, a_, 0, phi_q_, K); };
      if (!kept_.solve(h, tangent, g_, p_)) return {1, false, dot(g_, g_)};
      a_ -= 1.0 * p_;
      report.iterations = 1;
    } else {
      a_ = x.a;
      at(s, a_);
      const double floor = 16 * std::numeric_limits<double>::epsilon() * std::sqrt(dot(x.q, x.q) + dot(q_, q_)) / s.bh2;
      const auto found =
          minimise_([&](const Vector& a, double& size) { return value(s, a, size); },
                    [&](const Vector& a, double shift, Vector& g, Matrix& K) { slopes(s, a, shift, g, K); }, a_, floor);
      report = {found.iterations, found.converged, found.increment_squared};
      if (!found.converged) return report;
    }
    at(s, a_);
    x.v += (h * (1 - gamma_)) * x.a + (h * gamma_) * a_;
    x.q = q_;
    x.a = a_;
    x.t = s.t1;
    return report;
  }

  void phase(const State& x, Vector& q, Vector& p) {
    q = x.q;
    system_.momentum(x.v, p);
  }

  // |M a1 + grad Vk(q1) - f| / (the sum of their magnitudes), or relative to what cancels in grad V
  // (detail/relative_residual.hpp).
  double residual(const State& before, const State& after, double h) {
    using algebra::dot;
    balance(before, after, h);
    const double size =
        std::sqrt(dot(a_, a_)) + std::sqrt(dot(f_, f_)) + std::sqrt(dot(load_, load_)) + std::sqrt(dot(friction_, friction_));
    return detail::relative_residual(p_, size, after.q, q_, [&](const Vector& q) {
      system_.force(after.t, q, a_);
      a_ -= 1.0 * f_;
      return std::sqrt(dot(a_, a_));
    });
  }

  // With M a_k = f_k - grad V(q_k) - d_k, where d_k is the friction that (3.20) counts: the mean of the forces at both ends times
  // q1 - q0, as in Karow (13). d0 is what a0 says it was.
  Work work(const State& before, const State& after, double h) requires system::Forced<S> {
    using algebra::dot;
    balance(before, after, h);
    w_ = after.q - before.q;
    Work work;
    work.residual = dot(p_, w_) / 2;
    work.external = dot(load_, w_) / 2;
    work.dissipated = dot(friction_, w_) / 2;
    load(before.t, before.q, before.v);
    work.external += dot(load_, w_) / 2;
    if (dissipative()) {
      system_.momentum(before.a, p_);
      system_.force(before.t, before.q, f_);
      work.dissipated += (dot(load_, w_) + dot(f_, w_) - dot(p_, w_)) / 2;
    }
    return work;
  }

  // x = q - beta h^2 a, as for Newmark
  void conjugate_coordinates(const State& state, double h, Vector& x, Vector& p) {
    x = state.q - (beta_ * h * h) * state.a;
    system_.momentum(state.v, p);
  }

 private:
  struct Step {
    const State& from;
    double h, t1, bh2;
  };
  Step of(const State& x, double h) const { return {x, h, x.t + h, beta_ * h * h}; }

  bool dissipative() const {
    if constexpr (system::Forced<S>) return system_.dissipative();
    return false;
  }

  // f(t)
  void load(double t, const Vector& q, const Vector& v) {
    load_ = 0.0 * q;
    if constexpr (system::Forced<S>)
      if (system_.forced()) system_.external(t, q, v, load_);
  }

  // w = (q1 - q0)/h without the difference, and q1
  void at(const Step& s, const Vector& a) {
    w_ = 1.0 * s.from.v + ((0.5 - beta_) * s.h) * s.from.a + (beta_ * s.h) * a;
    q_ = 1.0 * s.from.q + s.h * w_;
  }

  // d = dphi/dv + sigma h dphi/dq, the gradient of h phi; K_ += weight times its Hessian
  const Vector& friction_force(const Step& s, double weight) { return friction_force(s, weight, K_); }
  const Vector& friction_force(const Step& s, double weight, Matrix& K) {
    if constexpr (system::Forced<S>) {
      if (system_.dissipative()) {
        p_ = 1.0 * s.from.q + (sigma_ * s.h) * w_;
        const double mixed = weight * sigma_;
        system_.dissipation_tangent(s.from.t + sigma_ * s.h, p_, w_, {mixed * sigma_ * s.h, mixed, mixed, weight / s.h}, phi_q_,
                                    friction_, K);
        friction_ += (sigma_ * s.h) * phi_q_;
        return friction_;
      }
    }
    friction_ = 0.0 * w_;
    return friction_;
  }

  // (3.22) over beta^2 h^2
  double value(const Step& s, const Vector& a, double& size) {
    using algebra::dot;
    at(s, a);
    system_.momentum(a, p_);
    const double kinetic = dot(a, p_) / 2, load = dot(load_, a), V = system_.potential(s.t1, q_) / s.bh2;
    double phi = 0;
    if constexpr (system::Forced<S>) {
      if (system_.dissipative()) {
        p_ = 1.0 * s.from.q + (sigma_ * s.h) * w_;
        phi = s.h * system_.dissipation(s.from.t + sigma_ * s.h, p_, w_) / s.bh2;
      }
    }
    size = kinetic + std::abs(V) + std::abs(phi) + std::abs(load);
    return kinetic + V + phi - load;
  }

  void slopes(const Step& s, const Vector& a, double shift, Vector& g, Matrix& K) {
    at(s, a);
    system_.stiffness(s.t1, q_, 1 + shift, s.bh2, f_, K);
    friction_force(s, s.bh2, K);
    system_.momentum(a, g);
    g -= 1.0 * f_ + 1.0 * load_ - 1.0 * friction_;
  }

  // p_ = M a1 + grad Vk(q1) - f, a_ = M a1, f_ = -grad V(q1), load_ = f(t1), friction_ = d1
  void balance(const State& before, const State& after, double h) {
    const Step s = of(before, h);
    load(after.t, after.q, after.v);
    at(s, after.a);
    friction_force(s, 0);
    system_.force(after.t, after.q, f_);
    system_.momentum(after.a, a_);
    p_ = 1.0 * a_ - 1.0 * f_ - 1.0 * load_;
    p_ += 1.0 * friction_;
  }

  S system_;
  double beta_, gamma_, sigma_;
  bool linear_;
  solve::Minimise<Space> minimise_;
  solve::Factorisations<Space> kept_;
  Matrix K_;
  Vector q_, w_, a_, f_, p_, load_, friction_, phi_q_, g_;
};

template <system::Separable S, class Use>
auto with_stepper(const MinimisingNewmark& method, S system, Use&& use) {
  return use(MinimisingNewmarkStepper<S>(std::move(system), method));
}

}  // namespace actio::method
