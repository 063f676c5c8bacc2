#pragma once
#include <actio/discrete/discrete_lagrangian.hpp>
#include <actio/discrete/quadrature.hpp>
#include <actio/method/catalogue/variational.hpp>
#include <actio/method/detail/extrapolation.hpp>
#include <actio/method/detail/relative_residual.hpp>
#include <actio/method/stepper.hpp>
#include <actio/solve/newton.hpp>
#include <cmath>
#include <limits>

// The discrete Euler-Lagrange equations of any discrete Lagrangian, in position-momentum form (KMOW 2.6, 2.8, 2.3):
//
//   p0 = -D1 Ld(q0, q1),   p1 = D2 Ld(q0, q1),   unknown w = (q1 - q0)/h
//
// Symplectic, keeps the momentum map of every affine symmetry; its order is that of Ld. Midpoint is Ld^{1/2}. With forces these
// are the discrete Lagrange-d'Alembert equations (KMOW 5.3): p0 = -D1 Ld - Fd-, p1 = D2 Ld + Fd+.
namespace actio::method {

namespace detail {

template <class Ld>
inline constexpr bool measures_work = requires(Ld& discrete, double h, const typename Ld::Space::Vector& q) {
  discrete.work(h, h, q, q, q);
};

}  // namespace detail

template <class Ld>
class VariationalStepper {
  static_assert(discrete::IsDiscreteLagrangian<Ld>::value);

 public:
  using Space = typename Ld::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  static constexpr Capabilities capabilities{.factorisations = true, .work = detail::measures_work<Ld>};

  // Remembers the last two w so that the next solve starts at their extrapolation; part of the state, so that a run can be
  // resumed.
  struct State : PhaseState<Vector> {
    Vector w, w_before;
    double h = 0, h_before = 0;
    void archive(core::Archive& a) {
      PhaseState<Vector>::archive(a);
      a(w, w_before, h, h_before);
    }
  };

  explicit VariationalStepper(Ld discrete)
      : Ld_(std::move(discrete)),
        linear_(system::is_linear(Ld_.system())),
        newton_(Ld_.system().space(), linear_),
        w_(Ld_.system().space().vector()),
        r_(w_) {}

  auto& system() { return Ld_.system(); }
  Ld& discrete_lagrangian() { return Ld_; }

  State start(double t, const Vector& q, const Vector& p) const {
    using algebra::like;
    return {{t, q, p}, like(q), like(q), 0, 0};
  }

  [[gnu::always_inline]] StepReport step(State& x, double h) {
    if constexpr (requires { Ld_.one_gradient(); })
      if (Ld_.one_gradient() && !linear_) return step_with<true>(x, h);
    algebra::Scratch<Space, State> copy = x;
    const StepReport report = linear_ ? step_of_linear(copy, h) : step_of_any(copy, h);
    algebra::take_back<Space>(x, copy);
    return report;
  }

  void phase(const State& x, Vector& q, Vector& p) const {
    q = x.q;
    p = x.p;
  }

  // |p0 + D1 Ld(q0, q1)| / (|p0| + |p1|), or relative to what cancels in it (detail/relative_residual.hpp).
  double residual(const State& before, const State& after, double h) {
    using algebra::dot;
    using algebra::like;
    Ld_.momentum_before(before.t, h, before.q, after.w, r_);
    r_ -= 1.0 * before.p;
    const double size = std::sqrt(dot(before.p, before.p)) + std::sqrt(dot(after.p, after.p));
    return detail::relative_residual(r_, size, before.q, w_, [&](const Vector& q) {
      auto changed = like(before.q);
      Ld_.momentum_before(before.t, h, q, after.w, changed);
      changed -= 1.0 * before.p + 1.0 * r_;
      return std::sqrt(dot(changed, changed));
    });
  }

  void archive(core::Archive& a) { a(newton_); }
  long factorisations() const { return newton_.factorisations(); }
  Work work(const State& before, const State& after, double h) requires(capabilities.work) {
    Work work = Ld_.work(before.t, h, before.q, before.p, after.w);
    // With one gradient p1 follows from p0, so the residual enters a second time, times c / (1-c).
    if constexpr (requires { Ld_.one_gradient(); })
      if (const double c = Ld_.nodes().c[0]; Ld_.one_gradient() && c <= 0.5) work.residual /= 1 - c;
    return work;
  }

  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) const { phase(x, q, p); }

 private:
  [[gnu::noinline]] StepReport step_of_any(State& x, double h) { return step_with<false>(x, h); }

  // The equations are linear in w: one solve, with the factorisation that is kept for h.
  [[gnu::noinline]] StepReport step_of_linear(State& x, double h) {
    algebra::Scratch<Space, Vector> w = w_;
    w = x.w;
    const auto residual = [&](const Vector& u, Vector& r) {
      Ld_.momentum_before(x.t, h, x.q, u, r);
      r -= 1.0 * x.p;
    };
    const auto tangent = [&](Matrix& K) { Ld_.equations(x.t, h, x.q, x.p, w, r_, K); };
    const auto report = newton_.solve_linear(h, residual, tangent, w);
    if (!report.converged) return {report.iterations, false, report.increment_squared};
    finish(x, h, w);
    return {report.iterations, true, 0};
  }

