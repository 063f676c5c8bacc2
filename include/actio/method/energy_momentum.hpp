#pragma once
#include <actio/method/catalogue/energy_momentum.hpp>
#include <actio/method/detail/extrapolation.hpp>
#include <actio/method/detail/relative_residual.hpp>
#include <actio/method/stepper.hpp>
#include <actio/solve/constrained_newton.hpp>
#include <actio/solve/newton.hpp>
#include <actio/system/discrete_gradient_system.hpp>
#include <cmath>
#include <limits>
#include <optional>

// Energy and momentum kept by a discrete gradient (Gonzalez 1996; with constraints Gonzalez, Comput. Methods Appl. Mech. Eng. 174
// (1999) 165), unknown w = (q1 - q0)/h and, where g(t, q) = 0 is kept, eta:
//
//   M w - p0 = h/2 [-DV(q0, q1) + F(tm, qm, w)] + DG(q0, q1)' eta,   g(t1, q0 + h w) = 0,   p1 = 2 M w - p0
//
// V and g are taken at the middle tm of the step. E1 - E0 = w . (p1 - p0) + V(q1) - V(q0) = h w . F for any h, since DV . h w is
// the change of V and DG h w that of g. For xi = A q + b with M A skew, J1 - J0 = (p1 - p0) . xi(qm), which is 0 where DV and DG
// have no part along xi(qm). Order 2, symmetric, not symplectic. lambda = 2 eta/h.
//
// Positions are on the constraints, and w along them; v1 = 2 w - v0 is so to order 2 only: to project it would take energy away,
// (v . n)^2/2 a step, and is not done.
namespace actio::method {

template <system::DiscreteGradientSystem S>
class EnergyMomentumStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  static constexpr bool may_constrain = system::ConstrainedDiscreteGradientSystem<S>;
  template <bool>
  struct LinearAlgebra {
    struct None {};
    using Multipliers = None;
  };
  template <bool yes>
  requires yes struct LinearAlgebra<yes> {
    using Multipliers = typename S::KktSolver::Multipliers;
  };
  using Multipliers = typename LinearAlgebra<may_constrain>::Multipliers;

  static constexpr Capabilities capabilities{
      .factorisations = true, .work = true, .multipliers = may_constrain, .selects_momenta = true};

  // The last two w, and eta, start the next solve; part of the state, so that a run can be resumed.
  struct State : PhaseState<Vector> {
    Vector w, w_before;
    Multipliers eta;
    double h = 0, h_before = 0;
    void archive(core::Archive& a) {
      PhaseState<Vector>::archive(a);
      a(w, w_before, h, h_before);
      if constexpr (may_constrain) a(eta);
    }
  };

  explicit EnergyMomentumStepper(S system)
      : system_(std::move(system)),
        constrained_(system::is_constrained(system_)),
        linear_(system::is_linear(system_) && !constrained_),
        newton_(system_.space(), linear_),
        w_(system_.space().vector()),
        q_(w_),
        p_(w_),
        r_(w_),
        f_(w_),
        good_(w_) {
    if constexpr (may_constrain)
      if (constrained_) constraints_.emplace(system_);
  }

  // The part of a model that every method has: Legendre transforms and projections are compiled for that part.
  decltype(auto) system() {
    if constexpr (requires { typename S::Base; })
      return static_cast<typename S::Base&>(system_);
    else
      return static_cast<S&>(system_);
  }
  bool keeps_momentum(std::size_t symmetry) const {
    if constexpr (requires { system_.keeps_momentum(symmetry); }) return system_.keeps_momentum(symmetry);
    return true;
  }

  State start(double t, const Vector& q, const Vector& p) const {
    using algebra::like;
    State x{{t, q, p}, like(q), like(q), {}, 0, 0};
    if constexpr (may_constrain)
      if (constraints_) x.eta = like(constraints_->eta);
    return x;
  }

  StepReport step(State& x, double h) {
    system_.begin_step(x.t + h / 2, x.q);
    guess(x, h);
    solve::NewtonReport report;
    if constexpr (may_constrain) {
      report = constrained_ ? solve_constrained(x, h) : solve_free(x, h);
    } else {
      report = solve_free(x, h);
    }
    if (!report.converged) return {report.iterations, false, report.increment_squared};
    system_.momentum(w_, p_);
    x.q += h * w_;
    x.p = 2.0 * p_ - 1.0 * x.p;
    x.w_before = x.w;
    x.w = w_;
    if constexpr (may_constrain)
      if (constrained_) x.eta = constraints_->eta;
    x.h_before = x.h;
    x.h = h;
    x.t += h;
    return {report.iterations, true, report.increment_squared};
  }

