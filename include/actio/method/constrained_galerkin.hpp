#pragma once
#include <actio/discrete/acceleration.hpp>
#include <actio/discrete/projection.hpp>
#include <actio/method/catalogue/galerkin.hpp>
#include <actio/method/galerkin_iterations.hpp>
#include <actio/solve/anderson.hpp>
#include <actio/system/constrained.hpp>
#include <algorithm>
#include <utility>
#include <vector>

// lobatto(m) with holonomic constraints g(t, q) = 0 at its nodes, forced. With f_k = (L_q + F)(Q_k, V_k) and an impulse eta_k =
// h b_k lambda_k at each node (discrete/galerkin.hpp has the rest):
//
//   R_j = sum_k E_jk L_v(k) - p0 - h sum_k Abar_jk f_k - sum_{k<m} C_jk G(Q_k)' eta_k = 0,   C_jk = Abar_jk/b_k   (j = 1 .. m)
//   g(t_k, Q_k) = 0   (k = 1 .. m),   q1 = Q_m
//   p1 = p0 + h sum_k b_k f_k + sum_{k<m} G(Q_k)' eta_k + G(q1)' mu,   G(q1) v1 + g_t = 0
//
// C_jm = 0: the force at the end of a step has no part in its path, and mu is known once that is. These are the conditions for a
// stationary sum of h sum_k b_k (L + lambda_k . g): symplectic on the constraints, symmetric, keeps the momentum map of every
// affine symmetry that g has too, of order 2m (the Lobatto IIIA-IIIB pair where L = 1/2 v'Mv - V). lobatto(1) is RATTLE.
//   L. Jay, Symplectic partitioned Runge-Kutta methods for constrained Hamiltonian systems, SIAM J. Numer. Anal. 33 (1996) 368;
//   J. E. Marsden, M. West, Acta Numerica 10 (2001) 357, 3.5; E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration,
//   VII.1.4.
//
// All stages by one KKT matrix of K = L_vv and G in the middle of the step, since there G would be the same at all nodes:
//
//   [K -G'] [ dW_j ]   [ R_j                              ]
//   [G   .] [ y_j  ] = [ 1/h sum_k (A^-1)_jk g(t_k, Q_k)  ],   W_j -= dW_j,   eta_k -= sum_j (C^-1)_kj y_j
//
// This is repeated; G turns by O(h) within a step, so each time the error shrinks by O(h), and by more where it is accelerated
// (solve/anderson.hpp).
namespace actio::method {

template <system::Constrained S>
class ConstrainedGalerkinStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using KktSolver = typename S::KktSolver;
  using Multipliers = typename KktSolver::Multipliers;
  using Jacobian = typename KktSolver::Jacobian;

  static constexpr Capabilities capabilities{
      .factorisations = true, .work = true, .multipliers = true, .explains_failure = true, .tangent_momenta = true, .path = true};
  static constexpr const char* failure =
      "the iteration found no path of the step on the constraints: the step is too long, the constraints contradict one another, "
      "or their Jacobian has lost rank";

  struct State : GalerkinState<Vector> {
    std::vector<Multipliers> eta;  // impulses of the last step, at its nodes but the last (m)
    Multipliers mu;                // at its end
    void archive(core::Archive& a) {
      GalerkinState<Vector>::archive(a);
      GalerkinState<Vector>::archive_list(a, eta);
      a(mu);
    }
  };

  ConstrainedGalerkinStepper(S system, discrete::Galerkin rule)
      : stages_(std::move(system), std::move(rule)),
        projection_(stages_.system),
        kkt_(stages_.system.kkt_solver()),
        solver_(stages_.system.space()),
        r_(stages_.q),
        dw_(r_),
        f0_(r_),
        K_(stages_.system.space().matrix()),
        g_t_(kkt_.multipliers()),
        y_(g_t_),
        right_(g_t_),
        mu_(g_t_),
        eta_(static_cast<std::size_t>(degree()), g_t_),
        g_(eta_),
        ys_(eta_),
        detas_(eta_),
        dws_(stages_.w),
        anderson_(dws_, detas_),
        G_(kkt_.jacobian()),
        G0_(G_) {}

