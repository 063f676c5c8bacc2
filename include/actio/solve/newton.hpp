#pragma once
#include <actio/algebra/vector.hpp>
#include <actio/solve/factorisations.hpp>
#include <cmath>
#include <type_traits>

// r(x) = 0 by Newton's method, stopped by trusting its own quadratic convergence: with theta = |dx_k| / |dx_{k-1}|, the next
// increment would be about theta^2 |dx_k|; once that is below rounding the step is done, without another evaluation. Equations
// that are linear in x, with a matrix that depends on the step alone, take one solve with a factorisation that is kept.
namespace actio::solve {

struct [[nodiscard]] NewtonReport {
  int iterations = 0;
  bool converged = false;
  // Estimate of the next increment, relative to |x|, squared; 0 where rounding stopped the iteration; when not converged |r|^2.
  double increment_squared = 0;
};

template <class Space>
class Newton {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using Solver = std::conditional_t<Space::fixed, typename Space::Solver, Factor<Space>>;
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
  template <class Residual, class Tangent>
  [[gnu::noinline]] NewtonReport solve_linear(double key, Residual&& residual, Tangent&& tangent, Vector& x) {
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
  void archive(core::Archive& a) {
    a.part(solver_);
    a(kept_);
  }
  // Made for solve_linear so far; solve and solve_damped make one an iteration.
  long factorisations() const { return kept_.count(); }

  // residual_and_tangent(x, r, K) sets r and K = dr/dx. floor() is an increment that rounding alone explains; it counts only once
  // the iteration has stopped making progress. When this fails x is the starting guess again, and solve_damped is the next thing
  // to try.
  template <class F, class Floor>
  [[gnu::always_inline]] NewtonReport solve(F&& residual_and_tangent, Vector& x, Floor&& floor) {
    return iterate<false>(residual_and_tangent, x, floor);
  }

  // `count` increments, whatever is left then. `converged`: they could be made, and x is finite; else x is anything.
  template <class F>
  NewtonReport iterate(F&& residual_and_tangent, Vector& x, int count) {
    using algebra::dot;
    for (int k = 1; k <= count; ++k) {
      residual_and_tangent(x, r_, K_);
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

  static constexpr double tolerance = 1e-16;
  static constexpr int most_refinements = 4;
  static constexpr std::size_t most_refined = std::size_t{1} << 16;  // entries of the factor
  static constexpr double round_off = 256 * 2.2e-16 * 2.2e-16;       // of an increment beside x, squared
  static constexpr int plain_iterations = 12, damped_iterations = 100;

  // Again from x with pivoting; if that fails, each increment halved until the residual decreases.
  template <class F>
  NewtonReport solve_damped(F&& residual_and_tangent, Vector& x, double floor) {
    using algebra::dot;
    if (const NewtonReport plain = iterate<true>(residual_and_tangent, x, [floor] { return floor; }); plain.converged)
      return plain;
    start_ = x;
    residual_and_tangent(x, r_, K_);
    double norm = dot(r_, r_), last = 0;
    int k = 0;
    while (k < damped_iterations && std::isfinite(norm)) {
      if (norm == 0) return {k, true, 0};
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
      if (better && s == 1 && last > 0 && d * d * d <= tolerance * tolerance * size * last * last)
        return report(k, d, last, size);
      if ((d <= floor * floor || d <= round_off * size) && (!better || (last > 0 && d > 0.0625 * last))) return {k, true, 0};
      if (!better) break;
      norm = trial_norm;
      last = s == 1 ? d : 0;
    }
    x = start_;
    return {k, false, norm};
  }

 private:
  template <bool pivoted, class F, class Floor>
  [[gnu::always_inline]] NewtonReport iterate(F&& residual_and_tangent, Vector& x, Floor&& floor) {
    using algebra::dot;
    algebra::Scratch<Space, Vector> r = r_, dx = dx_, start = start_;
    algebra::Scratch<Space, Matrix> K = K_;
    algebra::Scratch<Space, Solver> solver = solver_;
    start = x;
    double last = 0, before = 0;
    for (int k = 1; k <= plain_iterations; ++k) {
      residual_and_tangent(x, r, K);
      if (!(pivoted ? solver.factor_pivoted(K) : solver.factor(K))) break;
      pivoted ? solver.solve_pivoted(r, dx) : solver.solve(r, dx);
      x -= 1.0 * dx;
      const double d = dot(dx, dx), size = dot(x, x);  // squares throughout: no root in the loop
      // ratio^2 d <= tolerance^2 size, without the division; the first increment has nothing to be compared with
      if (last > 0 ? d * d * d <= tolerance * tolerance * size * last * last : d <= tolerance * tolerance * size)
        return report(k, d, last, size);
      if (d == 0) return {k, true, 0};
      // no more progress, or no longer faster than linear: then it is rounding in q that a tangent knows nothing of
      if (k > 2 && (d > 0.0625 * last || d * before > 0.25 * last * last) && (d <= round_off * size || d <= floor() * floor()))
        return {k, true, 0};
      if (!(last == 0 || d < 1e4 * last) && !(d <= floor() * floor())) break;  // of rounding one may be any multiple of another
      before = last;
      last = d;
    }
    x = start;
    return {plain_iterations, false, 0};
  }

  static NewtonReport report(int k, double d, double last, double size) {
    const double ratio = last > 0 ? d / last : 1;
    return {k, true, size > 0 ? ratio * ratio * d / size : 0};
  }

  static Solver solver_of(const Space& space) {
    if constexpr (Space::fixed)
      return space.solver();
    else
      return Solver(space);
  }

  Vector r_, dx_, trial_, rest_, start_;
  Matrix K_;
  Solver solver_;
  Factorisations<Space> kept_;
};

}  // namespace actio::solve
