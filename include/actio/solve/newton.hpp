#pragma once
#include <actio/algebra/vector.hpp>
#include <cmath>
#include <limits>

// r(x) = 0 by Newton's method, stopped by trusting its own quadratic convergence: with theta = |dx_k| / |dx_{k-1}|, the next
// increment would be about theta^2 |dx_k|; once that is below rounding the step is done, without another evaluation.
namespace actio::solve {

struct [[nodiscard]] NewtonReport {
  int iterations = 0;
  bool converged = false;
  double increment_squared = 0;  // estimate of the next increment, relative to |x|, squared
};

template <class Space>
class Newton {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  explicit Newton(const Space& space)
      : r_(space.vector()),
        dx_(space.vector()),
        trial_(space.vector()),
        start_(space.vector()),
        K_(space.matrix()),
        solver_(space.solver()) {}

  // residual_and_tangent(x, r, K) sets r and K = dr/dx. `floor` is an increment that rounding alone explains; it counts only once
  // the iteration has stopped making progress. On failure x is the starting guess.
  template <class F>
  NewtonReport solve(F&& residual_and_tangent, Vector& x, double floor) {
    using algebra::dot;
    start_ = x;
    double last = 0;
    for (int k = 1; k <= plain_iterations; ++k) {
      residual_and_tangent(x, r_, K_);
      if (!solver_.factor(K_)) break;
      solver_.solve(r_, dx_);
      x -= 1.0 * dx_;
      const double d = dot(dx_, dx_), size = dot(x, x);
      const double ratio = last > 0 ? d / last : 1.0;
      const double next = ratio * ratio * d;  // squares throughout: no root in the loop
      if (next <= tolerance * tolerance * size || d == 0) return {k, true, size > 0 ? next / size : 0};
      if (k > 2 && ratio > 0.0625 && d <= floor * floor) return {k, true, size > 0 ? d / size : 0};
      if (!(ratio < 1e4)) break;
      last = d;
    }
    x = start_;
    return solve_damped(residual_and_tangent, x, floor);
  }

  static constexpr double tolerance = 1e-16;
  static constexpr int plain_iterations = 12, damped_iterations = 100;

 private:
  // From the same guess, each increment halved until the residual decreases.
  template <class F>
  [[gnu::noinline]] NewtonReport solve_damped(F& residual_and_tangent, Vector& x, double floor) {
    using algebra::dot;
    residual_and_tangent(x, r_, K_);
    double norm = dot(r_, r_), last = 0;
    int k = 0;
    while (k < damped_iterations && std::isfinite(norm)) {
      if (norm == 0) return {k, true, 0};
      if (!solver_.factor(K_)) break;
      solver_.solve(r_, dx_);
      const double d = dot(dx_, dx_);
      if (!std::isfinite(d)) break;
      double s = 1, trial_norm = 0;
      do {
        if (++k > damped_iterations) break;
        trial_ = 1.0 * x - s * dx_;
        residual_and_tangent(trial_, r_, K_);
        trial_norm = dot(r_, r_);
        s /= 2;
      } while (!(trial_norm < norm) && s > 1e-6 && s * s * d > floor * floor);
      const double size = dot(trial_, trial_);
      const double ratio = last > 0 ? d / last : 1.0;
      const bool full = s == 0.5;
      if (full || trial_norm < norm) x = trial_;
      if (full && (ratio * ratio * d <= tolerance * tolerance * size)) return {k, true, size > 0 ? ratio * ratio * d / size : 0};
      if (d <= floor * floor) return {k, true, size > 0 ? d / size : 0};
      if (!(trial_norm < norm)) break;
      norm = trial_norm;
      last = d;
    }
    x = start_;
    return {k, false, std::numeric_limits<double>::quiet_NaN()};
  }

  Vector r_, dx_, trial_, start_;
  Matrix K_;
  typename Space::Solver solver_;
};

}  // namespace actio::solve
