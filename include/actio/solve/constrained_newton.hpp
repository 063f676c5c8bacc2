#pragma once
#include <actio/algebra/kkt.hpp>
#include <actio/core/archive.hpp>
#include <actio/core/function_ref.hpp>
#include <actio/solve/chord.hpp>
#include <cmath>
#include <type_traits>
#include <utility>

// Newton's method for a step w and the impulses eta of its constraints:
//
//   r(w) - G0' eta = 0,   g(w) = 0,   with  K = dr/dw,  G1 = dg/dw,  and G0 constant
//
// stopped as in newton.hpp, by the increments of w: eta enters linearly and is as accurate as w. A factor is reused as there if
// the KKT solver knows its cost.
namespace actio::solve {

// 1, or 0 where the factor that a KKT solver had served once more.
template <class KktSolver>
long factored(const KktSolver& kkt) {
  if constexpr (requires { kkt.refactored(); })
    return kkt.refactored() ? 1 : 0;
  else
    return 1;
}

template <class Space, algebra::KktSolver KktSolver>
class ConstrainedNewton {
  struct EquationsRef;

 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using Multipliers = typename KktSolver::Multipliers;
  using Jacobian = typename KktSolver::Jacobian;

  ConstrainedNewton(const Space& space, const KktSolver& kkt)
      : r_(space.vector()),
        dw_(r_),
        next_(r_),
        w_(r_),
        w_start_(r_),
        g_(kkt.multipliers()),
        deta_(g_),
        next_eta_(g_),
        eta_(g_),
        eta_start_(g_),
        none_(g_),
        G1_(kkt.jacobian()),
        K_(space.matrix()),
        kkt_(kkt) {}

  // equations(w, eta, r, g, K, G1) sets r = r(w) - G0' eta, g, K and G1; where there is equations(w, eta, r, g, G1) beside it
  // (Equations) K only where a factor is made of it. floor: an increment of w that rounding alone explains.
  // They are called through pointers. When this fails w and eta are as they were; first plainly, then with increments halved
  // until they shrink the next one (Deuflhard's natural monotonicity test, which knows no units).
  [[gnu::noinline]] NewtonReport solve(EquationsRef equations, const Jacobian& G0, Vector& w, Multipliers& eta, double floor) {
    w_start_ = w;
    eta_start_ = eta;
    NewtonReport report = attempt(equations, G0, w, eta, floor);
    if constexpr (chooses_rows) {
      if (!report.converged && kkt_.regularised()) {  // other rows may be redundant than there were
        w = w_start_;
        eta = eta_start_;
        equations(w, eta, r_, g_, K_, G1_);
        if (kkt_.choose_rows(K_, G0)) report = attempt(equations, G0, w, eta, floor);
      }
    }
    if (!report.converged) {
      w = w_start_;
      eta = eta_start_;
    }
    return report;
  }

  // eta becomes the smallest that has the same G0' eta.
  void least_norm(const Jacobian& G0, Multipliers& eta) {
    using algebra::dot;
    eta_ = 0.0 * eta;
    chord_.drop();
    bool shared = false;
    if constexpr (chooses_rows)
      shared = kkt_.factor_sharing(K_, G0);
    else
      shared = kkt_.factor(K_, G0, G0);
    if (!shared) return;
    for (int k = 0; k < 3; ++k) {  // (G0 K^-1 G0' + d) y = G0 K^-1 G0' eta, and again with what is left
      left_of(G0, eta);
      kkt_.solve(r_, none_, dw_, deta_);
      eta_ += 1.0 * deta_;
    }
    if constexpr (chooses_rows) {  // G0 K^-1 G0' has a value as small as d: the rest without it
      w_ = 0.0 * r_;
      KktSolver::add_transposed(1, G0, eta, w_);
      left_of(G0, eta);
      if (dot(r_, r_) > round_off * dot(w_, w_) && kkt_.factor(K_, G0, G0)) {
        kkt_.solve(r_, none_, dw_, deta_);
        eta_ += 1.0 * deta_;
      }
    }
    eta = 1.0 * eta_;
  }

  void archive(core::Archive& a) {
    a.part(kkt_);
    if constexpr (keeps_factors) {
      a(made_, chord_);
      if (chord_.holds() && !kkt_.archive_factor(a)) chord_.drop();
    }
  }
  // Made so far, one an iteration; of spaces of fixed size none are counted.
  long factorisations() const { return made_; }

  static constexpr int plain_iterations = Stop::most_new, damped_iterations = 100;