  S& system() { return stages_.system; }
  const discrete::Galerkin& rule() const { return stages_.rule; }
  long factorisations() const { return made_; }
  void archive(core::Archive& a) { a.part(kkt_).part(projection_).part(solver_)(made_); }

  State start(double t, const Vector& q, const Vector& p) const {
    using algebra::like;
    std::vector<Multipliers> none(eta_.size(), like(g_t_));
    return {{{t, q, p}, stages_.w, like(q), 0}, std::move(none), like(g_t_)};
  }

  StepReport step(State& x, double h) {
    if (!begin(x, h)) return {0, false, 1};
    bool again = false;
    const StepReport report =
        iterate(stages_.w, 1, rounding_floor(x.q, h, degree()), [&] { return increments(x, h, std::exchange(again, true)); });
    if (!report.converged) return report;
    evaluate(x.t, h, x.q, true);
    Vector &p = stages_.x, &w = stages_.y;
    stages_.rates(p, w);
    p *= h;
    p += 1.0 * x.p;
    r_ = x.q + h * w;
    dw_ = 1.0 * w;
    system().constraint_tangent(x.t + h, r_, y_, g_t_, G_);
    stages_.q = p;
    if (!projection_.momentum(system(), x.t + h, r_, g_t_, G_, stages_.q, dw_, mu_)) return {report.iterations, false, 1};
    x.p = stages_.q;
    x.q = r_;
    stages_.mean_velocity(stages_.w, x.w);
    for (int j = 0; j < degree(); ++j) {
      x.stages[j] = stages_.w[j];
      x.eta[j] = eta_[j];
    }
    x.mu = mu_;
    x.h = h;
    x.t += h;
    return report;
  }

