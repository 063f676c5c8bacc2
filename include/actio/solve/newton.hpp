#pragma once
#include <actio/algebra/vector.hpp>
#include <actio/core/function_ref.hpp>
#include <actio/solve/chord.hpp>
#include <actio/solve/factorisations.hpp>
#include <actio/solve/forcing.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

// r(x) = 0 by Newton's method, stopped by trusting its own quadratic convergence: with theta = |dx_k| / |dx_{k-1}|, the next
// increment would be about theta^2 |dx_k|; once that is below rounding the step is done, without another evaluation. Equations
// that are linear in x, with a matrix that depends on the step alone, take one solve with a factorisation that is kept.
//
// Where a factorisation costs many solves (Solver::cost_in_solves()) that of an earlier x is used again, over iterations and
// calls, while that is the cheaper way to the same end (factor_reuse.hpp, chord.hpp).
//
// An iterative solver adds an error c eta |dx_k| to theta^2 |dx_k|, with c at most the condition number of K. The increment dx_k
// contains the error of the last solve, c eta_{k-1} |dx_{k-1}|, so c <= theta/eta_{k-1} and
//
//   |x - x*| <= theta (theta + eta_k/eta_{k-1}) |dx_k|
//
// On spaces of fixed size it is compiled for its equations, inlined; on others once, and calls them through pointers.
namespace actio::solve {

template <class Space>
class Newton {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using Solver = std::conditional_t<Space::static_size, typename Space::Solver, Factor<Space>>;
  // `linear`: only solve_linear will be called.
  explicit Newton(const Space& space, bool linear = false)
      : r_(space.vector()),
        dx_(space.vector()),
        trial_(space.vector()),
        rest_(space.vector()),
        start_(linear ? Vector() : space.vector()),
        K_(linear ? Matrix() : space.matrix()),
        solver_(solver_of(space)),
        kept_(space) {}

  // r(x) = K x - b, with K = K(key): x -= K^-1 r(x), exact but for rounding. residual(x, r) sets r, tangent(K) sets K, which
  // happens once for every key that is kept. Where the factor is small the solution is refined: forces that are differences
  // know more digits of a soft motion between stiff springs than K does. When this fails x is as it was.
  [[gnu::noinline]] NewtonReport solve_linear(double key, core::FunctionRef<void(const Vector&, Vector&)> residual,
                                              core::FunctionRef<void(Matrix&)> tangent, Vector& x) {
    using algebra::dot;
    residual(x, r_);
    if (!kept_.solve(key, tangent, r_, dx_) || !std::isfinite(dot(dx_, dx_))) return {1, false, dot(r_, r_)};
    x -= 1.0 * dx_;
    if (kept_.size(key) > most_refined) return {1, true, 0};
    double last = dot(dx_, dx_);
    for (int k = 0; k < most_refinements; ++k) {
      rest_ = 1.0 * x;
      residual(rest_, trial_);
      if (!kept_.solve(key, tangent, trial_, dx_)) break;
      const double d = dot(dx_, dx_);
      if (!(d < 0.0625 * last)) break;
      x -= 1.0 * dx_;
      if (d <= tolerance * tolerance * dot(x, x)) break;
      last = d;
    }
    return {1, true, 0};
  }
  // What the last solve_linear left, from x = 0: r = r(0) + K x. False when K is no longer at hand.
  bool rest(double key, const Vector& x, Vector& r) const {
    if (!kept_.multiply(key, x, r)) return false;
    r += 1.0 * r_;
    return true;
  }
  // A factor that is in use is archived as the matrix it is of.
  void archive(core::Archive& a) {
    a.part(solver_);
    a(kept_);
    if constexpr (inexact) a(forcing_);
    if constexpr (keeps_factors) {
      a(made_, chord_);
      if (!chord_.holds()) return;
      if (a.reading()) {
        factored_ = K_;
        in_memory_ = false;
      }
      Space::archive(a, *factored_);
    }
  }
  // Made so far, or preconditioners of solvers that iterate; of spaces of fixed size only those of solve_linear: there the others
  // are one an iteration.
  long factorisations() const {
    if constexpr (inexact) return kept_.count() + made_ - solver_.reused();
    return kept_.count() + made_;
  }

  // residual_and_tangent(x, r, K) sets r and K = dr/dx; with a residual(x, r) beside it (Equations) K only where a factor is made
  // of it. floor() is an increment that rounding alone explains; it counts only once
  // the iteration has stopped making progress. When this fails x is the starting guess again, and solve_damped is the next thing
  // to try.
  template <class F, class Floor>
  [[gnu::always_inline]] NewtonReport solve(F&& residual_and_tangent, Vector& x, Floor&& floor) {
    if constexpr (Space::static_size)
      return iterate<false>(residual_and_tangent, x, floor);
    else
      return solve_by(residual_and_tangent, x, floor);
  }

