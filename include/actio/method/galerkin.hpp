#pragma once
#include <actio/method/catalogue/galerkin.hpp>
#include <actio/method/galerkin_iterations.hpp>
#include <actio/method/galerkin_steps.hpp>

// Galerkin variational methods (discrete/galerkin.hpp) in position-momentum form:
//
//   R_j = sum_k E_jk L_v(Q_k, V_k) - p0 - h sum_k Abar_jk (L_q + F)(Q_k, V_k) = 0,   Q_k = q0 + h sum_j A_kj W_j
//
// Symplectic, keeps the momentum map of every affine symmetry (Marsden and West 2001, theorem 1.3.3). The W_j are found by
// iterations (galerkin_iterations.hpp) that begin at the polynomial of the last step. What rounding takes from q and p is kept
// beside them and added to the next step's increments, so that round-off of a run grows as that of the increments:
//   E. Hairer, R. I. McLachlan, A. Razakarivony, Achieving Brouwer's law with implicit Runge-Kutta methods, BIT 48 (2008) 231.
namespace actio::method {

template <system::Lagrangian S>
class GalerkinStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;

  static constexpr Capabilities capabilities{
      .factorisations = true, .work = system::Forced<S>, .explains_failure = true, .path = true};
  static constexpr const char* failure =
      "the equations within the step have no solution that the iteration finds: take shorter steps";

  struct State : GalerkinState<Vector> {
    Vector q_low, p_low;  // of q and p, below their last digit
    bool stiff = false;   // the simple iteration has failed
    void archive(core::Archive& a) {
      GalerkinState<Vector>::archive(a);
      a(q_low, p_low, stiff);
    }
  };

  // `generated`: steps of the same rule, tried before all else.
  GalerkinStepper(S system, discrete::Galerkin rule, std::optional<GalerkinSteps> generated = {})
      : stages_(std::move(system), std::move(rule)), iterations_(stages_), generated_(std::move(generated)) {}

  S& system() { return stages_.system; }
  const discrete::Galerkin& rule() const { return stages_.rule; }

  State start(double t, const Vector& q, const Vector& p) const {
    using algebra::like;
    return {{{t, q, p}, stages_.w, like(q), 0}, like(q), like(q), false};
  }

  StepReport step(State& x, double h) {
    StepReport report{0, false, 0};
    bool stiff = x.stiff;
    if (generated_ && !stiff && x.h != 0 && std::abs(h) <= GalerkinStages<S>::most_extrapolated * std::abs(x.h)) {
      report = generated_step(x, h);
      if (report.converged) return report;
    }
    if (!stiff && iterations_.predict(stages_, x, h, false)) {
      if constexpr (system::Separable<S>)
        if (stages_.separable()) report = iterations_.simple(stages_, x, h);
      if (!stages_.separable()) report = iterations_.with_matrices(stages_, x, h, false);
    }
    if (!report.converged && iterations_.predict(stages_, x, h, stiff)) {
      stiff = rule().collocated;
      report = iterations_.with_matrices(stages_, x, h, stiff);
    }
    if (!report.converged) return report;
    Vector &of_p = stages_.x, &of_q = stages_.y;
    stages_.rates(of_p, of_q);
    x.w = of_q;
    add(h, of_p, x.p, x.p_low);
    add(h, of_q, x.q, x.q_low);
    for (int j = 0; j < rule().degree; ++j) x.stages[j] = stages_.w[j];
    x.h = h;
    x.t += h;
    x.stiff = stiff;
    return report;
  }

  void phase(const State& x, Vector& q, Vector& p) const {
    q = x.q;
    p = x.p;
  }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) const { phase(x, q, p); }

  // |R| / (|p0| + |p1|), or relative to what cancels in it; the largest of the R_j.
  double residual(const State& before, const State& after, double h) {
    using algebra::dot;
    const double size = std::sqrt(dot(before.p, before.p)) + std::sqrt(dot(after.p, after.p));
    stages_.w = after.stages;
    return stages_.largest_residual(
        before.q, size, [&](const Vector& q0) { stages_.evaluate(before.t, h, q0); },
        [&](int j, Vector& r) { stages_.residual_of(j, h, before.p, r); });
  }

  void archive(core::Archive& a) { a(iterations_); }
  long factorisations() const { return iterations_.factorisations(); }
  Work work(const State& before, const State& after, double h) requires system::Forced<S> {
    return stages_.work(before, after, h);
  }
  const std::vector<Vector>* path(const State& x) const { return x.h != 0 ? &x.stages : nullptr; }
  const std::vector<double>& path_nodes() const { return rule().path_nodes; }

 private:
  StepReport generated_step(State& x, double h) {
    StepReport report{0, false, 0};
    if constexpr (requires { x.q.data(); }) {
      const long n = static_cast<long>(x.q.size());
      for (long j = 0; j < rule().degree; ++j)
        for (long i = 0; i < n; ++i) generated_->w(j, i) = x.stages[j][i];
      report.converged =
          generated_->step(x.t, h, x.h, {x.q.data(), x.p.data(), x.q_low.data(), x.p_low.data(), x.w.data()}, report.iterations);
      if (!report.converged) return report;
      for (long j = 0; j < rule().degree; ++j)
        for (long i = 0; i < n; ++i) x.stages[j][i] = generated_->w(j, i);
      x.h = h;
      x.t += h;
    }
    return report;
  }

  // sum += h rate, with what its rounding takes in low (Knuth's exact sum of two)
  void add(double h, const Vector& rate, Vector& sum, Vector& low) {
    Vector &total = stages_.q, &part = stages_.v;
    low += h * rate;
    total = 1.0 * sum + 1.0 * low;
    part = 1.0 * total - 1.0 * sum;
    low -= 1.0 * part;
    part = 1.0 * total - 1.0 * part;
    part -= 1.0 * sum;
    low -= 1.0 * part;
    sum = total;
  }

  GalerkinStages<S> stages_;
  GalerkinIterations<S> iterations_;
  std::optional<GalerkinSteps> generated_;
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
