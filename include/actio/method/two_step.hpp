#pragma once
#include <actio/discrete/quadrature.hpp>
#include <actio/method/catalogue/minimising.hpp>
#include <actio/method/stepper.hpp>
#include <actio/method/variational.hpp>
#include <actio/solve/factorisations.hpp>
#include <actio/solve/minimise.hpp>
#include <actio/system/frictionless.hpp>
#include <cmath>
#include <limits>

// The two-step method for friction (KMOW 5.3, Theorem 5.2) for L = 1/2 v'Mv - V and any Ld. From (q0, p0), p0 = D2 Ld of the step
// before, first the conservative discrete Euler-Lagrange equations with the external forces as discrete ones (KMOW 5.1),
//
//   p0 = -D1 Ld(q0, q0 + h w_pred) - Fd-(q0, q0 + h w_pred)                                             (5.14)
//
// then the w that minimises the kinetic energy of the correction and the friction of the step,
//
//   1/2 (w - w_pred)'M(w - w_pred) + h phi(t0, q0, w),     M (w - w_pred) + h dphi/dv(t0, q0, w) = 0    (5.15, 5.16)
//
// and q1 = q0 + h w, p1 = D2 Ld(q0, q1) + Fd+(q0, q1) at the corrected q1, as (5.17) has it: its second term is V' at
// (q0 + q1)/2 of the step before, corrected. The paper writes phi of a velocity alone; of one that depends on q, (5.15) holds
// with any q that does not move with w, and ours is the known end of the step, q0.
//
// Where phi_vv never changes the minimum takes one solve with a factorisation of M + h phi_vv kept for each h.
//
// Order: without friction that of Ld, with it 1: the friction of [t0, t1] acts as an impulse at t0.
namespace actio::method {

template <system::Separable S>
class TwoStepStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using Ld = discrete::Quadrature<system::Frictionless<S>>;
  using Predictor = VariationalStepper<Ld>;

  static constexpr Capabilities capabilities{.factorisations = true, .work = system::Forced<S>};

  struct State : Predictor::State {
    Vector w_pred;
    void archive(core::Archive& a) {
      Predictor::State::archive(a);
      a(w_pred);
    }
  };

  TwoStepStepper(S system, discrete::Nodes nodes)
      : predictor_(Ld(system::Frictionless<S>(std::move(system)), nodes)),
        linear_(system::is_linear(this->system())),
        minimise_(this->system().space()),
        kept_(this->system().space()),
        w_(this->system().space().vector()),
        f_(w_),
        p_(w_),
        phi_q_(w_),
        phi_v_(w_),
        g_(w_),
        K_(this->system().space().matrix()),
        start_{predictor_.start(0, w_, w_), w_} {}

  S& system() { return predictor_.system(); }
  void archive(core::Archive& a) { a(predictor_, kept_); }
  long factorisations() const { return kept_.count() + predictor_.factorisations(); }

  State start(double t, const Vector& q, const Vector& p) const {
    using algebra::like;
    return {predictor_.start(t, q, p), like(q)};
  }

  StepReport step(State& x, double h) {
    using algebra::dot;
    start_ = x;
    StepReport report = predictor_.step(x, h);
    if (!report.converged) return report;
    x.w_pred = x.w;
    if (!dissipative()) return report;
    w_ = x.w_pred;
    const solve::NewtonReport found = solve_friction(h, x.w_pred);
    report.iterations += found.iterations;
    if (!found.converged) {
      x = start_;
      return {report.iterations, false, found.increment_squared};
    }
    report.increment_squared = std::max(report.increment_squared, found.increment_squared);
    x.w = w_;
    x.q = 1.0 * start_.q + h * w_;
    predictor_.discrete_lagrangian().momentum_after(start_.t, h, start_.q, x.w, x.p);
    return report;
  }

  void phase(const State& x, Vector& q, Vector& p) const { predictor_.phase(x, q, p); }

