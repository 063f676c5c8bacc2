#pragma once
#include <actio/core/error.hpp>
#include <actio/method/stepper.hpp>
#include <actio/solve/newton.hpp>
#include <actio/system/prescribed.hpp>
#include <cmath>
#include <limits>
#include <optional>

// The one equation of every method whose unknown is an acceleration (Karow 10): find a with
//
//   M a = f(t, q) + F(t, q, v)    or    f(a, v, q, t) = 0,      q = q* + bq a,   v = v* + bv a
//
// where f = -grad V and F = external forces - dphi/dv. Its tangent is K = M - bq (f_q + F_q) - bv F_v, or f_a + bv f_v + bq f_q.
// Where coordinates are prescribed (system/prescribed.hpp) these are the equations of all others.
namespace actio::method {

// What the method says of q and v as functions of a: bq [s^2], bv [s], at time t. They depend on the step h alone.
struct AccelerationWeights {
  double t = 0, h = 0, bq = 0, bv = 0;
};

template <system::Lagrangian S>
class AccelerationEquation {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  explicit AccelerationEquation(S system)
      : system_(std::move(system)),
        linear_(system::is_linear(system_)),
        newton_(system_.space(), linear_),
        q_(system_.space().vector()),
        v_(q_),
        a_(q_),
        F_(q_),
        solution_(linear_ ? system_.space().vector() : Vector()) {}

  S& system() { return system_; }
  const S& system() const { return system_; }
  void archive(core::Archive& a) { a(newton_); }
  long factorisations() const { return newton_.factorisations(); }

  bool implicit() const {
    if constexpr (system::Implicit<S>) return system_.implicit();
    return false;
  }
  bool forced() const { return !implicit() && system::is_forced(system_); }
  // L = 1/2 v'Mv - V(t, q) and nothing else, V not quadratic.
  bool conservative() const {
    constexpr bool plain = !system::Forced<S> && !system::Implicit<S> && !system::can_prescribe<S>;
    if constexpr (plain && !requires { system_.linear(); }) return true;
    return !linear_ && !implicit() && !forced() && !prescribed();
  }
  bool prescribed() const { return system::has_prescribed(system_); }

  // p = M v; of implicit equations p = v
  void momentum(const Vector& v, Vector& p) {
    if constexpr (system::Separable<S>)
      if (!implicit()) return system_.momentum(v, p);
    p = v;
  }
  void velocity(const Vector& p, Vector& v) {
    if constexpr (system::Separable<S>)
      if (!implicit()) return system_.velocity(p, v);
    v = p;
  }

  // The a that belongs to q and v at t. Throws core::InputError when the equations do not say what it is.
  void start(double t, const Vector& q, const Vector& v, Vector& a) {
    a = 0.0 * q;
    if (!implicit()) {
      forces(t, q, v, a_);
      return velocity(a_, a);
    }
    if (solve({t, 0, 0, 0}, q, v, a).converged) return;
    throw core::InputError(singular(t, q, v) ? "the equations do not determine the acceleration at the start: df/da is singular"
                                             : "Newton's method found no acceleration that solves the equations at the start");
  }
  // The start of a prescribed system: q_d, v and a from the momenta of the other coordinates.
  void start_prescribed(double t, const Vector& p, Vector& q, Vector& v, Vector& a) requires system::can_prescribe<S> {
    v = 0.0 * q;
    system_.impose_motion(t, 0, 0, q, v, a);
    a_ = p;
    add_others(a_, v);
    accelerate(t, q, v, a);
  }
  // a of the others, from a_d
  void accelerate(double t, const Vector& q, const Vector& v, Vector& a) requires system::can_prescribe<S> {
    forces(t, q, v, a_);
    add_others(a_, a);
  }
  // r_d = M a - f - F
  void reactions(double t, const Vector& q, const Vector& v, const Vector& a, Vector& r) requires system::can_prescribe<S> {
    forces(t, q, v, F_);
    momentum(a, r);
    r -= 1.0 * F_;
  }
  // Guesses at which prescribed coordinates are where they will be, q* + bq a and so on.
  void impose_motion(const AccelerationWeights& at, Vector& q, Vector& v, Vector& a) {
    if constexpr (system::can_prescribe<S>)
      if (prescribed()) [[unlikely]]
        system_.impose_motion(at.t, at.bq, at.bv, q, v, a);
  }
  // x_f = 0
  void keep_prescribed(Vector& x) requires system::can_prescribe<S> {
    F_ = x;
    system_.zero_prescribed(F_);
    x -= 1.0 * F_;
  }