  [[gnu::always_inline]] void finish(State& x, double h, const Vector& w) {
    if constexpr (requires { Ld_.one_gradient(); }) {
      if (Ld_.one_gradient())
        after<true>(x, h, w);
      else
        after<false>(x, h, w);
    } else {
      after<false>(x, h, w);
    }
    advance(x, h, w);
  }
  [[gnu::always_inline]] static void advance(State& x, double h, const Vector& w) {
    x.q += h * w;
    x.w_before = x.w;
    x.w = w;
    x.h_before = x.h;
    x.h = h;
    x.t += h;
  }

  template <bool one_gradient>
  [[gnu::always_inline]] StepReport step_with(State& x, double h) {
    using algebra::dot;
    algebra::Scratch<Space, Vector> w = w_;
    if (x.h != 0) [[likely]]
      detail::continue_line(x, h, w);
    else
      w = algebra::detached<Space>(*this).first_guess(algebra::detached<Space>(x));
    const auto floor = [&] { return 16 * std::numeric_limits<double>::epsilon() * std::sqrt(dot(x.q, x.q)) / std::abs(h); };
    const auto tangent = [&](const Vector& u, Vector& r, Matrix& K) __attribute__((always_inline)) {
      if constexpr (one_gradient)
        Ld_.equations_of_one_gradient(x.t, h, x.q, x.p, u, r, K);
      else
        Ld_.equations(x.t, h, x.q, x.p, u, r, K);
    };
    const auto residual = [&](const Vector& u, Vector& r) {
      Ld_.momentum_before(x.t, h, x.q, u, r);
      r -= 1.0 * x.p;
    };
    const solve::Equations equations{tangent, residual};
    auto report = newton_.solve(equations, w, floor);
    if (!report.converged) [[unlikely]] {
      algebra::Scratch<Space, Vector> damped = w_;
      report = algebra::detached<Space>(*this).solve_damped(algebra::detached<Space>(x), h, floor(), damped);
      if (!report.converged) return {report.iterations, false, report.increment_squared};
      w = damped;
    }
    after<one_gradient>(x, h, w);
    advance(x, h, w);
    return {report.iterations, true, report.increment_squared};
  }

  [[gnu::noinline, gnu::cold]] solve::NewtonReport solve_damped(const State& x, double h, double floor, Vector& w) {
    if (x.h != 0)
      detail::continue_line(x, h, w);
    else
      w = first_guess(x);
    const auto equations = [&](const Vector& u, Vector& r, Matrix& K) { Ld_.equations(x.t, h, x.q, x.p, u, r, K); };
    const auto report = newton_.solve_damped(equations, w, floor);
    if (report.converged || std::isfinite(report.increment_squared)) return report;
    w = 0.0 * x.q;  // at the guess there is no potential, at q1 = q0 there is
    return newton_.solve_damped(equations, w, floor);
  }

  // The momentum's own direction. By reference to w_ where that saves an allocation.
  [[gnu::noinline]] algebra::Scratch<Space, Vector> first_guess(const State& x) {
    algebra::Scratch<Space, Vector> w = w_;
    w = 0.0 * x.p;
    if constexpr (system::Separable<std::remove_reference_t<decltype(Ld_.system())>>)
      if (Ld_.system().separable()) Ld_.system().velocity(x.p, w);
    return w;
  }

  // p1 = D2 Ld. With one gradient it follows from p0 without another gradient: p1 = (M w - c p0) / (1-c).
  template <bool one_gradient>
  [[gnu::always_inline]] void after(State& x, double h, const Vector& w) {
    if constexpr (one_gradient) {
      const double c = Ld_.nodes().c[0];
      if (c <= 0.5) [[likely]] {
        algebra::Scratch<Space, Vector> p = r_;
        Ld_.system().momentum(w, p);
        x.p = (1 / (1 - c)) * p - (c / (1 - c)) * x.p;
        return;
      }
    }
    algebra::Scratch<Space, Vector> p = r_;
    Ld_.momentum_after(x.t, h, algebra::detached<Space>(x.q), algebra::detached<Space>(w), p);
    x.p = p;
  }

  Ld Ld_;
  bool linear_;
  solve::Newton<Space> newton_;
  Vector w_, r_;
};

template <class M, system::Lagrangian S, class Use>
requires(std::same_as<M, Variational> || std::same_as<M, Midpoint>) auto with_stepper(const M& method, S system, Use&& use) {
  using Ld = discrete::Quadrature<S>;
  return use(VariationalStepper<Ld>(Ld(std::move(system), method.nodes())));
}

}  // namespace actio::method
