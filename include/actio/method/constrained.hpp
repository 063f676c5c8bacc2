#pragma once
#include <actio/discrete/acceleration.hpp>
#include <actio/discrete/projection.hpp>
#include <actio/discrete/quadrature.hpp>
#include <actio/method/catalogue/variational.hpp>
#include <actio/method/detail/extrapolation.hpp>
#include <actio/method/detail/relative_residual.hpp>
#include <actio/method/kick.hpp>
#include <actio/method/stepper.hpp>
#include <actio/solve/constrained_newton.hpp>
#include <actio/system/constrained.hpp>
#include <actio/system/constraint_groups.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

// The discrete Euler-Lagrange equations of any discrete Lagrangian with holonomic constraints g(t, q) = 0 (WM; TO 6), forced:
//
//   p0 = -D1 Ld(q0, q1) - Fd- - G(q0)' eta,   g(t1, q0 + h w) = 0,    unknown w = (q1 - q0)/h and eta
//   p1 = D2 Ld(q0, q1) + Fd+ + G(q1)' mu,     G(q1) v1 + g_t = 0      where momenta are projected; else mu = 0
//
// With mu, eta is the first half of a step's impulse h lambda and mu the second; without, eta is all of it. Positions are the
// same. RATTLE is Ld^{sym,0} projected, SHAKE the same without (Ryckaert, Ciccotti and Berendsen 1977; Andersen 1983), and what
// SHAKE reports as momentum is projected, so that velocities are tangent. Symplectic on the constraint manifold; keeps the
// momentum map of every affine symmetry that g has too; order and symmetry are those of Ld.
//
// Where Ld evaluates V and forces F(t, q) at the ends of the step alone, K = M and w is eliminated: Newton's method is for eta.
namespace actio::method {

// How far a state is from the constraints.
struct ConstraintResiduals {
  double g = 0, Gv = 0;  // |g(t, q)|, |G v + g_t|, norms of what the user wrote
  // The same as lengths, |g|^2 / |G' g|, which for one constraint is |g| / |G|: beside |q|, and beside |v| and what the last
  // impulses changed of it, |M^-1 G'(mu or eta)|.
  double position = 0, velocity = 0;
};

template <class Ld>
class ConstrainedStepper {
 public:
  using System = std::remove_cvref_t<decltype(std::declval<Ld&>().system())>;
  using Space = typename Ld::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using KktSolver = typename System::KktSolver;
  using Multipliers = typename KktSolver::Multipliers;
  using Jacobian = typename KktSolver::Jacobian;

  static constexpr Capabilities capabilities{.factorisations = true,
                                             .work = true,
                                             .multipliers = true,
                                             .explains_failure = true,
                                             .tangent_momenta = true,
                                             .two_halves = system::Separable<System>};
  static constexpr const char* failure =
      "Newton's method found no positions on the constraints: the step is too long, the constraints contradict one another, or "
      "their Jacobian has lost rank";

  // The last two w and eta start the next solve; part of the state, so that a run can be resumed.
  struct State : PhaseState<Vector> {
    Vector w, w_before, f;            // f: the force at (t, q), where only those at the ends count
    Multipliers eta, eta_before, mu;  // impulses of the step that led here: of its first part, before that, of its second
    double h = 0, h_before = 0;
    void archive(core::Archive& a) {
      PhaseState<Vector>::archive(a);
      a(w, w_before, f, eta, eta_before, mu, h, h_before);
    }
  };

  // project: momenta are, each step.
  ConstrainedStepper(Ld discrete, bool project)
      : Ld_(std::move(discrete)),
        project_(project),
        projection_(system()),
        kkt_(system().kkt_solver()),
        newton_(system().space(), kkt_),
        w_(system().space().vector()),
        q_(w_),
        p_(w_),
        r_(w_),
        f_(w_),
        dw_(w_),
        v_(w_),
        eta_(kkt_.multipliers()),
        g_(eta_),
        g_t_(eta_),
        deta_(eta_),
        rest_(eta_),
        G0_(kkt_.jacobian()),
        G1_(G0_),
        K_(system().space().matrix()) {
    if constexpr (system::Separable<System> && requires { Ld_.nodes(); }) {
      const auto& nodes = Ld_.nodes();
      at_ends_ = system().separable() && !needs_velocity() && !kkt_.regularised();
      for (int j = 0; j < nodes.count; ++j) {
        at_ends_ = at_ends_ && (nodes.c[j] == 0 || nodes.c[j] == 1);
        (nodes.c[j] == 0 ? at_start_ : at_end_) += nodes.b[j];
      }
      if constexpr (grouping)
        if (at_ends_) groups_ = system().constraint_groups();
    }
  }