  // From the guess a, which it is again when this fails.
  StepReport solve(const AccelerationWeights& at, const Vector& q, const Vector& v, Vector& a) {
    if (linear_) return solve_linear(at, q, v, a);
    if (explicit_in_a(at)) return solve_explicit(at, q, v, a);
    const solve::Equations equations{[&](const Vector& x, Vector& r, Matrix& K) { this->equations(at, q, v, x, r, K); },
                                     [&](const Vector& x, Vector& r) { residual(at, q, v, x, r); }};
    const auto floor = [&] { return increment_of_rounding(at, q, v); };
    auto report = newton_.solve(equations, a, floor);
    if (!report.converged) report = newton_.solve_damped(equations, a, floor());
    return {report.iterations, report.converged, report.increment_squared};
  }

  // So many iterations of Newton's method from a = 0 and no more (TO 4.1): with one, (M - bq f_q - ...) a = f(t, q*) + F(t, q*,
  // v*). Equations that are linear are solved. When this fails a is as it was.
  [[gnu::noinline]] StepReport solve_partially(const AccelerationWeights& at, const Vector& q, const Vector& v, Vector& a,
                                               int iterations) {
    if (linear_ || explicit_in_a(at)) return solve(at, q, v, a);
    const auto equations = [&](const Vector& x, Vector& r, Matrix& K) { this->equations(at, q, v, x, r, K); };
    a_ = a;
    only_driven(a_, a);
    const auto report = newton_.iterate(equations, a_, iterations);
    if (report.converged) a = a_;
    return {report.iterations, report.converged, report.increment_squared};
  }

  // Conservative systems, inlined: from the guess a, and q = q* + bq a at the solution.
  [[gnu::always_inline]] StepReport solve_conservative(const AccelerationWeights& at, const Vector& predicted, Vector& a,
                                                       Vector& q) requires system::Separable<S> {
    using algebra::dot;
    algebra::Scratch<Space, Vector> f = F_;
    if (at.bq == 0) {
      q = predicted;
      system_.force(at.t, q, f);
      system_.velocity(f, a);
      return {};
    }
    algebra::Scratch<Space, Vector> trial = q_;
    const auto floor = [&] { return 16 * std::numeric_limits<double>::epsilon() * std::sqrt(dot(predicted, predicted)) / at.bq; };
    // Inlined: the iteration must not call it, which takes a third of a small system's time.
    const auto both = [&](const Vector& x, Vector& r, Matrix& K) __attribute__((always_inline)) {
      equations_of_potential(at, predicted, x, trial, f, r, K);
    };
    const auto residual_alone = [&](const Vector& x, Vector& r) {
      trial = predicted + at.bq * x;
      system_.force(at.t, trial, f);
      system_.momentum(x, r);
      r -= f;
    };
    auto newton = newton_.solve(solve::Equations{both, residual_alone}, a, floor);
    if (!newton.converged) [[unlikely]] {
      algebra::Scratch<Space, Vector> damped = a_;
      damped = a;
      newton = algebra::detached<Space>(*this).solve_damped(at, algebra::detached<Space>(predicted), floor(), damped);
      if (!newton.converged) return {newton.iterations, false, newton.increment_squared};
      a = damped;
    }
    q = predicted + at.bq * a;
    return {newton.iterations, true, newton.increment_squared};
  }

  // Where h^2 K is far more than M, bq a cancels most of q*, and q* + bq a has lost the digits that both share. From such a
  // solution: one more increment x of a, of u = q - q0 by bq x and of v = v_0 + bv/bq u, each with all its digits.
  void refine(const AccelerationWeights& at, const Vector& q0, const Vector& v0, Vector& u, Vector& a) {
    using algebra::dot;
    if (!refined_) refined_.emplace(Refined{q0, q0, q0});
    Vector &x = refined_->x, &v1 = refined_->v, &a1 = refined_->a;
    const auto move = [&](const Vector& by) {
      q_ = u + at.bq * by;
      v1 = v0 + (at.bv / at.bq) * q_;
      q_ += 1.0 * q0;
      a1 = a + 1.0 * by;
    };
    x = 0.0 * a;
    bool made = false;
    if (linear_) {
      solved_.h = 0;  // its residual is no longer at hand
      const auto residual_of = [&](const Vector& by, Vector& r) {
        move(by);
        (void)rest(at.t, q_, v1, a1, r);
      };
      const auto tangent = [&](Matrix& K) { equations_at(at, q_, v1, a1, a_, K); };
      made = newton_.solve_linear(at.h, residual_of, tangent, x).converged;
    } else {
      const auto equations_of = [&](const Vector& by, Vector& r, Matrix& K) {
        move(by);
        equations_at(at, q_, v1, a1, r, K);
      };
      made = newton_.iterate(core::FunctionRef<void(const Vector&, Vector&, Matrix&)>(equations_of), x, 1).converged;
    }
    if (!made || !std::isfinite(dot(x, x))) return;
    u += at.bq * x;
    a += 1.0 * x;
  }

