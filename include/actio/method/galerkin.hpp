#pragma once
#include <actio/discrete/galerkin.hpp>
#include <actio/method/catalogue/galerkin.hpp>
#include <actio/method/detail/relative_residual.hpp>
#include <actio/method/stepper.hpp>
#include <actio/solve/factorisations.hpp>
#include <cmath>
#include <limits>
#include <vector>

// Galerkin variational methods (discrete/galerkin.hpp) in position-momentum form:
//
//   R_j = sum_k E_jk L_v(Q_k, V_k) - p0 - h sum_k Abar_jk (L_q + F)(Q_k, V_k) = 0,   Q_k = q0 + h sum_j A_kj W_j
//
// Symplectic, keeps the momentum map of every affine symmetry (Marsden and West 2001, theorem 1.3.3). Where L = 1/2 v'Mv - V the
// W_j are found by W = M^-1 (p0 + h Abar f) again and again. Where that does not converge, and for other L, by the blended
// iteration of gauss: with K = L_vv + h gamma (L_vq - L_qv) - (h gamma)^2 L_qq in the middle of the step, one matrix whatever the
// number of stages, and Z_j for sum_i A_ji W_i,
//
//   eta = -(residuals of Z and W),   theta(x, y) = (gamma z, z - x/gamma) with K z = y + L_vv x/gamma,
//   (dZ, dW) = theta(gamma A^-1 eta + theta(eta - gamma A^-1 eta))
//
// lobatto takes R_j by K itself, with L_vv alone or, for longer steps, gamma^2 the mean of the eigenvalues of Abar A.
//
//   L. Brugnano, C. Magherini, Blended implementation of block implicit methods for ODEs, Appl. Numer. Math. 42 (2002) 29.
// Solves begin at the polynomial of the last step.
namespace actio::method {

template <system::Lagrangian S>
class GalerkinStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  static constexpr Capabilities capabilities{.factorisations = true, .work = system::Forced<S>, .explains_failure = true};
  static constexpr const char* failure =
      "the equations within the step have no solution that the iteration finds: take shorter steps";

  struct State : PhaseState<Vector> {
    std::vector<Vector> stages;  // W_j of the last step
    Vector w;                    // its mean velocity
    double h = 0;                // of it; 0: there is none
    bool stiff = false;          // the simple iteration has failed
    void archive(core::Archive& a) {
      PhaseState<Vector>::archive(a);
      long count = static_cast<long>(stages.size());
      a(count);
      if (count < 0 || count > discrete::Galerkin::most) throw core::InputError("the saved state has another layout");
      stages.resize(static_cast<std::size_t>(count));
      for (Vector& each : stages) a(each);
      a(w, h, stiff);
    }
  };

  GalerkinStepper(S system, discrete::Galerkin rule)
      : system_(std::move(system)),
        rule_(std::move(rule)),
        linear_(system::is_linear(system_)),
        w_(static_cast<std::size_t>(rule_.degree), system_.space().vector()),
        z_(w_),
        dw_(w_),
        dz_(w_),
        f_(rule_.nodes.size(), system_.space().vector()),
        p_(f_),
        q_(system_.space().vector()),
        v_(q_),
        x_(q_),
        y_(q_),
        K_(system_.space().matrix()),
        Lvv_(separable() ? Matrix() : system_.space().matrix()),
        solver_(system_.space()),
        kept_(system_.space()) {}

  S& system() { return system_; }
  const discrete::Galerkin& rule() const { return rule_; }

  State start(double t, const Vector& q, const Vector& p) const {
    State x{{t, q, p}, w_, algebra::like(q), 0, false};
    return x;
  }

  StepReport step(State& x, double h) {
    StepReport report{0, false, 0};
    bool stiff = x.stiff;
    if (!stiff && predict(x, h)) {
      if (separable())
        report = iterate(x, h, 1, [&] { return simple_increments(x, h); });
      else
        report = with_matrices(x, h, false);
    }
    if (!report.converged && predict(x, h)) {
      stiff = rule_.collocated;
      report = with_matrices(x, h, rule_.collocated);
    }
    if (!report.converged) return report;
    finish(x, h);
    x.stiff = stiff;
    return report;
  }