  System& system() { return Ld_.system(); }
  long factorisations() const { return newton_.factorisations() + made_; }
  void archive(core::Archive& a) {
    a.part(kkt_)(projection_, newton_);
    bool legendre = legendre_.has_value();
    a(legendre);
    if (legendre && !legendre_) legendre_.emplace(system());
    if (legendre) a(*legendre_);
  }
  Ld& discrete_lagrangian() { return Ld_; }

  State start(double t, const Vector& q, const Vector& p) {
    using algebra::like;
    f_ = like(q);
    if constexpr (system::Separable<System>)
      if (at_ends_) kick(system(), t, q, w_, f_);
    return {{t, q, p}, like(q), like(q), f_, like(eta_), like(eta_), like(eta_), 0, 0};
  }

  [[gnu::always_inline]] StepReport step(State& x, double h) {
    if constexpr (system::Separable<System>)
      if (at_ends_) [[likely]]
        return step_at_ends(x, h);
    algebra::Scratch<Space, State> copy = x;
    const StepReport report = step_of_any(copy, h);
    algebra::take_back<Space>(x, copy);
    return report;
  }

  // A step of g-BAOAB (Leimkuhler and Matthews, Proc. R. Soc. A 472 (2016) 20160138): kicks h/2 around two drifts h/2 along the
  // constraints, `between` which the momenta change, and stay along them.
  StepReport step(State& x, double h, core::FunctionRef<bool()> between) requires system::Separable<System> {
    if (!at_ends_) return {.converged = false};
    kept_ = x;
    StepReport report;
    const auto drifts = [&] {
      const StepReport one = drift(x, h / 2);
      report.iterations += one.iterations;
      report.increment_squared = std::max(report.increment_squared, one.increment_squared);
      return one.converged;
    };
    x.p += (h / 2) * x.f;
    report.converged = drifts() && between() && drifts();
    if (report.converged) {
      kick(system(), x.t, x.q, r_, x.f);
      x.p += (h / 2) * x.f;
      report.converged = make_tangent(x, x.p);
    }
    if (!report.converged) x = kept_;
    return report;
  }
  // p += G' mu, so that velocities are along the constraints. False: G is not of full rank.
  bool make_tangent(const State& x, Vector& p) { return make_tangent(x, p, rest_); }

  void phase(const State& x, Vector& q, Vector& p) {
    q = x.q;
    p = x.p;
    if (!project_ && x.h != 0) make_tangent(x, p, eta_);
  }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) { phase(x, q, p); }

  // |p0 + D1 Ld + Fd- + G0' eta| / (|p0| + |p1|), as in variational.hpp, or |g| at the end as a length beside |q|.
  double residual(const State& before, const State& after, double h) {
    using algebra::dot;
    Ld_.momentum_before(before.t, h, before.q, after.w, r_);
    system().constraint_tangent(before.t, before.q, g_, g_t_, G0_);
    r_ -= 1.0 * before.p;
    w_ = 0.0 * before.q;
    KktSolver::add_transposed(1, G0_, after.eta, w_);
    r_ -= 1.0 * w_;
    const double size = std::sqrt(dot(before.p, before.p)) + std::sqrt(dot(after.p, after.p)) + std::sqrt(dot(w_, w_));
    const double of_momentum = detail::relative_residual(r_, size, before.q, p_, [&](const Vector& q) {
      Ld_.momentum_before(before.t, h, q, after.w, w_);
      system().constraint_tangent(before.t, q, g_, g_t_, G0_);
      KktSolver::add_transposed(-1, G0_, after.eta, w_);
      w_ -= 1.0 * before.p + 1.0 * r_;
      return std::sqrt(dot(w_, w_));
    });
    const double of_position = constraint_residuals(after).position;
    return of_momentum > of_position ? of_momentum : of_position;
  }

