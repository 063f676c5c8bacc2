#pragma once
#include <actio/method/acceleration_equation.hpp>
#include <actio/method/acceleration_work.hpp>
#include <actio/method/catalogue/accelerations.hpp>
#include <actio/method/detail/relative_residual.hpp>
#include <cassert>
#include <cmath>
#include <type_traits>

// One step of the acceleration family (acceleration_coefficients.hpp), of any system with M, V and forces F(t, q, v), or of
// implicit equations f(a, v, q, t) = 0 (Karow 5-10). `a_at_end`: the coefficients are those of Newmark.
//
// What the state keeps as a is the method's own: M a = f(t, q) + F(t, q, v) for Newmark's, else the acceleration at t + d, where
// d = (am - af) h while steps are equal (0 for Wilson). At the start it is that at t, as is usual. A step h after others was
// d0 for a0, so a1 is that at t1 + d1 with c h = (1 - s) d0 + s (h + d1), and gamma is replaced in v1 by the one that takes the
// mean of a0 and a1 at the middle of the step: second order whatever the sequence of steps, gamma itself while they are equal.
//
// Prescribed coordinates (system/prescribed.hpp) are on their motion, x, x' and x'' of it, at t + c h where the equation is
// solved and at the end of the step: the method is applied to the Lagrangian of the others, which depends on the time. In the
// state their a is x''(t).
namespace actio::method {

// d; none before the first step.
struct AccelerationOffset {
  bool known = false;
  double d = 0;
  void archive(core::Archive& a) { a(known, d); }
};
struct NoOffset {};

template <system::Lagrangian S, bool a_at_end>
class AccelerationStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  static constexpr Capabilities capabilities{.factorisations = true, .work = true, .reactions = system::can_prescribe<S>};
  struct State {
    double t = 0;
    Vector q, v, a;
    [[no_unique_address]] std::conditional_t<a_at_end, NoOffset, AccelerationOffset> offset = {};
    void archive(core::Archive& to) { to(t, q, v, a).part(offset); }
  };

  AccelerationStepper(S system, const AccelerationCoefficients& coefficients)
      : equation_(std::move(system)),
        k_(coefficients),
        q_(equation_.system().space().vector()),
        v_(q_),
        a_(q_),
        r_(q_),
        other_(q_),
        moved_(q_),
        work_(equation_.system().space(), equation_.prescribed()) {
    assert(!a_at_end || coefficients.at_end());
  }

  S& system() { return equation_.system(); }
  void archive(core::Archive& a) { a(equation_, work_); }
  long factorisations() const { return equation_.factorisations(); }

  State start(double t, const Vector& q, const Vector& p) {
    State x{t, q, p, p, {}};
    if constexpr (system::can_prescribe<S>) {
      if (equation_.prescribed()) {
        x.a = 0.0 * q;
        equation_.start_prescribed(t, p, x.q, x.v, x.a);
        return x;
      }
    }
    equation_.velocity(p, x.v);
    equation_.start(t, x.q, x.v, x.a);
    return x;
  }

  [[gnu::always_inline]] StepReport step(State& x, double h) {
    if constexpr (system::Separable<S>)
      if (equation_.conservative() && k_.iterations == 0) [[likely]]
        return step_conservative(x, h);
    algebra::Scratch<Space, State> copy = x;
    const StepReport report = step_of_any(copy, h);
    algebra::take_back<Space>(x, copy);
    return report;
  }

  void phase(const State& x, Vector& q, Vector& p) {
    q = x.q;
    equation_.momentum(x.v, p);
  }

  // |M a - f - F| / (|M a| + |f + F|), or relative to what cancels in it (detail/relative_residual.hpp), of q and of v.
  double residual(const State& before, const State& after, double h) {
    using algebra::dot;
    const double t = solved(before, after, h);
    const double size = equation_.rest(t, q_, v_, a_, r_);
    return detail::relative_residual(r_, size, q_, moved_, [&](const Vector& q) {
      v_ += (detail::some_eps * std::sqrt(dot(v_, v_)) / std::sqrt(dot(r_, r_))) * r_;
      (void)equation_.rest(t, q, v_, a_, other_);
      other_ -= 1.0 * r_;
      return std::sqrt(dot(other_, other_));
    });
  }