  // `count` increments, whatever is left then. `converged`: they could be made, and x is finite; else x is anything.
  template <class F>
  [[gnu::always_inline]] NewtonReport iterate(F&& residual_and_tangent, Vector& x, int count) {
    using algebra::dot;
    if constexpr (keeps_factors) chord_.drop();
    for (int k = 1; k <= count; ++k) {
      residual_and_tangent(x, r_, K_);
      if constexpr (!Space::static_size) ++made_;
      if (solver_.factor(K_))
        solver_.solve(r_, dx_);
      else if (solver_.factor_pivoted(K_))
        solver_.solve_pivoted(r_, dx_);
      else
        return {k, false, dot(r_, r_)};
      x -= 1.0 * dx_;
      if (!std::isfinite(dot(x, x))) return {k, false, dot(r_, r_)};
    }
    return {count, true, 0};
  }

  static constexpr double tolerance = Stop::tolerance, round_off = Stop::round_off;
  static constexpr int most_refinements = 4;
  static constexpr std::size_t most_refined = std::size_t{1} << 16;  // entries of the factor
  static constexpr int plain_iterations = Stop::most_new, damped_iterations = 100;

  // Again from x with pivoting; if that fails, each increment halved until the residual decreases.
  NewtonReport solve_damped(core::FunctionRef<void(const Vector&, Vector&, Matrix&)> residual_and_tangent, Vector& x,
                            double floor) {
    using algebra::dot;
    if constexpr (keeps_factors) chord_.drop();
    if (const NewtonReport plain = iterate<true>(residual_and_tangent, x, [floor] { return floor; }); plain.converged)
      return plain;
    start_ = x;
    residual_and_tangent(x, r_, K_);
    double norm = dot(r_, r_), last = 0;
    int k = 0;
    while (k < damped_iterations && std::isfinite(norm)) {
      if (norm == 0) return {k, true, 0};
      if constexpr (!Space::static_size) ++made_;
      if (!solver_.factor_pivoted(K_)) break;
      solver_.solve_pivoted(r_, dx_);
      const double d = dot(dx_, dx_);
      if (!std::isfinite(d)) break;
      double s = 1, trial_norm = 0;
      while (true) {
        ++k;
        trial_ = 1.0 * x - s * dx_;
        residual_and_tangent(trial_, r_, K_);
        trial_norm = dot(r_, r_);
        if (trial_norm < norm || k >= damped_iterations || s * s * d <= floor * floor || s < 1e-12) break;
        s /= 2;
      }
      const bool better = trial_norm < norm;
      if (better) x = trial_;
      const double size = dot(x, x);
      if (better && s == 1 && last > 0 && Stop::settled(d, last, size)) return Stop::report(k, d, last, size);
      if ((d <= floor * floor || d <= round_off * size) && (!better || (last > 0 && d > 0.0625 * last))) return {k, true, 0};
      if (!better) break;
      norm = trial_norm;
      last = s == 1 ? d : 0;
    }
    x = start_;
    return {k, false, norm};
  }

 private:
  // Equations through pointers; residual alone where there is one.
  struct EquationsRef {
    core::FunctionRef<void(const Vector&, Vector&, Matrix&)> both{};
    core::FunctionRef<void(const Vector&, Vector&)> residual{};
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, EquationsRef>) EquationsRef(F&& f) : both(f) {  // NOLINT
      if constexpr (std::is_invocable_v<F&, const Vector&, Vector&>) residual = f;
    }
    void operator()(const Vector& x, Vector& r, Matrix& K) const { both(x, r, K); }
  };
  [[gnu::noinline]] NewtonReport solve_by(EquationsRef equations, Vector& x, core::FunctionRef<double()> floor) {
    if constexpr (keeps_factors) {
      if (chord_.worth_reusing()) return solve_keeping(equations, x, floor);
      const NewtonReport report = iterate<false>(equations, x, floor);
      if (report.converged) keep();
      return report;
    } else {
      return iterate<false>(equations, x, floor);
    }
  }

  static constexpr bool inexact = TakesTolerance<Solver, Vector>;
  static constexpr bool keeps_factors =
      !Space::static_size && requires(typename Space::Solver & solver, core::Archive& a, Matrix& K) {
    solver.cost_in_solves();
    Space::archive(a, K);
  };