  // r = M a - f(t, q) - F(t, q, v), or f(a, v, q, t); and the size of what cancels in it: |M a| + |f + F|.
  double rest(double t, const Vector& q, const Vector& v, const Vector& a, Vector& r) {
    using algebra::dot;
    if constexpr (system::Implicit<S>) {
      if (implicit()) {
        system_.balance(t, q, v, a, r);
        a_ = 0.0 * a;
        system_.balance(t, q, v, a_, F_);
        a_ = 1.0 * r - 1.0 * F_;
        return std::sqrt(dot(a_, a_)) + std::sqrt(dot(F_, F_));
      }
    }
    forces(t, q, v, F_);
    momentum(a, r);
    if (prescribed()) [[unlikely]] {
      zero_prescribed(F_);
      zero_prescribed(r);
    }
    const double size = std::sqrt(dot(r, r)) + std::sqrt(dot(F_, F_));
    r -= 1.0 * F_;
    return size;
  }

  // External forces and friction -dphi/dv at a state [N], and r. Implicit equations name no forces.
  void account(double t, const Vector& q, const Vector& v, const Vector& a, Vector& external, Vector& friction, Vector& r) {
    external = 0.0 * q;
    friction = 0.0 * q;
    if constexpr (system::Implicit<S>)
      if (implicit()) return system_.balance(t, q, v, a, r);
    const bool at_hand = left(t, a, r);
    if (!at_hand) {
      momentum(a, r);
      if constexpr (system::Separable<S>) {
        system_.force(t, q, F_);
        r -= 1.0 * F_;
      }
    }
    if constexpr (system::Forced<S>) {
      if (!forced()) return;
      system_.external(t, q, v, external);
      if (!system_.dissipative()) {
        if (!at_hand) r -= 1.0 * external;
        return;
      }
      system_.applied(t, q, v, friction);
      if (!at_hand) r -= 1.0 * friction;
      friction -= 1.0 * external;
    }
  }

  // f + F [N]
  void forces(double t, const Vector& q, const Vector& v, Vector& out) {
    if constexpr (system::Separable<S>) {
      system_.force(t, q, out);
      if constexpr (system::Forced<S>) {
        if (forced()) {
          algebra::Scratch<Space, Vector> F = v_;
          system_.applied(t, q, v, F);
          out += 1.0 * F;
        }
      }
    }
  }

  // r_d = 0
  void zero_prescribed(Vector& r) const {
    if constexpr (system::can_prescribe<S>)
      if (prescribed()) [[unlikely]]
        system_.zero_prescribed(r);
  }

 private:
  StepReport solve_explicit(const AccelerationWeights& at, const Vector& q, const Vector& v, Vector& a) {
    forces(at.t, q, v, a_);
    if constexpr (system::can_prescribe<S>)
      if (prescribed()) {
        add_others(a_, a);
        return {};
      }
    velocity(a_, a);
    return {};
  }
  // M x = p of the others, from x_d. p is used up.
  void add_others(Vector& p, Vector& x) requires system::can_prescribe<S> {
    keep_prescribed(x);
    system_.momentum(x, F_);  // M_fd x_d
    p -= 1.0 * F_;
    system_.zero_prescribed(p);
    system_.velocity(p, F_);
    x += 1.0 * F_;
  }
  void only_driven(Vector& x, const Vector& like) {
    if constexpr (system::can_prescribe<S>)
      if (prescribed()) return keep_prescribed(x);
    x = 0.0 * like;
  }

  bool explicit_in_a(const AccelerationWeights& at) const {
    if (implicit() || at.bq != 0) return false;
    if (at.bv == 0 || !forced()) return true;
    if constexpr (system::Forced<S>) return !system_.force_needs_velocity();
    return true;
  }

  // r of the last linear solve, if that was at t and gave a: one product with K in place of those with M and S.
  bool left(double t, const Vector& a, Vector& r) {
    using algebra::dot;
    if (!linear_ || solved_.h == 0 || solved_.t != t || prescribed()) return false;
    a_ = 1.0 * a - 1.0 * solution_;
    return dot(a_, a_) == 0 && newton_.rest(solved_.h, a, r);
  }