  ConstraintResiduals constraint_residuals(const State& x) {
    using algebra::dot;
    ConstraintResiduals residuals;
    system().constraint_tangent(x.t, x.q, g_, g_t_, G1_);
    residuals.g = std::sqrt(dot(g_, g_));
    residuals.position = relative(length(g_), std::sqrt(dot(x.q, x.q)));
    phase(x, q_, p_);
    if (!legendre_) legendre_.emplace(system());
    v_ = 1.0 * x.w;
    legendre_->velocity(x.t, x.q, p_, v_);
    KktSolver::multiply(G1_, v_, g_);
    g_ += 1.0 * g_t_;
    residuals.Gv = std::sqrt(dot(g_, g_));
    double size = std::sqrt(dot(v_, v_));
    const double off = length(g_);
    if constexpr (system::Separable<System>) {
      if (system().separable()) {
        r_ = 0.0 * x.q;
        KktSolver::add_transposed(1, G1_, project_ ? x.mu : x.eta, r_);
        system().velocity(r_, w_);
        size += std::sqrt(dot(w_, w_));
      }
    }
    residuals.velocity = relative(off, size);
    return residuals;
  }

  // lambda of the discrete equations at the state, D2 Ld(q-, q) + D1 Ld(q, q+) + h G' lambda = 0 with a step of h ahead, (mu +
  // eta)/h. At the first state, where there is no step behind, that of the half step ahead, 2 eta/h. False: that step fails.
  bool multipliers(const State& x, double h, Multipliers& lambda) {
    State ahead = x;
    if (!step(ahead, h).converged) return false;
    lambda = (2 / (x.h + h)) * x.mu + (2 / (x.h + h)) * ahead.eta;
    return true;
  }

  // With `constraints`, what g that depends on t adds to the energy, -(eta . g_t(q0) + mu . g_t(q1)).
  Work work(const State& before, const State& after, double h) {
    using algebra::dot;
    Work work;
    if constexpr (requires { Ld_.work(h, h, before.q, before.p, after.w); })
      work = Ld_.work(before.t, h, before.q, before.p, after.w);
    system().constraint_tangent(before.t, before.q, g_, g_t_, G0_);
    KktSolver::multiply(G0_, after.w, deta_);
    if constexpr (requires { Ld_.work(h, h, before.q, before.p, after.w); }) work.residual -= dot(after.eta, deta_);
    work.constraints = -dot(after.eta, g_t_);
    if (!project_ && before.h != 0) {  // momenta are reported as if eta had been parted
      p_ = before.p;
      make_tangent(before, p_, eta_);
      system().constraint_tangent(before.t, before.q, g_, g_t_, G0_);
      work.constraints += dot(eta_, g_t_);
    }
    if (system().moving()) {
      p_ = after.p;
      eta_ = after.mu;
      if (!project_) make_tangent(after, p_, eta_);
      system().constraint_tangent(after.t, after.q, g_, g_t_, G1_);
      work.constraints -= dot(eta_, g_t_);
    }
    return work;
  }

 private:
  // What solves within a step at ends: where that is small a copy of the KKT solver's part that eliminates.
  template <class S>
  struct StepKktOf {
    using type = S&;
  };
  template <class S>
  requires requires { typename S::Eliminated; }
  struct StepKktOf<S> {
    using type = typename S::Eliminated;
  };
  using StepKkt = typename StepKktOf<KktSolver>::type;
  static constexpr bool eliminating = requires(KktSolver & s, const Jacobian& G, const Multipliers& g, Multipliers& y) {
    s.factor_eliminated(G);
    s.solve_eliminated(g, y);
  };

  static constexpr bool grouping = requires(System & s) { s.constraint_groups(); };
  struct NoGroups {};
  using Groups = std::conditional_t<grouping, std::optional<system::ConstraintGroups>, NoGroups>;
  [[gnu::always_inline]] bool in_groups() const {
    if constexpr (grouping) return groups_.has_value();
    return false;
  }

  void drift_in_groups(const State& x, double h, const Multipliers& eta) {
    if constexpr (grouping) {
      groups_->start(x.q);
      groups_->drift(h, x.p, h * at_start_, x.f, eta);
    }
  }
  bool correct_in_groups(double h, double& d, double& size) {
    if constexpr (grouping) {
      ++made_;
      if (groups_->correct(h, d, size)) return true;
      d = -1;
    }
    return false;
  }

  bool needs_velocity() {
    if constexpr (system::Forced<System>) return system().forced() && system().force_needs_velocity();
    return false;
  }