 private:
  static constexpr double tolerance = Stop::tolerance, round_off = Stop::round_off;
  static constexpr bool keeps_factors = requires(KktSolver & kkt, core::Archive& a) {
    kkt.cost_in_solves();
    kkt.archive_factor(a);
  };

  // Equations through pointers; those without K where there are some.
  struct EquationsRef {
    core::FunctionRef<void(const Vector&, const Multipliers&, Vector&, Multipliers&, Matrix&, Jacobian&)> all{};
    core::FunctionRef<void(const Vector&, const Multipliers&, Vector&, Multipliers&, Jacobian&)> residual{};
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, EquationsRef>) EquationsRef(F&& f) : all(f) {  // NOLINT
      if constexpr (std::is_invocable_v<F&, const Vector&, const Multipliers&, Vector&, Multipliers&, Jacobian&>) residual = f;
    }
    void operator()(const Vector& w, const Multipliers& eta, Vector& r, Multipliers& g, Matrix& K, Jacobian& G1) const {
      all(w, eta, r, g, K, G1);
    }
  };

  struct Kept {
    ConstrainedNewton& newton;
    const EquationsRef& equations;
    const Jacobian& G0;
    Vector& w;
    Multipliers& eta;
    void evaluate() { equations(w, eta, newton.r_, newton.g_, newton.K_, newton.G1_); }
    bool residual() {
      if (!equations.residual) {
        evaluate();
        return true;
      }
      equations.residual(w, eta, newton.r_, newton.g_, newton.G1_);
      return false;
    }
    bool factor() {
      if (!newton.factor(G0)) return false;
      if constexpr (keeps_factors) newton.chord_.keep(newton.kkt_.cost_in_solves());
      return true;
    }
    double increment(algebra::Digits digits) {
      using algebra::dot;
      if constexpr (keeps_factors) newton.kkt_.solve(newton.r_, newton.g_, newton.dw_, newton.deta_, digits);
      return dot(newton.dw_, newton.dw_);
    }
    void take() {
      w -= 1.0 * newton.dw_;
      eta -= 1.0 * newton.deta_;
    }
    void restart() {
      w = newton.w_start_;
      eta = newton.eta_start_;
    }
    double size() const {
      using algebra::dot;
      return dot(w, w);
    }
  };
  static constexpr bool chooses_rows = requires(KktSolver & kkt, const Matrix& K, const Jacobian& G) {
    kkt.factor_sharing(K, G);
    kkt.choose_rows(K, G);
  };

  // r_ = -G0' (eta - eta_)
  void left_of(const Jacobian& G0, const Multipliers& eta) {
    deta_ = 1.0 * eta - 1.0 * eta_;
    r_ = 0.0 * r_;
    KktSolver::add_transposed(-1, G0, deta_, r_);
  }

  // When this fails w and eta are anything.
  NewtonReport attempt(const EquationsRef& equations, const Jacobian& G0, Vector& w, Multipliers& eta, double floor) {
    NewtonReport report = first(equations, G0, w, eta, floor);
    if (!report.converged) {
      w = w_start_;
      eta = eta_start_;
      report = damped(equations, G0, w, eta, floor);
    }
    if (report.converged && kkt_.regularised()) {
      // the multipliers of redundant rows are any: of those the smallest, then once more with them
      least_norm(G0, eta);
      equations(w, eta, r_, g_, K_, G1_);
      report.converged = consistent(G0, w, eta, floor) && factor(G0);
      if (report.converged) {
        advance(w, eta);
        least_norm(G0, eta);
      }
    }
    return report;
  }

  NewtonReport first(const EquationsRef& equations, const Jacobian& G0, Vector& w, Multipliers& eta, double floor) {
    if constexpr (keeps_factors) {
      if (chord_.holds() && !kkt_.holds(G0)) chord_.drop();  // it gives multipliers by G0
      if (chord_.worth_reusing()) return chord_.solve(Kept{*this, equations, G0, w, eta}, [floor] { return floor; });
      const NewtonReport report = plain(equations, G0, w, eta, floor);
      if (report.converged) chord_.keep(kkt_.cost_in_solves());
      return report;
    } else {
      return plain(equations, G0, w, eta, floor);
    }
  }

