#pragma once
#include <actio/algebra/definite.hpp>
#include <actio/algebra/vector.hpp>
#include <actio/solve/newton.hpp>
#include <cmath>

// A local minimum of f(x) by Newton's method with a shifted Hessian and a line search (Nocedal and Wright, chapter 3):
//
//   (f'' + shift M) dx = grad f,   x -= s dx,   f(x - s dx) <= f(x) - c s grad f . dx
//
// shift is 0 where f'' is positive definite, else a power of 4 that makes it so; then dx is a descent direction and s halves, or
// less, until f decreases enough (Armijo). So f never grows but by rounding, and the end is Newton's own: shift = 0, s = 1, each
// error the square of the last. Where differences of f are rounding, the slope along dx decides: it must shrink.
//
// It ends at a point where grad f vanishes to rounding. That is a minimum unless the search starts or lands on a saddle to the
// last digit; `minimum()` says which.
namespace actio::solve {

template <class Space>
class Minimise {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using Value = core::FunctionRef<double(const Vector&, double&)>;
  using Slopes = core::FunctionRef<void(const Vector&, double, Vector&, Matrix&)>;
  explicit Minimise(const Space& space)
      : g_(space.vector()),
        dx_(space.vector()),
        trial_(space.vector()),
        start_(space.vector()),
        K_(space.matrix()),
        solver_(space) {}

  static constexpr double round_off = Stop::round_off;
  static constexpr int most_iterations = 200;

  // double f = value(x, size): f(x), and in size the sum of the magnitudes it was added from, whose eps is its rounding.
  // slopes(x, shift, g, K): g = grad f (n), K = f'' + shift M (n x n), symmetric, with any positive definite M of the size of
  // what f'' is without potentials: a shift of 1 is the first to be tried. floor: an increment that rounding alone explains. When
  // this fails x is the starting guess again.
  [[gnu::noinline]] NewtonReport operator()(Value value, Slopes slopes, Vector& x, double floor) {
    using algebra::dot;
    start_ = x;
    double f_size = 0, last = 0, last_shift = 0;
    double f = value(x, f_size);
    slopes(x, 0.0, g_, K_);
    for (int k = 1; k <= most_iterations; ++k) {
      const double shift = make_positive(slopes, x, last_shift);
      if (shift < 0) break;
      last_shift = shift;
      minimum_ = shift == 0;
      solver_.solve(g_, dx_);
      const double d = dot(dx_, dx_), size = dot(x, x), slope = dot(g_, dx_);
      if (!std::isfinite(d)) break;
      // the next increment, by the quadratic convergence of the last two where they are small enough to show it
      const bool settled = last > 0 && last <= asymptotic * asymptotic * size;
      if (shift == 0 && Stop::settled(d, settled ? last : 0, size)) {
        x -= 1.0 * dx_;
        return Stop::report(k, d, last, size);
      }
      const bool rounding = d <= floor * floor || d <= round_off * size;
      if (d == 0 || (rounding && (shift > 0 || (last > 0 && d > 0.0625 * last)))) return {k, true, 0};
      double s = 1;
      if (rounding) {
        x -= 1.0 * dx_;
        slopes(x, 0.0, g_, K_);
      } else if (s = search(value, slopes, x, d, slope, floor, f, f_size); s == 0) {
        break;
      }
      last = shift == 0 && s == 1 ? d : 0;
    }
    x = start_;
    return {most_iterations, false, dot(g_, g_)};
  }

  // The Hessian was positive definite at the last point.
  bool minimum() const { return minimum_; }

 private:
  static constexpr double asymptotic = 0.01;      // an increment beside x
  static constexpr double enough = 1e-4;          // of the decrease that the slope promises
  static constexpr double rounding_of_f = 1e-10;  // of f's size: below it f's differences are not trusted

  // Factors K = f'' + shift M; the shift, or -1 where there is none: K is not finite
  double make_positive(Slopes slopes, const Vector& x, double last_shift) {
    if (solver_.factor(K_)) return 0;
    for (double shift = std::max(1.0, last_shift / 4); shift < 1e30; shift *= 4) {
      slopes(x, shift, g_, K_);
      if (solver_.factor(K_)) return shift;
    }
    return -1;
  }

  // x -= s dx with f and its slopes there; s, or 0 where no s will do
  double search(Value value, Slopes slopes, Vector& x, double d, double slope, double floor, double& f, double& f_size) {
    using algebra::dot;
    for (double s = 1; s * s * d > floor * floor && s > 1e-12;) {
      trial_ = 1.0 * x - s * dx_;
      double size = 0;
      const double trial = value(trial_, size);
      bool accepted = trial <= f - enough * s * slope, known = false;
      if (!accepted && std::abs(trial - f) <= rounding_of_f * (size + f_size)) {
        slopes(trial_, 0.0, g_, K_);
        known = true;
        accepted = std::abs(dot(g_, dx_)) <= 0.9 * slope;
      }
      if (accepted) {
        x = trial_;
        f = trial;
        f_size = size;
        if (!known) slopes(x, 0.0, g_, K_);
        return s;
      }
      // the minimum of the parabola through f, its slope and the trial
      const double parabola = slope * s * s / (2 * (trial - f + s * slope));
      s = parabola > 0.1 * s && parabola < 0.5 * s ? parabola : (parabola <= 0.1 * s ? 0.1 : 0.5) * s;
    }
    return 0;
  }

  Vector g_, dx_, trial_, start_;
  Matrix K_;
  algebra::DefiniteSolver<Space> solver_;
  bool minimum_ = false;
};

}  // namespace actio::solve