  // One gradient a step:  p = p0 + h b0 f(q0) + G0' eta,  w = M^-1 p,  g(t1, q0 + h w) = 0,  p1 = p + h b1 f(q1) + G1' mu
  [[gnu::always_inline]] StepReport step_at_ends(State& x, double h) requires system::Separable<System> {
    using algebra::dot;
    algebra::Scratch<Space, Vector> w = w_, q = q_, p = p_, dw = dw_;
    algebra::Scratch<Space, Multipliers> eta = eta_, g = g_, g_t = g_t_, deta = deta_;
    algebra::Scratch<Space, Jacobian> G0 = G0_, G1 = G1_;
    StepKkt kkt = kkt_;
    const double t = x.t + h;
    detail::continue_impulse(x, h, eta);
    const auto drift = [&]() __attribute__((always_inline)) {
      system().velocity(p, w);
      q = 1.0 * x.q + h * w;
    };
    const auto kick_and_drift = [&]() __attribute__((always_inline)) {
      p = (h * at_start_) * x.f;  // p0, the last to be known, is added last
      KktSolver::add_transposed(1, G0, eta, p);
      p += 1.0 * x.p;
      drift();
    };
    // w of impulses that make g(q) = 0 linearised; |dw|^2, and |w|^2
    const double per_step = 1 / h;
    const auto correct = [&](double& d, double& size) __attribute__((always_inline)) {
      if (in_groups()) return correct_in_groups(h, d, size);
      system().constraint_tangent(t, q, g, g_t, G1);
      deta = per_step * g;
      if (!solve(kkt, G1, G0, deta)) [[unlikely]]
        return false;
      dw = w;
      eta -= 1.0 * deta;
      KktSolver::add_transposed(-1, G0, deta, p);
      drift();
      dw -= 1.0 * w;
      d = dot(dw, dw);
      size = dot(w, w);
      return true;
    };
    if (in_groups()) {
      drift_in_groups(x, h, eta);
    } else {
      system().constraint_tangent(x.t, x.q, g, g_t, G0);
      prepare(kkt, x, G0);
      kick_and_drift();
    }
    StepReport report;
    double last = 0, before = 0;
    bool whole = !in_groups();  // p, w and q are those of all coordinates
    for (int k = 1;; ++k) {
      report.iterations = k;
      double d = -1, size = 0;
      if (k <= most_iterations && correct(d, size)) [[likely]] {
        if (solve::Stop::settled(d, last, size)) [[likely]] {
          report.increment_squared = size > 0 && last > 0 ? d / last * (d / last) * (d / size) : 0;
          break;
        }
        if (d == 0 || (k > 2 && (d > 0.0625 * last || d * before > 0.25 * last * last) &&
                       (d <= round_off * size || d <= squared_roundoff(x, h))))
          break;
      }
      // of rounding one increment may be any multiple of another
      if (!(d >= 0 && (last == 0 || d < 1e4 * last || d <= squared_roundoff(x, h)))) [[unlikely]] {
        auto&& any = algebra::detached<Space>(*this);  // its answer is in it
        report = any.solve_any(algebra::detached<Space>(x), h);
        if (!report.converged) return report;
        eta = any.eta_;
        kick_and_drift();
        whole = true;
        break;
      }
      before = last;
      last = d;
    }
    if constexpr (grouping)
      if (!whole) {
        p = (h * at_start_) * x.f + 1.0 * x.p;
        groups_->finish(p, eta);
        drift();
      }
    algebra::Scratch<Space, Vector> f = f_;
    kick(system(), t, q, r_, f);
    p += (h * at_end_) * f;
    if (project_) {
      const auto project = [&]() __attribute__((always_inline)) {
        if constexpr (grouping)
          if (groups_) return ++made_, groups_->project(q, p, deta);
        system().constraint_tangent(t, q, g, g_t, G1);
        system().velocity(p, dw);
        KktSolver::multiply(G1, dw, g);
        deta = -1.0 * g;
        if (system().moving()) deta -= 1.0 * g_t;
        prepare(kkt, x, G1);
        if (!solve(kkt, G1, G1, deta)) [[unlikely]]
          return false;
        KktSolver::add_transposed(1, G1, deta, p);
        return true;
      };
      if (!project()) [[unlikely]] {
        Vector p_any = p;
        Multipliers mu_any = deta;
        if (!algebra::detached<Space>(*this).project_any(t, algebra::detached<Space>(q), p_any, mu_any))
          return {report.iterations, false, 1};
        p = p_any;
        deta = mu_any;
      }
      x.mu = deta;
    }
    x.p = p;
    x.f = f;
    advance(x, h, q, w, eta);
    return report;
  }