  bool factor(const Jacobian& G0) {
    const bool ok = kkt_.factor(K_, G1_, G0);
    if constexpr (!Space::static_size) made_ += factored(kkt_);
    return ok;
  }
  // (w, eta) -= (dw, deta), solved for from r and g; |dw|^2
  double advance(Vector& w, Multipliers& eta) {
    using algebra::dot;
    kkt_.solve(r_, g_, dw_, deta_);
    w -= 1.0 * dw_;
    eta -= 1.0 * deta_;
    return dot(dw_, dw_);
  }

  NewtonReport plain(const EquationsRef& equations, const Jacobian& G0, Vector& w, Multipliers& eta, double floor) {
    using algebra::dot;
    double last = 0, before = 0;
    for (int k = 1; k <= plain_iterations; ++k) {
      equations(w, eta, r_, g_, K_, G1_);
      if (!factor(G0)) break;
      const double d = advance(w, eta), size = dot(w, w);
      if (Stop::settled(d, last, size)) return Stop::report(k, d, last, size);
      if (d == 0) return {k, true, 0};
      const bool slow = d > 0.0625 * last || d * before > 0.25 * last * last;
      if (k > 2 && slow && (d <= round_off * size || d <= floor * floor || is_rounding(floor))) return {k, true, 0};
      if (!(last == 0 || d < 1e4 * last) && !(d <= floor * floor) && !is_rounding(floor)) break;
      before = last;
      last = d;
    }
    return {plain_iterations, false, 0};
  }

  NewtonReport damped(const EquationsRef& equations, const Jacobian& G0, Vector& w, Multipliers& eta, double floor) {
    using algebra::dot;
    chord_.drop();
    equations(w, eta, r_, g_, K_, G1_);
    double last = 0;
    int k = 0;
    while (k < damped_iterations) {
      if (!factor(G0)) break;
      kkt_.solve(r_, g_, dw_, deta_);
      const double d = dot(dw_, dw_), size = dot(w, w);
      if (!std::isfinite(d)) break;
      const bool slow = last > 0 && d > 0.0625 * last;
      if (d == 0 || Stop::settled(d, last, size) || (last > 0 && (d <= round_off * size || d <= floor * floor)) ||
          (slow && is_rounding(floor))) {
        w -= 1.0 * dw_;
        eta -= 1.0 * deta_;
        return Stop::report(k, d, last, size);
      }
      bool better = false;
      double s = 1;
      while (!better && s > 1e-6 && k < damped_iterations) {
        ++k;
        w_ = 1.0 * w - s * dw_;
        eta_ = 1.0 * eta - s * deta_;
        equations(w_, eta_, r_, g_, K_, G1_);
        // the increment that follows, by the same matrix
        kkt_.solve(r_, g_, next_, next_eta_);
        better = dot(next_, next_) <= (1 - s / 4) * (1 - s / 4) * d;
        if (!better) s /= 2;
      }
      if (!better) break;
      w = w_;
      eta = eta_;
      last = s == 1 ? d : 0;
    }
    return {k, false, dot(r_, r_)};
  }

  // Near a point where G loses rank (a mechanism passes a dead point) rounding of g is many times that in w: what is left is
  // rounding where g is no more than G1 makes of `floor`, and r alone asks for no more than that.
  bool is_rounding(double floor) {
    using algebra::dot;
    if constexpr (requires { G1_.norm(); }) {
      const double allowed = floor * G1_.norm() / 16;
      if (!(dot(g_, g_) <= allowed * allowed)) return false;
      kkt_.solve(r_, none_, next_, next_eta_);
      return dot(next_, next_) <= floor * floor;
    } else {
      return false;
    }
  }

  // g is gone, not only as small as it can be made: rows that contradict one another leave some. `floor` as above, |G| from what
  // it does to G' eta or w.
  bool consistent(const Jacobian& G0, const Vector& w, const Multipliers& eta, double floor) {
    using algebra::dot;
    w_ = 0.0 * w;
    KktSolver::add_transposed(1, G0, eta, w_);
    if (!(dot(w_, w_) > 0)) w_ = w;
    const double size = dot(w_, w_);
    if (!(size > 0)) return true;
    KktSolver::multiply(G0, w_, deta_);
    const double allowed = 1e3 * floor + 1e-12 * std::sqrt(dot(w, w));
    return dot(g_, g_) * size <= allowed * allowed * dot(deta_, deta_);
  }

  Vector r_, dw_, next_, w_, w_start_;
  Multipliers g_, deta_, next_eta_, eta_, eta_start_, none_;
  Jacobian G1_;
  Matrix K_;
  KktSolver kkt_;
  long made_ = 0;
  Chord chord_;
};

}  // namespace actio::solve