  void phase(const State& x, Vector& q, Vector& p) const {
    q = x.q;
    p = x.p;
  }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) const { phase(x, q, p); }

  // |R| / (|p0| + |p1|), or relative to what cancels in it (detail/relative_residual.hpp); the largest of the R_j.
  double residual(const State& before, const State& after, double h) {
    using algebra::dot;
    const double size = std::sqrt(dot(before.p, before.p)) + std::sqrt(dot(after.p, after.p));
    double largest = 0;
    w_ = after.stages;
    evaluate(before.t, h, before.q);
    for (int j = 0; j < rule_.degree; ++j) {
      residual_of(j, h, before.p, y_);
      const double mine = detail::relative_residual(y_, size, before.q, dz_[0], [&](const Vector& q) {
        evaluate(before.t, h, q);
        residual_of(j, h, before.p, v_);
        v_ -= 1.0 * y_;
        evaluate(before.t, h, before.q);
        return std::sqrt(dot(v_, v_));
      });
      largest = std::max(largest, mine);
    }
    return largest;
  }

  void archive(core::Archive& a) {
    a.part(solver_);
    a(kept_);
  }
  long factorisations() const { return kept_.count() + made_; }

  // h sum_k b_k F . V at the nodes.
  Work work(const State& before, const State& after, double h) requires system::Forced<S> {
    using algebra::dot;
    Work sum;
    w_ = after.stages;
    for (int k = 0; k < nodes(); ++k) {
      const double t = before.t + rule_.nodes[k] * h;
      at_node(k, h, before.q);
      system_.external(t, q_, v_, x_);
      const double external = dot(x_, v_);
      sum.external += rule_.weights[k] * h * external;
      if (!system_.dissipative()) continue;
      system_.applied(t, q_, v_, y_);
      sum.dissipated += rule_.weights[k] * h * (external - dot(y_, v_));
    }
    return sum;
  }

 private:
  static constexpr double most_extrapolated = 4;  // of the last step
  static constexpr int most_iterations = 100, most_matrices = 6;

  int nodes() const { return static_cast<int>(rule_.nodes.size()); }
  bool separable() const {
    if constexpr (system::Separable<S>) return system_.separable();
    return false;
  }

  // w_: the polynomial of the last step, gone on with; its mean where stiff parts swing in it. At first the velocity of p.
  bool predict(const State& x, double h) {
    if (x.h == 0) return first_velocity(x);
    if (x.stiff || std::abs(h) > most_extrapolated * std::abs(x.h)) {
      v_ = rule_.beta[0] * x.stages[0];
      for (int j = 1; j < rule_.degree; ++j) v_ += rule_.beta[j] * x.stages[j];
      for (Vector& w : w_) w = v_;
      return true;
    }
    const double ratio = h / x.h;
    for (int j = 0; j < rule_.degree; ++j) {
      w_[j] = rule_.basis(0, 1 + rule_.path_nodes[j] * ratio) * x.stages[0];
      for (int i = 1; i < rule_.degree; ++i) w_[j] += rule_.basis(i, 1 + rule_.path_nodes[j] * ratio) * x.stages[i];
    }
    return true;
  }
  bool first_velocity(const State& x) {
    if constexpr (system::Separable<S>) {
      if (system_.separable()) {
        system_.velocity(x.p, v_);
        for (Vector& w : w_) w = v_;
        return true;
      }
    }
    v_ = 0.0 * x.q;  // one increment of Newton's method for L_v(q, v) = p, exact where L is quadratic in v
    Space::clear(K_);
    system_.tangent(x.t, x.q, v_, {0, 0, 0, 1}, x_, y_, K_);
    if (!solver_.factor_pivoted(K_)) return false;
    y_ -= 1.0 * x.p;
    solver_.solve_pivoted(y_, x_);
    for (Vector& w : w_) w = -1.0 * x_;
    return true;
  }

  // q_ and v_ at a node, from w_
  void at_node(int k, double h, const Vector& q0) {
    q_ = q0 + (h * rule_.A[k][0]) * w_[0];
    for (int j = 1; j < rule_.degree; ++j) q_ += (h * rule_.A[k][j]) * w_[j];
    velocity_at(k);
  }
  void velocity_at(int k) {
    if (rule_.collocated) {
      v_ = w_[k];
      return;
    }
    v_ = rule_.values[k][0] * w_[0];
    for (int j = 1; j < rule_.degree; ++j) v_ += rule_.values[k][j] * w_[j];
  }
  // f_k = L_q + F at q_, v_; p_k = L_v too, if it is asked for
  void forces(double t, int k, bool momenta) {
    bool done = false;
    if constexpr (system::Separable<S>)
      if (!momenta && system_.separable()) {
        system_.force(t, q_, f_[k]);
        done = true;
      }
    if (!done) system_.derivatives(t, q_, v_, f_[k], p_[k]);
    if constexpr (system::Forced<S>) {
      if (!system_.forced()) return;
      system_.applied(t, q_, v_, x_);
      f_[k] += 1.0 * x_;
    }
  }
  void evaluate(double t, double h, const Vector& q0, bool momenta = true) {
    for (int k = 0; k < nodes(); ++k) {
      at_node(k, h, q0);
      forces(t + rule_.nodes[k] * h, k, momenta);
    }
  }
  // R_j, from f_ and p_
  void residual_of(int j, double h, const Vector& p0, Vector& r) const {
    r = -1.0 * p0;
    for (int k = 0; k < nodes(); ++k) {
      if (rule_.E[j][k] != 0) r += rule_.E[j][k] * p_[k];
      r -= (h * rule_.Abar[j][k]) * f_[k];
    }
  }

  StepReport with_matrices(const State& x, double h, bool blended) {
    StepReport report{0, false, 0};
    share_ = 1;
    for (int again = 0; again < most_matrices && !report.converged; ++again) {
      if (again > 0) share_ = again % 2 == 0 ? 0.25 : 0.5;  // increments that swing about the solution
      if (!factor(x, h, blended || again > 0 || separable() ? h * rule_.gamma : 0)) break;
      report = blended ? iterate(x, h, rule_.amplification, [&] { return blended_increments(x, h); })
                       : iterate(x, h, 1, [&] { return mass_increments(x, h); });
    }
    if (report.converged) evaluate(x.t, h, x.q, false);
    return report;
  }

  // Each makes w_ anew and returns the square of its change.
  double simple_increments(const State& x, double h) {
    using algebra::dot;
    evaluate(x.t, h, x.q, false);
    double sum = 0;
    if constexpr (system::Separable<S>) {
      for (int j = 0; j < rule_.degree; ++j) {
        y_ = 1.0 * x.p;
        for (int k = 0; k < nodes(); ++k) y_ += (h * rule_.Abar[j][k]) * f_[k];
        system_.velocity(y_, v_);
        w_[j] -= 1.0 * v_;
        sum += dot(w_[j], w_[j]);
        w_[j] = v_;
      }
    }
    return sum;
  }

  double mass_increments(const State& x, double h) {
    using algebra::dot;
    evaluate(x.t, h, x.q);
    double sum = 0;
    for (int j = 0; j < rule_.degree; ++j) {
      residual_of(j, h, x.p, y_);
      solve(y_, v_);
      w_[j] -= share_ * v_;
      sum += dot(v_, v_);
    }
    return sum;
  }

  double blended_increments(const State& x, double h) {
    using algebra::dot;
    for (int k = 0; k < nodes(); ++k) {
      q_ = x.q + h * z_[k];
      v_ = w_[k];
      forces(x.t + rule_.nodes[k] * h, k, true);
    }
    for (int j = 0; j < rule_.degree; ++j) {  // eta
      residual_of(j, h, x.p, y_);
      dw_[j] = -1.0 * y_;
      dz_[j] = -1.0 * z_[j];
      for (int i = 0; i < rule_.degree; ++i) dz_[j] += rule_.A[j][i] * w_[i];
    }
    // eta1 = gamma A^-1 eta in p_ (of W) and f_ (of Z)
    for (int j = 0; j < rule_.degree; ++j) {
      p_[j] = rule_.scaled_inverse[j][0] * dw_[0];
      f_[j] = rule_.scaled_inverse[j][0] * dz_[0];
      for (int i = 1; i < rule_.degree; ++i) {
        p_[j] += rule_.scaled_inverse[j][i] * dw_[i];
        f_[j] += rule_.scaled_inverse[j][i] * dz_[i];
      }
    }
    double sum = 0;
    for (int j = 0; j < rule_.degree; ++j) {
      dw_[j] -= 1.0 * p_[j];
      dz_[j] -= 1.0 * f_[j];
      theta(dz_[j], dw_[j]);
      dw_[j] += 1.0 * p_[j];
      dz_[j] += 1.0 * f_[j];
      theta(dz_[j], dw_[j]);
      w_[j] += share_ * dw_[j];
      z_[j] += share_ * dz_[j];
      sum += dot(dw_[j], dw_[j]);
    }
    return sum;
  }
  // (x, y) becomes (gamma z, z - x/gamma), K z = y + L_vv x/gamma
  void theta(Vector& x, Vector& y) {
    multiply_mass(x, x_);
    y_ = y + (1 / rule_.gamma) * x_;
    solve(y_, v_);
    y = v_ - (1 / rule_.gamma) * x;
    x = rule_.gamma * v_;
  }
  void multiply_mass(const Vector& x, Vector& out) {
    if constexpr (system::Separable<S>)
      if (system_.separable()) return system_.momentum(x, out);
    Space::multiply(Lvv_, x, out);
  }
  void solve(const Vector& b, Vector& out) {
    if (!linear_) return solver_.solve(b, out);
    if (!kept_.solve(
            key_, [](Matrix&) {}, b, out))
      out = std::numeric_limits<double>::quiet_NaN() * b;
  }

  // K in the middle of the step, by w_, with `middle` = h gamma, or L_vv alone (0); z_ from w_
  bool factor(const State& x, double h, double middle) {
    q_ = 1.0 * x.q;
    v_ = 0.0 * x.q;
    for (int j = 0; j < rule_.degree; ++j) {
      q_ += (h / 2 * rule_.beta[j]) * w_[j];
      v_ += rule_.beta[j] * w_[j];
    }
    if (rule_.collocated && middle != 0)
      for (int k = 0; k < rule_.degree; ++k) {
        z_[k] = rule_.A[k][0] * w_[0];
        for (int j = 1; j < rule_.degree; ++j) z_[k] += rule_.A[k][j] * w_[j];
      }
    const auto tangent = [&](Matrix& K) {
      Space::clear(K);
      system_.tangent(x.t + h / 2, q_, v_, {-middle * middle, -middle, middle, 1}, x_, y_, K);
      if constexpr (system::Forced<S>)
        if (system_.forced()) system_.applied_tangent(x.t + h / 2, q_, v_, -middle * middle, -middle, x_, K);
    };
    if (rule_.collocated && middle != 0 && !separable()) {
      Space::clear(Lvv_);
      system_.tangent(x.t + h / 2, q_, v_, {0, 0, 0, 1}, x_, y_, Lvv_);
    }
    key_ = middle;
    if (linear_) return kept_.solve(middle, tangent, x.p, dw_[0]);
    tangent(K_);
    ++made_;
    return solver_.factor(K_);
  }

  // Until the increments are below rounding, which they amplify: those that shrink by theta leave theta/(1 - theta) of the last.
  template <class Increments>
  StepReport iterate(const State& x, double h, double amplification, Increments&& increments) {
    using algebra::dot;
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const double floor = 16 * eps * std::sqrt(dot(x.q, x.q) * rule_.degree) / std::abs(h);
    double last = 0;
    for (int k = 1; k <= most_iterations; ++k) {
      const double d = std::sqrt(increments());
      if (!std::isfinite(d)) return {k, false, 1};
      double size = 0;
      for (const Vector& w : w_) size += dot(w, w);
      size = std::sqrt(size);
      if (d == 0) return {k, true, 0};
      if (k > 1 && last <= size) {
        const double theta = d / last, left = theta < 1 ? theta / (1 - theta) * d : std::numeric_limits<double>::infinity();
        if (left <= eps / 4 * size) return {k, true, size > 0 ? left / size * (left / size) : 0};
        if (theta > 0.25 && (d <= 8 * eps * amplification * size || d <= floor)) return {k, true, 0};  // rounding
        if (theta > 1e3 || (k > 16 && theta > 0.98)) return {k, false, d * d};
      }
      last = d;
    }
    return {most_iterations, false, last * last};
  }

  // q1, p1 by w_ and f_: after the simple iteration these are the forces that w_ is made of
  void finish(State& x, double h) {
    y_ = 0.0 * x.p;
    for (int k = 0; k < nodes(); ++k) y_ += rule_.weights[k] * f_[k];
    v_ = rule_.beta[0] * w_[0];
    for (int j = 1; j < rule_.degree; ++j) v_ += rule_.beta[j] * w_[j];
    x.p += h * y_;
    x.q += h * v_;
    x.w = v_;
    for (int j = 0; j < rule_.degree; ++j) x.stages[j] = w_[j];
    x.h = h;
    x.t += h;
  }

  S system_;
  discrete::Galerkin rule_;
  bool linear_;
  std::vector<Vector> w_, z_, dw_, dz_, f_, p_;
  Vector q_, v_, x_, y_;
  Matrix K_, Lvv_;
  solve::Factor<Space> solver_;
  solve::Factorisations<Space> kept_;
  double key_ = 0, share_ = 1;  // of the matrix in use; of an increment that is made
  long made_ = 0;
};

template <system::Lagrangian S, class Use>
auto with_stepper(const Gauss& method, S system, Use&& use) {
  return use(GalerkinStepper<S>(std::move(system), discrete::Galerkin::gauss(method.stages)));
}
template <system::Lagrangian S, class Use>
auto with_stepper(const Lobatto& method, S system, Use&& use) {
  return use(GalerkinStepper<S>(std::move(system), discrete::Galerkin::lobatto(method.degree)));
}

}  // namespace actio::method