  // What solve() takes once a step: A = M^-1 G0', or M itself, which is constant.
  [[gnu::always_inline]] void prepare(StepKkt& kkt, const State& x, const Jacobian& G0) {
    if constexpr (eliminating) {
      kkt.eliminate(
          [this](const Vector& row, Vector& column) __attribute__((always_inline)) { system().velocity(row, column); }, G0);
    } else if (!mass_known_) {
      Space::clear(K_);
      system().tangent(x.t, x.q, x.w, {.vv = 1}, r_, f_, K_);
      if constexpr (requires { kkt.compress(K_); }) kkt.compress(K_);
      mass_known_ = true;
    }
  }
  // eta in place of g: G1 M^-1 G0' eta = g. False: that is singular, or too close to it for the quick way.
  [[gnu::always_inline]] bool solve(StepKkt& kkt, const Jacobian& G1, const Jacobian& G0, Multipliers& eta) {
    algebra::Scratch<Space, Multipliers> g = rest_;
    g = 1.0 * eta;
    if constexpr (eliminating) {
      if (!kkt.factor_eliminated(G1)) [[unlikely]]
        return false;
      kkt.solve_eliminated(g, eta);
    } else {
      const bool ok = kkt.factor(K_, G1, G0);
      if constexpr (!Space::static_size) made_ += solve::factored(kkt);
      if (!ok) return false;
      r_ = 0.0 * r_;
      kkt.solve(r_, g, v_, eta);
    }
    return true;
  }

  // p += G' mu with tangent velocities, where the quick way refuses
  [[gnu::noinline, gnu::cold]] bool project_any(double t, const Vector& q, Vector& p, Multipliers& mu) {
    system().constraint_tangent(t, q, g_, g_t_, G1_);
    v_ = 0.0 * q;
    return projection_.momentum(system(), t, q, g_t_, G1_, p, v_, mu);
  }

  [[gnu::noinline]] StepReport step_of_any(State& x, double h) {
    const StepReport report = solve_any(x, h);
    if (!report.converged) return report;
    Ld_.momentum_after(x.t, h, x.q, w_, p_);
    f_ = 1.0 * x.q + h * w_;
    if (project_) {
      system().constraint_tangent(x.t + h, f_, g_, g_t_, G1_);
      v_ = 1.0 * w_;
      if (!projection_.momentum(system(), x.t + h, f_, g_t_, G1_, p_, v_, rest_)) return {report.iterations, false, 1};
      if (kkt_.regularised()) newton_.least_norm(G1_, rest_);
      x.mu = rest_;
    }
    x.p = p_;
    advance(x, h, f_, w_, eta_);
    return report;
  }

  [[gnu::always_inline]] static void advance(State& x, double h, const Vector& q, const Vector& w, const Multipliers& eta) {
    x.q = q;
    x.w_before = x.w;
    x.w = w;
    x.eta_before = x.eta;
    x.eta = eta;
    x.h_before = x.h;
    x.h = h;
    x.t += h;
  }

  // w_ and eta_ of the step, by Newton's method for both.
  [[gnu::noinline]] StepReport solve_any(const State& x, double h) {
    system().constraint_tangent(x.t, x.q, g_, g_t_, G0_);
    guess_w(x, h);
    detail::continue_impulse(x, h, eta_);
    const auto constrain = [&](const Vector& w, const Multipliers& eta, Vector& r, Multipliers& g, Jacobian& G1) {
      KktSolver::add_transposed(-1, G0_, eta, r);
      q_ = 1.0 * x.q + h * w;
      system().constraint_tangent(x.t + h, q_, deta_, g_t_, G1);
      g = (1 / h) * deta_;
    };
    const solve::Equations equations{
        [&](const Vector& w, const Multipliers& eta, Vector& r, Multipliers& g, Matrix& K, Jacobian& G1) {
          Ld_.equations(x.t, h, x.q, x.p, w, r, K);
          constrain(w, eta, r, g, G1);
        },
        [&](const Vector& w, const Multipliers& eta, Vector& r, Multipliers& g, Jacobian& G1) {
          Ld_.momentum_before(x.t, h, x.q, w, r);
          r -= 1.0 * x.p;
          constrain(w, eta, r, g, G1);
        }};
    const auto report = newton_.solve(equations, G0_, w_, eta_, std::sqrt(squared_roundoff(x, h)));
    return {report.iterations, report.converged, report.increment_squared};
  }