  // (M + gamma h D + beta h^2 S) a = p(t) - D v* - S q*  (Karow b'), with one factorisation for every h
  StepReport solve_linear(const AccelerationWeights& at, const Vector& q, const Vector& v, Vector& a) {
    if (explicit_in_a(at)) return solve_explicit(at, q, v, a);
    using algebra::dot;
    only_driven(a, q);
    const auto rest_of = [&](const Vector& x, Vector& r) {
      if (!implicit() && dot(x, x) == 0) {
        forces(at.t, q, v, r);
        r *= -1.0;
        zero_prescribed(r);
      } else {
        residual(at, q, v, x, r);
      }
    };
    const auto tangent = [&](Matrix& K) { equations(at, q, v, a, a_, K); };
    const auto report = newton_.solve_linear(at.h, rest_of, tangent, a);
    solved_ = at;
    solution_ = a;
    return {report.iterations, report.converged, report.increment_squared};
  }

  // r = M a - f - F, or f(a, v, q, t)
  void residual(const AccelerationWeights& at, const Vector& q, const Vector& v, const Vector& a, Vector& r) {
    q_ = q + at.bq * a;
    a_ = v + at.bv * a;
    if constexpr (system::Implicit<S>)
      if (implicit()) return system_.balance(at.t, q_, a_, a, r);
    forces(at.t, q_, a_, F_);
    momentum(a, r);
    r -= 1.0 * F_;
    zero_prescribed(r);
  }
  // r and K = dr/da
  [[gnu::always_inline]] void equations(const AccelerationWeights& at, const Vector& q, const Vector& v, const Vector& a,
                                        Vector& r, Matrix& K) {
    algebra::Scratch<Space, Vector> q1 = q_, v1 = v_;
    q1 = q + at.bq * a;
    v1 = v + at.bv * a;
    equations_at(at, q1, v1, a, r, K);
  }
  // r and K at known q1 and v1
  [[gnu::always_inline]] void equations_at(const AccelerationWeights& at, const Vector& q1, const Vector& v1, const Vector& a,
                                           Vector& r, Matrix& K) {
    algebra::Scratch<Space, Vector> f = F_;
    if constexpr (system::Implicit<S>)
      if (implicit()) return system_.balance_tangent(at.t, q1, v1, a, at.bq, at.bv, 1.0, r, K);
    if constexpr (system::Separable<S>) {
      system_.stiffness(at.t, q1, 1.0, at.bq, f, K);
      system_.momentum(a, r);
      r -= 1.0 * f;
      if constexpr (system::Forced<S>) {
        if (forced()) {
          system_.applied_tangent(at.t, q1, v1, -at.bq, -at.bv, f, K);
          r -= 1.0 * f;
        }
      }
      zero_prescribed(r);
    }
  }
  template <class M>
  [[gnu::always_inline]] void equations_of_potential(const AccelerationWeights& at, const Vector& predicted, const Vector& a,
                                                     Vector& q, Vector& f, Vector& r, M& K) requires system::Separable<S> {
    q = predicted + at.bq * a;
    system_.stiffness(at.t, q, 1.0, at.bq, f, K);
    system_.momentum(a, r);
    r -= f;
  }

  [[gnu::noinline, gnu::cold]] solve::NewtonReport solve_damped(const AccelerationWeights& at, const Vector& predicted,
                                                                double floor, Vector& a) requires system::Separable<S> {
    return newton_.solve_damped(
        [&](const Vector& x, Vector& r, auto& K) { equations_of_potential(at, predicted, x, q_, F_, r, K); }, a, floor);
  }

  // What q and v rounded to some eps make of a.
  double increment_of_rounding(const AccelerationWeights& at, const Vector& q, const Vector& v) const {
    using algebra::dot;
    double sum = 0;
    if (at.bq != 0) sum += std::sqrt(dot(q, q)) / std::abs(at.bq);
    if (at.bv != 0 && !conservative()) sum += std::sqrt(dot(v, v)) / std::abs(at.bv);
    return 16 * std::numeric_limits<double>::epsilon() * sum;
  }

  bool singular(double t, const Vector& q, const Vector& v) {
    if constexpr (system::Implicit<S>) {
      Matrix K = system_.space().matrix();
      a_ = 0.0 * q;
      system_.balance_tangent(t, q, v, a_, 0.0, 0.0, 1.0, F_, K);
      auto solver = system_.space().solver();
      return !solver.factor_pivoted(K);
    }
    return false;
  }

  S system_;
  bool linear_;
  solve::Newton<Space> newton_;
  Vector q_, v_, a_, F_;
  AccelerationWeights solved_;  // the last linear solve
  Vector solution_;
  struct Refined {
    Vector x, v, a;
  };
  std::optional<Refined> refined_;  // where a step asked for it
};

}  // namespace actio::method