  void phase(const State& x, Vector& q, Vector& p) const {
    q = x.q;
    p = x.p;
  }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) const { phase(x, q, p); }

  // |r| / (|p0| + |p1|), or, where stiff forces cancel, beside what a change of q0 by some eps |q0| makes of it.
  double residual(const State& before, const State& after, double h) {
    using algebra::dot;
    equations(before, h, before.q, after);
    good_ = 1.0 * r_;
    const double size = std::sqrt(dot(before.p, before.p)) + std::sqrt(dot(after.p, after.p));
    return detail::relative_residual(good_, size, before.q, f_, [&](const Vector& q) {
      equations(before, h, q, after);
      r_ -= 1.0 * good_;
      return std::sqrt(dot(r_, r_));
    });
  }

  void archive(core::Archive& a) {
    a(newton_);
    if constexpr (may_constrain)
      if (constraints_) a(constraints_->newton);
  }
  long factorisations() const {
    if constexpr (may_constrain)
      if (constraints_) return newton_.factorisations() + constraints_->newton.factorisations();
    return newton_.factorisations();
  }

  // h w . F, what friction takes of it, what g that depends on t adds, 2 eta . DG w, and what the solver left, 2 w . r.
  Work work(const State& before, const State& after, double h) {
    using algebra::dot;
    Work work;
    equations(before, h, before.q, after);
    work.residual = 2 * dot(r_, after.w);
    if constexpr (may_constrain) {
      if (constrained_ && system_.moving()) {
        S::KktSolver::multiply(constraints_->DG, after.w, constraints_->g);
        work.constraints = 2 * dot(after.eta, constraints_->g);
      }
    }
    if constexpr (system::Forced<S>) {
      if (system_.forced()) {
        q_ = 1.0 * before.q + (h / 2) * after.w;
        system_.external(before.t + h / 2, q_, after.w, f_);
        work.external = h * dot(f_, after.w);
        system_.applied(before.t + h / 2, q_, after.w, f_);
        work.dissipated = work.external - h * dot(f_, after.w);
      }
    }
    return work;
  }

  // lambda at a state from the steps before and after it: (2 eta- + 2 eta+) / (h- + h+); at the first state from the step after
  // it. From one step alone lambda has the error of v1 = 2 w - v0, which changes sign each step; the mean cancels it.
  bool multipliers(const State& x, double h, Multipliers& lambda) requires may_constrain {
    State ahead = x;
    if (!step(ahead, h).converged) return false;
    lambda = (2 / (x.h + h)) * x.eta + (2 / (x.h + h)) * ahead.eta;
    return true;
  }

 private:
  template <class T>
  struct ConstraintsOf {
    using KktSolver = typename T::KktSolver;
    explicit ConstraintsOf(T& system)
        : kkt(system.kkt_solver()), newton(system.space(), kkt), eta(kkt.multipliers()), g(eta), g_t(eta), DG(kkt.jacobian()) {}
    KktSolver kkt;
    solve::ConstrainedNewton<Space, KktSolver> newton;
    Multipliers eta, g, g_t;
    typename KktSolver::Jacobian DG;
  };
  struct NoConstraints {};
  template <bool yes, class T>
  struct Choose {
    using type = NoConstraints;
  };
  template <class T>
  struct Choose<true, T> {
    using type = ConstraintsOf<T>;
  };
  using Constraints = typename Choose<may_constrain, S>::type;

  // r_ = M w - p0 - h/2 (-DV + F) - DG' eta of a step that was made, from q0
  void equations(const State& before, double h, const Vector& q0, const State& after) {
    const double t = before.t + h / 2;
    system_.begin_step(t, q0);
    w_ = 1.0 * q0 + h * after.w;
    system_.discrete_force(w_, r_);
    add_forces(t, h, q0, after.w);
    q_ = 1.0 * r_;
    system_.momentum(after.w, r_);
    r_ -= 1.0 * before.p + (h / 2) * q_;
    if constexpr (may_constrain) {
      if (constrained_) {
        system_.discrete_jacobian(w_, constraints_->DG);
        S::KktSolver::add_transposed(-1, constraints_->DG, after.eta, r_);
      }
    }
  }
  // r_ += F at the middle
  void add_forces(double t, double h, const Vector& q0, const Vector& w) {
    if constexpr (system::Forced<S>) {
      if (!system_.forced()) return;
      q_ = 1.0 * q0 + (h / 2) * w;
      system_.applied(t, q_, w, p_);
      r_ += 1.0 * p_;
    }
  }

  // r = M w - p0 - h/2 (-DV + F) and K = dr/dw
  void equations(const State& x, double h, const Vector& w, Vector& r, Matrix& K) {
    q_ = 1.0 * x.q + h * w;
    system_.discrete_stiffness(q_, 1, h * h / 2, f_, K);
    if constexpr (system::Forced<S>) {
      if (system_.forced()) {
        q_ = 1.0 * x.q + (h / 2) * w;
        system_.applied_tangent(x.t + h / 2, q_, w, -h * h / 4, -h / 2, p_, K);
        f_ += 1.0 * p_;
      }
    }
    system_.momentum(w, r);
    r -= 1.0 * x.p + (h / 2) * f_;
  }
  void residual_of_free(const State& x, double h, const Vector& w, Vector& r) {
    q_ = 1.0 * x.q + h * w;
    system_.discrete_force(q_, f_);
    if constexpr (system::Forced<S>) {
      if (system_.forced()) {
        q_ = 1.0 * x.q + (h / 2) * w;
        system_.applied(x.t + h / 2, q_, w, p_);
        f_ += 1.0 * p_;
      }
    }
    system_.momentum(w, r);
    r -= 1.0 * x.p + (h / 2) * f_;
  }

  solve::NewtonReport solve_free(const State& x, double h) {
    if (linear_)
      return newton_.solve_linear(
          h, [&](const Vector& w, Vector& r) { residual_of_free(x, h, w, r); }, [&](Matrix& K) { equations(x, h, w_, r_, K); },
          w_);
    const solve::Equations equations_of{[&](const Vector& w, Vector& r, Matrix& K) { equations(x, h, w, r, K); },
                                        [&](const Vector& w, Vector& r) { residual_of_free(x, h, w, r); }};
    const auto floor = [&] { return roundoff_of(x, h); };
    const long made = newton_.factorisations();
    auto report = newton_.solve(equations_of, w_, floor);
    if (report.converged) {
      // Noise explains what increments by a kept factor are; much less is left after one by a factor of its own.
      if (!Space::static_size && report.increment_squared == 0 && newton_.factorisations() - made < report.iterations) {
        good_ = 1.0 * w_;
        ++report.iterations;
        if (!newton_.iterate(equations_of, w_, 1).converged) w_ = 1.0 * good_;
      }
      return report;
    }
    guess(x, h);
    const auto damped = newton_.solve_damped(equations_of, w_, roundoff_of(x, h));
    if (damped.converged || std::isfinite(damped.increment_squared)) return damped;
    w_ = 0.0 * x.q;  // at the guess there is no potential, at q1 = q0 there is
    return newton_.solve_damped(equations_of, w_, roundoff_of(x, h));
  }

  solve::NewtonReport solve_constrained(const State& x, double h) requires may_constrain {
    auto& c = *constraints_;
    const double t = x.t + h;
    const auto equations_of = [&](const Vector& w, const Multipliers& eta, Vector& r, Multipliers& g, Matrix& K,
                                  typename S::KktSolver::Jacobian& G1) {
      equations(x, h, w, r, K);
      q_ = 1.0 * x.q + h * w;
      system_.discrete_jacobian(q_, eta, -h, c.DG, K);
      S::KktSolver::add_transposed(-1, c.DG, eta, r);
      system_.constraint_tangent(t, q_, c.g, c.g_t, G1);
      g = (1 / h) * c.g;
    };
    q_ = 1.0 * x.q + h * w_;
    system_.discrete_force(q_, f_);       // whose round-off is the floor
    system_.discrete_jacobian(q_, c.DG);  // by which a factor of earlier steps is asked whether it serves
    c.eta = x.h != 0 ? (h / x.h) * x.eta : 1.0 * x.eta;
    return c.newton.solve(equations_of, c.DG, w_, c.eta, roundoff_of(x, h));
  }

  // An increment of w that rounding explains: of q0, and of V where hardly anything moves.
  double roundoff_of(const State& x, double h) {
    using algebra::dot;
    system_.discrete_roundoff(f_);
    system_.velocity(f_, p_);
    return 16 * std::numeric_limits<double>::epsilon() * std::sqrt(dot(x.q, x.q)) / std::abs(h) +
           std::abs(h) * std::sqrt(dot(p_, p_));
  }

  // w_: the last two, continued; else the direction of the momentum
  void guess(const State& x, double h) {
    if (x.h != 0)
      detail::continue_line(x, h, w_);
    else
      system_.velocity(x.p, w_);
  }

  S system_;
  bool constrained_, linear_;
  solve::Newton<Space> newton_;
  Vector w_, q_, p_, r_, f_, good_;
  std::optional<Constraints> constraints_;
};

// The system says what is equivariant.
template <system::DiscreteGradientSystem S, class Use>
auto with_stepper(const EnergyMomentum&, S system, Use&& use) {
  return use(EnergyMomentumStepper<S>(std::move(system)));
}

}  // namespace actio::method