  template <bool pivoted, class F, class Floor>
  [[gnu::always_inline]] NewtonReport iterate(F&& residual_and_tangent, Vector& x, Floor&& floor) {
    using algebra::dot;
    algebra::Scratch<Space, Vector> r = r_, dx = dx_, start = start_;
    algebra::Scratch<Space, Matrix> K = K_;
    algebra::Scratch<Space, Solver> solver = solver_;
    start = x;
    double last = 0, before = 0;
    [[maybe_unused]] double eta = 0, eta_before = 0, rr = 0, xx = 0;
    if constexpr (inexact) forcing_.begin();
    for (int k = 1; k <= plain_iterations; ++k) {
      residual_and_tangent(x, r, K);
      if constexpr (!Space::static_size) ++made_;
      if (!(pivoted ? solver.factor_pivoted(K) : solver.factor(K))) break;
      if constexpr (inexact) {
        eta_before = eta;
        const double rr_before = rr;
        rr = dot(r, r);
        eta = forcing_.next(rr);
        if (eta_before > 0) eta = std::max(eta, enough(rr / rr_before, last, eta_before, xx));
        if (!solver.solve(r, dx, eta)) break;
      } else {
        pivoted ? solver.solve_pivoted(r, dx) : solver.solve(r, dx);
      }
      x -= 1.0 * dx;
      const double d = dot(dx, dx), size = dot(x, x);  // squares throughout: no root in the loop
      if constexpr (inexact) {
        xx = size;
        const double left = d * inexactness(d, last, eta, eta_before);
        if (left <= tolerance * tolerance * size) return {k, true, size > 0 ? left / size : 0};
      } else {
        if (Stop::settled(d, last, size)) return Stop::report(k, d, last, size);
      }
      if (d == 0) return {k, true, 0};
      // no more progress, or no longer faster than linear: then it is rounding in q, which no tangent contains
      if (k > 2 && (d > 0.0625 * last || (eta == 0 && d * before > 0.25 * last * last)) &&
          (d <= round_off * size || d <= floor() * floor()))
        return {k, true, 0};
      if (!(last == 0 || d < 1e4 * last) && !(d <= floor() * floor())) break;  // of rounding one may be any multiple of another
      before = last;
      last = d;
    }
    x = start;
    return {plain_iterations, false, 0};
  }

  // The same with a factor that is kept (chord.hpp).
  struct Kept {
    Newton& newton;
    const EquationsRef& equations;
    Vector& x;
    void evaluate() { equations(x, newton.r_, newton.K_); }
    bool residual() {
      if (!equations.residual) {
        evaluate();
        return true;
      }
      equations.residual(x, newton.r_);
      return false;
    }
    bool factor() {
      ++newton.made_;
      if (!newton.solver_.factor(newton.K_)) return false;
      newton.keep();
      return true;
    }
    double increment(algebra::Digits digits) {
      using algebra::dot;
      if constexpr (keeps_factors) newton.solver_.solve(newton.r_, newton.dx_, digits);
      return dot(newton.dx_, newton.dx_);
    }
    void take() { x -= 1.0 * newton.dx_; }
    void restart() { x = newton.start_; }
    double size() const {
      using algebra::dot;
      return dot(x, x);
    }
  };
  [[gnu::noinline]] NewtonReport solve_keeping(const EquationsRef& equations, Vector& x, core::FunctionRef<double()> floor) {
    start_ = x;
    if (chord_.holds() && !in_memory_ && !(in_memory_ = solver_.factor(*factored_))) chord_.drop();
    return chord_.solve(Kept{*this, equations, x}, floor);
  }
  // The factor at hand, of K_.
  void keep() {
    in_memory_ = chord_.keep(solver_.cost_in_solves());
    if (!in_memory_) return;
    if (!factored_)
      factored_ = K_;
    else
      std::swap(*factored_, K_);
  }

  // The square of what is left beside an increment: theta (theta + eta/eta_before); 1 of the first
  static double inexactness(double d, double last, double eta, double eta_before) {
    if (!(last > 0)) return 1;
    const double theta = std::sqrt(d / last), left = theta * (theta + (eta > 0 ? (eta_before > 0 ? eta / eta_before : 1) : 0));
    return left * left;
  }
  // The eta that ends the iteration, should the increment be shorter than the last one as the residual is.
  static double enough(double theta_squared, double last, double eta_before, double size) {
    const double left = 0.1 * tolerance * std::sqrt(size / last) / theta_squared - std::sqrt(theta_squared);
    return std::min(EisenstatWalker::most, eta_before * left);
  }
  static Solver solver_of(const Space& space) {
    if constexpr (Space::static_size)
      return space.solver();
    else
      return Solver(space);
  }

  Vector r_, dx_, trial_, rest_, start_;
  Matrix K_;
  Solver solver_;
  Factorisations<Space> kept_;
  long made_ = 0;
  struct Exact {};
  [[no_unique_address]] std::conditional_t<inexact, EisenstatWalker, Exact> forcing_{};
  // What keeps_factors: solver_ holds the factor of factored_, or would if it were in memory.
  bool in_memory_ = false;
  std::optional<Matrix> factored_{};
  Chord chord_;
};

}  // namespace actio::solve