  void guess_w(const State& x, double h) {
    if (x.h != 0) return detail::continue_line(x, h, w_);
    w_ = 1.0 * x.w;
    if constexpr (system::Separable<System>)
      if (system().separable()) system().velocity(x.p, w_);
  }
  static double squared_roundoff(const State& x, double h) {
    constexpr double eps = 16 * std::numeric_limits<double>::epsilon();
    using algebra::dot;
    return eps * eps * dot(x.q, x.q) / (h * h);
  }

  // p becomes tangent by p += G' mu; w_ its velocity, g_t_ and G1_ those of the state
  bool make_tangent(const State& x, Vector& p, Multipliers& mu) {
    system().constraint_tangent(x.t, x.q, g_, g_t_, G1_);
    w_ = 1.0 * x.w;
    r_ = 1.0 * p;
    if (!projection_.momentum(system(), x.t, x.q, g_t_, G1_, r_, w_, mu)) return false;
    p = r_;
    return true;
  }
  // q1 = q0 + h M^-1 (p + G0' eta) with g(q1) = 0, and p along the constraints there: RATTLE without a potential.
  [[gnu::noinline]] StepReport drift(State& x, double h) requires system::Separable<System> {
    using algebra::dot;
    StepKkt kkt = kkt_;
    system().constraint_tangent(x.t, x.q, g_, g_t_, G0_);
    prepare(kkt, x, G0_);
    p_ = x.p;
    system().velocity(p_, w_);
    StepReport report;
    double last = 0;
    for (;;) {
      q_ = 1.0 * x.q + h * w_;
      if (++report.iterations > most_iterations) return {report.iterations, false, 1};
      system().constraint_tangent(x.t + h, q_, g_, g_t_, G1_);
      deta_ = (1 / h) * g_;
      if (!solve(kkt, G1_, G0_, deta_)) return {report.iterations, false, 1};
      KktSolver::add_transposed(-1, G0_, deta_, p_);
      dw_ = 1.0 * w_;
      system().velocity(p_, w_);
      dw_ -= 1.0 * w_;
      const double d = dot(dw_, dw_), size = dot(w_, w_);
      if (!std::isfinite(d) || (last > 0 && d > 1e4 * last && d > squared_roundoff(x, h))) return {report.iterations, false, 1};
      const bool settled = solve::Stop::settled(d, last, size);
      if (settled || d == 0 ||
          (report.iterations > 2 && d > 0.0625 * last && (d <= round_off * size || d <= squared_roundoff(x, h)))) {
        report.increment_squared = settled && size > 0 && last > 0 ? d / last * (d / last) * (d / size) : 0;
        break;
      }
      last = d;
    }
    x.q += h * w_;
    x.p = p_;
    x.t += h;
    if (!make_tangent(x, x.p)) return {report.iterations, false, 1};
    return report;
  }
  double length(const Multipliers& g) {  // |g|^2 / |G1' g|
    using algebra::dot;
    r_ = 0.0 * r_;
    KktSolver::add_transposed(1, G1_, g, r_);
    const double along = dot(r_, r_), size = dot(g, g);
    return size > 0 ? size / std::sqrt(along) : 0;
  }
  static double relative(double x, double size) { return size > 0 ? x / size : x; }

  static constexpr double round_off = solve::Stop::round_off;
  static constexpr int most_iterations = solve::Stop::most_new;
  Ld Ld_;
  bool project_, at_ends_ = false, mass_known_ = false;
  double at_start_ = 0, at_end_ = 0;  // weights b0, b1 of V and F at the ends
  discrete::Projection<System> projection_;
  KktSolver kkt_;
  solve::ConstrainedNewton<Space, KktSolver> newton_;
  long made_ = 0;  // factorisations outside it
  Groups groups_{};
  Vector w_, q_, p_, r_, f_, dw_, v_;
  Multipliers eta_, g_, g_t_, deta_, rest_;
  Jacobian G0_, G1_;
  Matrix K_;
  State kept_{};
  std::optional<discrete::Acceleration<System>> legendre_;
};

// SHAKE's momenta are not projected.
template <system::Constrained S, class Use>
auto with_constrained_stepper(const Shake& method, S system, Use&& use) {
  using Ld = discrete::Quadrature<S>;
  return use(ConstrainedStepper<Ld>(Ld(std::move(system), method.nodes()), false));
}
template <class M, system::Constrained S, class Use>
auto with_constrained_stepper(const M& method, S system, Use&& use) {
  using Ld = discrete::Quadrature<S>;
  return use(ConstrainedStepper<Ld>(Ld(std::move(system), method.nodes()), true));
}

}  // namespace actio::method