  // The larger of the predictor's and of |M (w - w_pred) + h dphi/dv| / |M w|
  double residual(const State& before, const State& after, double h) {
    using algebra::dot;
    start_ = after;
    start_.w = after.w_pred;
    const double predictor = predictor_.residual(before, start_, h);
    if (!dissipative()) return predictor;
    start_ = before;
    impulse(after.w, 0, K_);
    system().momentum(after.w, f_);
    const double size = std::sqrt(dot(f_, f_)) + std::sqrt(dot(before.p, before.p));
    correction(after.w_pred, after.w);
    p_ += h * phi_v_;
    const double r = std::sqrt(dot(p_, p_));
    return std::max(predictor, size > 0 ? r / size : r);
  }

  // F of 5.1 and h dphi/dv(t0, q0, w) along the corrected step h w, and what is left of both of its equations.
  Work work(const State& before, const State& after, double h) requires system::Forced<S> {
    using algebra::dot;
    Ld& discrete = predictor_.discrete_lagrangian();
    Work work{.external = discrete.work(before.t, h, before.q, before.p, after.w).external,
              .residual = discrete.work(before.t, h, before.q, before.p, dissipative() ? after.w_pred : after.w).residual};
    if (!dissipative()) return work;
    start_ = before;
    impulse(after.w, 0, K_);
    correction(after.w_pred, after.w);
    work.dissipated = h * dot(phi_v_, after.w);
    work.residual += dot(p_, after.w) + work.dissipated;
    return work;
  }

  void conjugate_coordinates(const State& x, double h, Vector& q, Vector& p) const {
    predictor_.conjugate_coordinates(x, h, q, p);
  }

 private:
  // w_ from w_pred to the minimum of (5.15)
  solve::NewtonReport solve_friction(double h, const Vector& w_pred) {
    using algebra::dot;
    if (linear_) {
      slopes(h, w_pred, w_, 0, g_, K_);
      const auto tangent = [&](Matrix& K) { slopes(h, w_pred, w_, 0, phi_q_, K); };
      if (!kept_.solve(h, tangent, g_, f_)) return {1, false, dot(g_, g_)};
      w_ -= 1.0 * f_;
      return {1, true, 0};
    }
    const double floor = 16 * std::numeric_limits<double>::epsilon() * std::sqrt(dot(start_.q, start_.q)) / std::abs(h);
    return minimise_([&](const Vector& w, double& size) { return value(h, w_pred, w, size); },
                     [&](const Vector& w, double shift, Vector& g, Matrix& K) { slopes(h, w_pred, w, shift, g, K); }, w_, floor);
  }

  bool dissipative() {
    if constexpr (system::Forced<S>) return system().dissipative();
    return false;
  }

  // phi_v at the start of the step; K += weight phi_vv
  void impulse(const Vector& w, double weight, Matrix& K) {
    if constexpr (system::Forced<S>) system().dissipation_tangent(start_.t, start_.q, w, {.vv = weight}, phi_q_, phi_v_, K);
  }
  // p_ = M (w - w_pred)
  void correction(const Vector& w_pred, const Vector& w) {
    f_ = w - w_pred;
    system().momentum(f_, p_);
  }

  // (5.15)
  double value(double h, const Vector& w_pred, const Vector& w, double& size) {
    using algebra::dot;
    correction(w_pred, w);
    const double kinetic = dot(f_, p_) / 2;
    double phi = 0;
    if constexpr (system::Forced<S>) phi = h * system().dissipation(start_.t, start_.q, w);
    size = kinetic + std::abs(phi);
    return kinetic + phi;
  }
  void slopes(double h, const Vector& w_pred, const Vector& w, double shift, Vector& g, Matrix& K) {
    system().stiffness(start_.t, start_.q, 1 + shift, 0, f_, K);
    impulse(w, h, K);
    correction(w_pred, w);
    g = 1.0 * p_ + h * phi_v_;
  }

  Predictor predictor_;
  bool linear_;
  solve::Minimise<Space> minimise_;
  solve::Factorisations<Space> kept_;
  Vector w_, f_, p_, phi_q_, phi_v_, g_;
  Matrix K_;
  State start_;
};

template <system::Separable S, class Use>
auto with_stepper(const TwoStep& method, S system, Use&& use) {
  return use(TwoStepStepper<S>(std::move(system), method.nodes()));
}

}  // namespace actio::method