  void phase(const State& x, Vector& q, Vector& p) const {
    q = x.q;
    p = x.p;
  }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) const { phase(x, q, p); }
  // p += G' mu, so that velocities are along the constraints. False: G is not of full rank.
  bool make_tangent(const State& x, Vector& p) {
    system().constraint_tangent(x.t, x.q, y_, g_t_, G_);
    dw_ = 1.0 * x.w;
    r_ = 1.0 * p;
    if (!projection_.momentum(system(), x.t, x.q, g_t_, G_, r_, dw_, mu_)) return false;
    p = r_;
    return true;
  }

  // |R_j| / (|p0| + |p1| + the impulses), or relative to what cancels in it; or |g| at a node as a length beside |q|.
  double residual(const State& before, const State& after, double h) {
    using algebra::dot;
    double size = std::sqrt(dot(before.p, before.p)) + std::sqrt(dot(after.p, after.p));
    eta_ = after.eta;
    stages_.w = after.stages;
    double off = 0;
    for (int k = 0; k <= degree(); ++k) {
      stages_.at_node(k, h, before.q);
      system().constraint_tangent(before.t + rule().nodes[k] * h, stages_.q, y_, g_t_, G_);
      if (k < degree()) size += impulse(eta_[k]);
      const double g = dot(y_, y_), along = impulse(y_);
      if (g > 0) off = std::max(off, g / along);
    }
    const double length = std::sqrt(dot(before.q, before.q));
    const double of_momentum = stages_.largest_residual(
        before.q, size, [&](const Vector& q0) { evaluate(before.t, h, q0); },
        [&](int j, Vector& r) { residual_of(j, h, before.p, r); });
    return std::max(of_momentum, length > 0 ? off / length : off);
  }

  // lambda of the discrete equations that join the step before the state to one of h ahead, (mu + eta_0)/(b_0 (h- + h)). At the
  // first state, where there is no step behind, that of the step ahead. False: that step fails.
  bool multipliers(const State& x, double h, Multipliers& lambda) {
    State ahead = x;
    if (!step(ahead, h).converged) return false;
    const double per = 1 / (rule().weights[0] * (x.h + h));
    lambda = per * x.mu + per * ahead.eta[0];
    return true;
  }

  // Of forces; and what constraints that depend on t add to the energy, -sum_k eta_k . g_t(k) - mu . g_t(q1).
  Work work(const State& before, const State& after, double h) {
    using algebra::dot;
    Work work = stages_.work(before, after, h);
    if (!system().moving()) return work;
    for (int k = 0; k <= degree(); ++k) {
      stages_.at_node(k, h, before.q);
      system().constraint_tangent(before.t + rule().nodes[k] * h, stages_.q, y_, g_t_, G_);
      work.constraints -= dot(k < degree() ? after.eta[k] : after.mu, g_t_);
    }
    return work;
  }

  const std::vector<Vector>* path(const State& x) const { return x.h != 0 ? &x.stages : nullptr; }
  const std::vector<double>& path_nodes() const { return rule().path_nodes; }

 private:
  int degree() const { return stages_.rule.degree; }
  double impulse(const Multipliers& eta) {  // |G' eta|
    using algebra::dot;
    r_ = 0.0 * r_;
    KktSolver::add_transposed(1, G_, eta, r_);
    return std::sqrt(dot(r_, r_));
  }

  // w, eta_ and the matrix of a step that begins at x. False: that is singular.
  bool begin(const State& x, double h) {
    using algebra::like;
    if (!stages_.predict(x, h, false) && !stages_.first_velocity(
                                             x, K_, [&](const Matrix& K) { return solver_.factor_pivoted(K); },
                                             [&](const Vector& b, Vector& out) { solver_.solve_pivoted(b, out); }))
      return false;
    for (int k = 0; k < degree(); ++k) guess(x, h, k);
    stages_.at_middle(h, x.q);
    if (!mass_known_) {
      Space::clear(K_);
      system().tangent(x.t + h / 2, stages_.q, stages_.v, {.vv = 1}, stages_.x, stages_.y, K_);
      mass_known_ = stages_.separable();
      if constexpr (requires { kkt_.compress(K_); })
        if (mass_known_) kkt_.compress(K_);
    }
    system().constraint_tangent(x.t + h / 2, stages_.q, y_, g_t_, G_);
    ++made_;
    return kkt_.factor(K_, G_, G_);
  }
  // eta_k by the polynomial of the last step's multipliers, gone on with
  void guess(const State& x, double h, int k) {
    eta_[k] = 0.0 * eta_[k];
    if (x.h == 0) return;
    const double ratio = h / x.h;
    const bool last = std::abs(ratio) > Stages::most_extrapolated;
    for (int l = 0; l <= degree(); ++l) {
      const double basis = last ? (l == degree() ? 1 : 0) : rule().node_basis(l, 1 + rule().nodes[k] * ratio);
      const double weight = basis * ratio * rule().weights[k] / rule().weights[l];
      eta_[k] += weight * (l < degree() ? x.eta[l] : x.mu);
    }
  }

  // f of the stages with the forces of constraints, and p where L is not 1/2 v'Mv - V; g at the nodes but the first. `again`: of
  // the same q0, where what is there is known.
  void evaluate(double t0, double h, const Vector& q0, bool again = false) {
    for (int k = 0; k <= degree(); ++k) {
      const double t = t0 + rule().nodes[k] * h;
      stages_.at_node(k, h, q0);
      const bool known = again && k == 0;
      if (known && stages_.starts_with_known_force()) {
        stages_.f[0] = f0_;
      } else {
        stages_.forces(t, k, false);
        if (k == 0) f0_ = stages_.f[0];
      }
      if (!known) system().constraint_tangent(t, stages_.q, k > 0 ? g_[k - 1] : y_, g_t_, k > 0 ? G_ : G0_);
      if (k < degree()) KktSolver::add_transposed(1 / (h * rule().weights[k]), k > 0 ? G_ : G0_, eta_[k], stages_.f[k]);
    }
  }
  // R_j, of f and p; where L = 1/2 v'Mv - V the sum of E_jk L_v(k) is M W_j
  void residual_of(int j, double h, const Vector& p0, Vector& r) {
    if constexpr (system::Separable<S>)
      if (stages_.separable()) {
        system().momentum(stages_.w[j], r);
        r -= 1.0 * p0;
        for (int k = 0; k < degree(); ++k) r -= (h * rule().Abar[j][k]) * stages_.f[k];
        return;
      }
    stages_.residual_of(j, h, p0, r);
  }

  double increments(const State& x, double h, bool again) {
    using algebra::dot;
    evaluate(x.t, h, x.q, again);
    double sum = 0;
    for (int j = 0; j < degree(); ++j) {
      residual_of(j, h, x.p, r_);
      right_ = (rule().node_inverse[j][0] / h) * g_[0];
      for (int k = 1; k < degree(); ++k) right_ += (rule().node_inverse[j][k] / h) * g_[k];
      kkt_.solve(r_, right_, dw_, ys_[j]);
      dws_[j] = -1.0 * dw_;
      sum += dot(dw_, dw_);
    }
    for (int k = 0; k < degree(); ++k) {
      detas_[k] = (-rule().force_inverse[k][0]) * ys_[0];
      for (int j = 1; j < degree(); ++j) detas_[k] -= rule().force_inverse[k][j] * ys_[j];
    }
    if (!again) {
      weight_ = weight_of_impulses();
      anderson_.begin();
    }
    double size = 0;
    for (const Vector& w : stages_.w) size += dot(w, w);
    const double floor = 16 * rounding_floor(x.q, h, degree());
    if (sum > last_digits * last_digits * size && sum > floor * floor) {
      anderson_.advance(stages_.w, eta_, dws_, detas_, weight_);
    } else {  // differences are of rounding
      for (int j = 0; j < degree(); ++j) {
        stages_.w[j] += 1.0 * dws_[j];
        eta_[j] += 1.0 * detas_[j];
      }
    }
    return sum;
  }
  // |K^-1 G' eta|^2 / |eta|^2, roughly: impulses beside velocities
  double weight_of_impulses() {
    using algebra::dot;
    y_ = 1.0 * detas_[0];
    for (int k = 1; k < degree(); ++k) y_ += 1.0 * detas_[k];
    const double size = dot(y_, y_), along = impulse(y_);
    Space::multiply(K_, r_, dw_);
    const double weight = std::pow(along, 4) / (size * dot(dw_, dw_));
    return std::isfinite(weight) ? weight : 0;
  }

  using Stages = GalerkinStages<S>;
  Stages stages_;
  discrete::Projection<S> projection_;
  KktSolver kkt_;
  solve::Factor<Space> solver_;  // of L_vv at a start
  Vector r_, dw_, f0_;
  Matrix K_;
  Multipliers g_t_, y_, right_, mu_;
  std::vector<Multipliers> eta_, g_, ys_, detas_;
  std::vector<Vector> dws_;
  solve::Anderson<Vector, Multipliers> anderson_;
  double weight_ = 0;
  Jacobian G_, G0_;
  static constexpr double amplification = 16;   // of rounding, by A^-1 and C^-1
  static constexpr double last_digits = 1e-13;  // of w
  bool mass_known_ = false;                     // K_ = M, which is constant
  long made_ = 0;
};

template <system::Constrained S, class Use>
auto with_constrained_stepper(const Lobatto& method, S system, Use&& use) {
  return use(ConstrainedGalerkinStepper<S>(std::move(system), discrete::Galerkin::lobatto(method.degree)));
}

}  // namespace actio::method
