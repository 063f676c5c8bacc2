#pragma once
#include <actio/core/error.hpp>
#include <actio/solve/newton.hpp>
#include <actio/system/lagrangian.hpp>
#include <cmath>
#include <limits>
#include <optional>

// The equations of motion solved for the acceleration, and both directions of the Legendre transform, for any Lagrangian without
// explicit time in dL/dv:   Lvv a = Lq - Lvq v + F   (for separable ones M a = f + F), F being what acts besides. Where
// equations f(a, v, q, t) = 0 take the place of a Lagrangian they are solved by Newton's method, and momentum is velocity.
namespace actio::discrete {

template <system::Lagrangian S>
class Acceleration {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  explicit Acceleration(S system)
      : system_(std::move(system)),
        f_(system_.space().vector()),
        p_(f_),
        r_(f_),
        K_(system_.separable() ? Matrix() : system_.space().matrix()),
        solver_(system_.separable() ? typename Space::Solver() : system_.space().solver()) {
    if (!system_.separable()) newton_.emplace(system_.space());
  }

  void archive(core::Archive& a) {
    a.part(solver_);
    if (newton_) a(*newton_);
  }
  S& system() { return system_; }
  const S& system() const { return system_; }

  // false when Lvv is singular, or no a is found
  [[gnu::always_inline]] bool operator()(double t, const Vector& q, const Vector& v, Vector& a) {
    if constexpr (system::Separable<S>) {
      if (system_.separable() && !system::is_forced(system_)) {
        algebra::Scratch<Space, Vector> f = f_;
        system_.force(t, q, f);
        system_.velocity(f, a);
        return true;
      }
    }
    algebra::Scratch<Space, Vector> result = a;
    const bool ok = of_any(t, algebra::detached<Space>(q), algebra::detached<Space>(v), result);
    algebra::take_back<Space>(a, result);
    return ok;
  }

  // p = dL/dv
  void momentum(double t, const Vector& q, const Vector& v, Vector& p) {
    if constexpr (system::Separable<S>) {
      if (system_.separable()) return system_.momentum(v, p);
    }
    if (system::is_implicit(system_)) {
      p = v;
      return;
    }
    system_.derivatives(t, q, v, f_, p);
  }

  // v with dL/dv(q, v) = p, by Newton's method from the guess v holds, then from 0. Throws core::InputError when there is none.
  void velocity(double t, const Vector& q, const Vector& p, Vector& v) {
    if constexpr (system::Separable<S>) {
      if (system_.separable()) return system_.velocity(p, v);
    }
    if (system::is_implicit(system_)) {
      v = p;
      return;
    }
    const auto equations = [&](const Vector& u, Vector& r, Matrix& K) {
      Space::clear(K);
      system_.tangent(t, q, u, {.vv = 1}, f_, r, K);
      r -= 1.0 * p;
    };
    const auto from_here = [&] {
      return newton_->solve(equations, v, [] { return 0.0; }).converged || newton_->solve_damped(equations, v, 0.0).converged;
    };
    if (from_here()) return;
    v = 0.0 * p;
    if (!from_here())
      throw core::InputError("the Legendre transform cannot be inverted: Newton's method found no velocity with this momentum");
  }

 private:
  [[gnu::noinline]] bool of_any(double t, const Vector& q, const Vector& v, Vector& a) {
    if constexpr (system::Implicit<S>) {
      if (system_.implicit()) {
        const auto equations = [&](const Vector& x, Vector& r, Matrix& K) { system_.balance_tangent(t, q, v, x, 0, 0, 1, r, K); };
        return newton_->solve(equations, a, [] { return 0.0; }).converged || newton_->solve_damped(equations, a, 0.0).converged;
      }
    }
    if constexpr (system::Separable<S>) {
      if (system_.separable()) {
        system_.force(t, q, r_);
        add_applied(t, q, v, r_);
        system_.velocity(r_, a);
        return true;
      }
    }
    Space::clear(K_);
    system_.tangent(t, q, v, {.vq = 1}, f_, p_, K_);
    Space::multiply(K_, v, r_);
    r_ = 1.0 * f_ - 1.0 * r_;
    add_applied(t, q, v, r_);
    Space::clear(K_);
    system_.tangent(t, q, v, {.vv = 1}, f_, p_, K_);
    if (solver_.factor(K_)) {
      solver_.solve(r_, a);
      return true;
    }
    if (!solver_.factor_pivoted(K_)) return false;
    solver_.solve_pivoted(r_, a);
    return true;
  }

  // r += F
  void add_applied(double t, const Vector& q, const Vector& v, Vector& r) {
    if constexpr (system::Forced<S>) {
      if (!system_.forced()) return;
      system_.applied(t, q, v, p_);
      r += 1.0 * p_;
    }
  }
  S system_;
  Vector f_, p_, r_;
  Matrix K_;
  typename Space::Solver solver_;
  std::optional<solve::Newton<Space>> newton_;  // of the Legendre transform, where it is not linear
};

}  // namespace actio::discrete