  // The forces are those of both ends, as in Newmark 1/4, 1/2; those of the midpoint where the step is the midpoint rule; r is
  // that of the equation the method solves.
  Work work(const State& before, const State& after, double h) {
    if (k_.at_end()) return work_.between(equation_, before, after);
    const double t = solved(before, after, h);
    const Work where_solved = work_.at(equation_, t, q_, v_, a_, before, after);
    if (k_.c == 0.5) return where_solved;
    Work work = work_.between(equation_, before, after);
    work.residual = where_solved.residual;
    return work;
  }

  // What is left of the equations of prescribed coordinates, the forces that drive them: M a - f - F at the state, where a solves
  // those of the others. r (n) of others is anything. False where none are prescribed.
  bool reactions(const State& x, Vector& r) requires system::can_prescribe<S> {
    if (!equation_.prescribed()) return false;
    q_ = x.q;
    v_ = x.v;
    a_ = x.a;
    if constexpr (!a_at_end) equation_.accelerate(x.t, q_, v_, a_);
    equation_.reactions(x.t, q_, v_, a_, r);
    return true;
  }

  // Newmark's x = q - beta h^2 a (KMOW Theorem 3.5)
  void conjugate_coordinates(const State& x, double h, Vector& q, Vector& p) {
    phase(x, q, p);
    if (k_.at_end()) q = x.q - (k_.beta * h * h) * x.a;
  }

 private:
  [[gnu::always_inline]] StepReport step_conservative(State& x, double h) requires system::Separable<S> {
    const AccelerationWeights at{x.t + c() * h, h, k_.b_q * h * h, k_.b_v * h};
    algebra::Scratch<Space, Vector> predicted = q_, a = a_, q = r_;
    predicted = x.q + (c() * h) * x.v + (c_q() * h * h - at.bq) * x.a;
    a = x.a;
    StepReport report = equation_.solve_conservative(at, predicted, a, q);
    if (!report.converged) [[unlikely]] {
      if constexpr (Space::static_size) return report;
      report = from_here(report, at, x, predicted, x.v, a);
      if (!report.converged) return report;
      q = predicted + at.bq * a;
    }
    if constexpr (a_at_end) {
      if (cancels(at, a, q)) [[unlikely]] {
        auto&& any = algebra::detached<Space>(*this);
        algebra::Scratch<Space, State> copy = x;
        any.finish(at, copy, algebra::detached<Space>(a));
        algebra::take_back<Space>(x, copy);
        return report;
      }
      x.q = q;
      advance_velocity(x, h, k_.gamma, a);
    } else {
      advance(x, h, a);
    }
    return report;
  }

  [[gnu::noinline]] StepReport step_of_any(State& x, double h) {
    const AccelerationWeights at{x.t + c() * h, h, k_.b_q * h * h, k_.b_v * h};
    algebra::Scratch<Space, Vector> q = q_, v = v_, a = a_;
    q = x.q + (c() * h) * x.v + (c_q() * h * h - at.bq) * x.a;
    v = x.v + (c() * h - at.bv) * x.a;
    a = x.a;
    equation_.impose_motion(at, q, v, a);
    StepReport report = k_.iterations > 0 ? equation_.solve_partially(at, q, v, a, k_.iterations) : equation_.solve(at, q, v, a);
    if constexpr (!Space::static_size)
      if (!report.converged) report = from_here(report, at, x, q, v, a);
    if (!report.converged) return report;
    if constexpr (a_at_end) {
      q += at.bq * a;
      if (k_.iterations == 0 && !equation_.prescribed() && cancels(at, a, q)) [[unlikely]] {
        finish(at, x, a);
      } else {
        x.q = q;
        x.v = v + at.bv * a;
        x.a = a;
        x.t = at.t;
      }
    } else {
      advance(x, h, a);
    }
    equation_.impose_motion({x.t, h, 0, 0}, x.q, x.v, x.a);
    return report;
  }

