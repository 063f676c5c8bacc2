#pragma once
#include <actio/method/kick.hpp>
#include <actio/method/stepper.hpp>

// Velocity Verlet, Ld^{sym,alpha} with alpha = 0 (KMOW Theorem 3.1), one gradient a step:
//
//   p += h/2 f(q0),   q1 = q0 + h M^-1 p,   p += h/2 f(q1)
//
// Order 2, symmetric, symplectic, keeps the momentum map of every affine symmetry. Forces F(t, q) that come from no Lagrangian
// are added to f.
namespace actio::method {

template <system::Separable S>
class VerletStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  static constexpr Capabilities capabilities{.two_halves = true};
  struct State : PhaseState<Vector> {
    Vector f;  // f(q)
    void archive(core::Archive& a) {
      PhaseState<Vector>::archive(a);
      a(f);
    }
  };

  explicit VerletStepper(S system) : system_(std::move(system)), v_(system_.space().vector()) {}

  S& system() { return system_; }

  State start(double t, const Vector& q, const Vector& p) {
    State x{{t, q, p}, p};
    kick(system_, t, q, v_, x.f);
    return x;
  }

  [[gnu::always_inline]] StepReport step(State& x, double h) {
    x.t += h;
    if constexpr (system::OnePass<S>)
      if (system_.takes_one_pass()) {
        system_.kick_drift_kick(x.t, h, x.q, x.p, x.f);
        return {};
      }
    x.p += (h / 2) * x.f;
    algebra::Scratch<Space, Vector> v = v_;
    system_.velocity(x.p, v);
    x.q += h * v;
    kick(system_, x.t, x.q, v_, x.f);
    x.p += (h / 2) * x.f;
    return {};
  }

  // q1 = q0 + h/2 M^-1 p + h/2 M^-1 p~ with the momenta p~ that `between` makes of p
  StepReport step(State& x, double h, core::FunctionRef<bool()> between) {
    x.t += h;
    x.p += (h / 2) * x.f;
    system_.velocity(x.p, v_);
    x.q += (h / 2) * v_;
    if (!between()) return {.converged = false};
    system_.velocity(x.p, v_);
    x.q += (h / 2) * v_;
    kick(system_, x.t, x.q, v_, x.f);
    x.p += (h / 2) * x.f;
    return {};
  }

  void phase(const State& x, Vector& q, Vector& p) const {
    q = x.q;
    p = x.p;
  }
  double residual(const State&, const State&, double) const { return 0; }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) const { phase(x, q, p); }

 private:
  S system_;
  Vector v_;
};

}  // namespace actio::method
