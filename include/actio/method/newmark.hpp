#pragma once
#include <actio/method/spec.hpp>
#include <actio/method/stepper.hpp>
#include <actio/solve/newton.hpp>
#include <cmath>
#include <limits>

// Newmark in acceleration form, KMOW (3.3)-(3.5):
//
//   q1 = q0 + h v0 + h^2/2 [(1 - 2 beta) a0 + 2 beta a1],   v1 = v0 + h [(1 - gamma) a0 + gamma a1],   M a1 = -grad V(q1)
//
// The unknown is a1, so beta = 0 is the same code. Order 2 at gamma = 1/2, else 1. At gamma = 1/2 it is velocity Verlet in
// x = q - beta h^2 a = q + beta h^2 M^-1 grad V (Theorem 3.5; the printed minus is a misprint), so it keeps dx ^ d(Mv) and (Mv) .
// xi(x).
namespace actio::method {

template <system::Separable S>
class NewmarkStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  struct State {
    double t = 0;
    Vector q, v, a;
  };

  NewmarkStepper(S system, Newmark coefficients)
      : system_(std::move(system)),
        beta_(coefficients.beta),
        gamma_(coefficients.gamma),
        newton_(system_.space()),
        q_(system_.space().vector()),
        a_(q_),
        f_(q_),
        p_(q_) {}

  S& system() { return system_; }

  State start(double t, const Vector& q, const Vector& p) {
    State x{t, q, p, p};
    system_.velocity(p, x.v);
    system_.force(t, q, f_);
    system_.velocity(f_, x.a);  // M a = f
    return x;
  }

  [[gnu::always_inline]] StepReport step(State& x, double h) {
    using algebra::dot;
    const double t1 = x.t + h, bh2 = beta_ * h * h;
    algebra::Scratch<Space, Vector> predicted = q_, a1 = a_, f = f_, q1 = p_;
    predicted = x.q + h * x.v + (h * h / 2 - bh2) * x.a;  // q1 = predicted + beta h^2 a1
    StepReport report;
    if (beta_ == 0) {
      x.q = predicted;
      system_.force(t1, x.q, f);
      system_.velocity(f, a1);
    } else {
      a1 = x.a;
      const auto floor = [&] { return 16 * std::numeric_limits<double>::epsilon() * std::sqrt(dot(x.q, x.q)) / bh2; };
      auto newton =
          newton_.solve([&](const Vector& a, Vector& r, auto& K) { equations(t1, bh2, predicted, a, q1, f, r, K); }, a1, floor);
      if (!newton.converged) [[unlikely]] {
        algebra::Scratch<Space, Vector> damped = a_;
        damped = x.a;
        newton = algebra::detached<Space>(*this).solve_damped(t1, bh2, algebra::detached<Space>(predicted), floor(), damped);
        if (!newton.converged) return {newton.iterations, false, newton.increment_squared};
        a1 = damped;
      }
      report = {newton.iterations, true, newton.increment_squared};
      x.q = predicted + bh2 * a1;
    }
    x.v += (h * (1 - gamma_)) * x.a + (h * gamma_) * a1;
    x.a = a1;
    x.t = t1;
    return report;
  }

  void phase(const State& x, Vector& q, Vector& p) {
    q = x.q;
    system_.momentum(x.v, p);
  }

  // |M a1 + grad V(q1)| / (|M a1| + |grad V(q1)|), or, where stiff forces cancel, relative to what cancels: some eps of that is
  // what a change of q1 by some eps |q1| along the residual makes of it, rounding included.
  double residual(const State&, const State& after, double) {
    using algebra::dot;
    system_.momentum(after.a, p_);
    system_.force(after.t, after.q, f_);
    double size = std::sqrt(dot(p_, p_)) + std::sqrt(dot(f_, f_));
    p_ -= 1.0 * f_;
    const double r = std::sqrt(dot(p_, p_));
    if (r > small_residual * size) {
      q_ = 1.0 * after.q + (some_eps * std::sqrt(dot(after.q, after.q)) / r) * p_;
      system_.force(after.t, q_, a_);
      a_ -= 1.0 * f_;
      size += std::sqrt(dot(a_, a_)) / some_eps;
    }
    return size > 0 ? r / size : r;
  }

  // x = q - beta h^2 a
  void own_coordinates(const State& state, double h, Vector& x, Vector& p) {
    x = state.q - (beta_ * h * h) * state.a;
    system_.momentum(state.v, p);
  }

 private:
  // r = M a + grad V(q1) and K = dr/da at q1 = predicted + beta h^2 a
  template <class Matrix>
  [[gnu::always_inline]] void equations(double t1, double bh2, const Vector& predicted, const Vector& a, Vector& q1, Vector& f,
                                        Vector& r, Matrix& K) {
    q1 = predicted + bh2 * a;
    system_.stiffness(t1, q1, 1.0, bh2, f, K);
    system_.momentum(a, r);
    r -= f;
  }

  [[gnu::noinline, gnu::cold]] solve::NewtonReport solve_damped(double t1, double bh2, const Vector& predicted, double floor,
                                                                Vector& a1) {
    return newton_.solve_damped([&](const Vector& a, Vector& r, auto& K) { equations(t1, bh2, predicted, a, p_, f_, r, K); }, a1,
                                floor);
  }

  S system_;
  double beta_, gamma_;
  solve::Newton<Space> newton_;
  Vector q_, a_, f_, p_;
};

}  // namespace actio::method