  // q = q* + bq a is what is left of two terms much larger than it.
  [[gnu::always_inline]] static bool cancels(const AccelerationWeights& at, const Vector& a, const Vector& q) {
    using algebra::dot;
    constexpr double larger = 4;
    return at.bq * at.bq * dot(a, a) > larger * larger * dot(q, q) && at.bq != 0;
  }
  // The end of such a step: u = q1 - q0 is solved for beside a1, and
  //   v1 = v0 + gamma/beta (u/h - v0) + h (1 - gamma/(2 beta)) a0
  [[gnu::noinline, gnu::cold]] void finish(const AccelerationWeights& at, State& x, const Vector& a) {
    const double per_u = at.bv / at.bq;
    a_ = a;
    q_ = at.h * x.v + (at.h * at.h / 2 - at.bq) * x.a + at.bq * a_;
    v_ = (1 - k_.gamma / k_.beta) * x.v + (at.h * (1 - k_.gamma / (2 * k_.beta))) * x.a;  // 0 of a0 at 1/4, 1/2
    equation_.refine(at, x.q, v_, q_, a_);
    x.v = v_ + per_u * q_;
    x.q += q_;
    x.a = a_;
    x.t = at.t;
  }

  // Where there are no forces at the guess: again from the a with which the step ends at the q it begins with.
  [[gnu::noinline, gnu::cold]] StepReport from_here(const StepReport& failed, const AccelerationWeights& at, const State& x,
                                                    const Vector& predicted, const Vector& v, Vector& a) {
    if (at.bq == 0 || k_.iterations > 0 || std::isfinite(failed.increment_squared)) return failed;
    other_ = a;
    a = (1 / at.bq) * x.q - (1 / at.bq) * predicted;
    if constexpr (system::can_prescribe<S>) {
      if (equation_.prescribed()) {
        equation_.keep_prescribed(other_);
        equation_.zero_prescribed(a);
        a += 1.0 * other_;
      }
    }
    return equation_.solve(at, predicted, v, a);
  }

  // a1 = a0 + (a - a0)/s, then Newmark's step
  [[gnu::always_inline]] void advance(State& x, double h, Vector& a) {
    a = (1 / k_.s) * a + (1 - 1 / k_.s) * x.a;
    x.q += h * x.v + ((0.5 - k_.beta) * h * h) * x.a + (k_.beta * h * h) * a;
    advance_velocity(x, h, gamma_after(x.offset, h), a);
  }
  // (1 - gamma) d0 + gamma (h + d1) = h/2
  double gamma_after(AccelerationOffset& offset, double h) const {
    const double steady = (k_.c - k_.s) * h, d0 = offset.known ? offset.d : steady;
    offset = {true, (k_.c * h - (1 - k_.s) * d0) / k_.s - h};
    const double gamma = (h / 2 - d0) / (h + offset.d - d0);
    if (std::abs(d0 - steady) <= 1e-12 * std::abs(h) || !(gamma >= 0.5 && gamma <= 2)) {  // equal steps; steps that turn back
      offset.d = steady;
      return k_.gamma;
    }
    return gamma;
  }
  [[gnu::always_inline]] void advance_velocity(State& x, double h, double gamma, const Vector& a) {
    x.v += (h * (1 - gamma)) * x.a + (h * gamma) * a;
    x.a = a;
    x.t += h;
  }

  // The time, and in q_, v_, a_ the state, where the equation of the step before -> after was solved.
  double solved(const State& before, const State& after, double h) {
    if constexpr (a_at_end) {
      q_ = after.q;
      v_ = after.v;
      a_ = after.a;
      return after.t;
    }
    const double bq = k_.b_q * h * h, bv = k_.b_v * h;
    a_ = k_.s * after.a + (1 - k_.s) * before.a;
    q_ = before.q + (k_.c * h) * before.v + (k_.c_q * h * h - bq) * before.a + bq * a_;
    v_ = before.v + (k_.c * h - bv) * before.a + bv * a_;
    equation_.impose_motion({before.t + k_.c * h, h, 0, 0}, q_, v_, a_);
    return before.t + k_.c * h;
  }

  double c() const { return a_at_end ? 1 : k_.c; }
  double c_q() const { return a_at_end ? 0.5 : k_.c_q; }

  AccelerationEquation<S> equation_;
  AccelerationCoefficients k_;
  Vector q_, v_, a_, r_, other_, moved_;
  AccelerationWork<S> work_;
};

template <AccelerationMethod M, system::Lagrangian S, class Use>
auto with_stepper(const M& method, S system, Use&& use) {
  const AccelerationCoefficients k = method.coefficients();
  if constexpr (M::always_at_end) {
    return use(AccelerationStepper<S, true>(std::move(system), k));
  } else {
    if (k.at_end()) return use(AccelerationStepper<S, true>(std::move(system), k));
    return use(AccelerationStepper<S, false>(std::move(system), k));
  }
}

}  // namespace actio::method
