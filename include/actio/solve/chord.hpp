#pragma once
#include <actio/algebra/digits.hpp>
#include <actio/core/archive.hpp>
#include <actio/solve/factor_reuse.hpp>
#include <algorithm>
#include <cmath>

namespace actio::solve {

// Equations that can be had without their tangent, which a factor that is kept does not need: one function of both numbers of
// arguments.
template <class Tangent, class Residual>
struct Equations : Tangent, Residual {
  using Tangent::operator();
  using Residual::operator();
};
template <class Tangent, class Residual>
Equations(Tangent, Residual) -> Equations<Tangent, Residual>;

struct [[nodiscard]] NewtonReport {
  int iterations = 0;
  bool converged = false;
  // Estimate of the next increment, relative to |x|, squared; 0 where rounding stopped the iteration; when not converged |r|^2.
  double increment_squared = 0;
};

// When Newton's method stops, and what it reports: squares of increments dx and of x throughout.
struct Stop {
  static constexpr double tolerance = 1e-16;
  static constexpr double round_off = 256 * 2.2e-16 * 2.2e-16;  // of an increment beside x, squared
  static constexpr int most_new = 12, most = 200;               // iterations with a factor of their own, and all

  // The next increment would be below rounding: ratio^2 d <= tolerance^2 size, ratio = d/last, without the division; the first
  // increment has nothing to be compared with.
  [[gnu::always_inline]] static bool settled(double d, double last, double size) {
    return last > 0 ? d * d * d <= tolerance * tolerance * size * last * last : d <= tolerance * tolerance * size;
  }
  static NewtonReport report(int k, double d, double last, double size) {
    const double ratio = last > 0 ? d / last : 1;
    return {k, true, size > 0 ? ratio * ratio * d / size : 0};
  }
};

// Newton's method with a factor that is kept: of a matrix of this call, or of an earlier one. Increments then shrink by theta
// each, and
//
//   |x - x*| <= theta/(1 - theta) |dx_k|
//
// is what has to be below rounding:
//   P. Deuflhard, Newton Methods for Nonlinear Problems, Springer 2004, section 2.1.3 (simplified Newton).
class Chord {
 public:
  bool worth_reusing() const { return reuse_.worth_reusing(); }
  bool holds() const { return holds_; }
  void drop() { holds_ = false; }
  // A new factor is at hand, which cost that many solves. False: it is not kept.
  bool keep(double cost) {
    reuse_.factored(cost);
    few_failed_ = false;  // the old factor may have been at fault
    return holds_ = reuse_.worth_reusing();
  }
  void archive(core::Archive& a) { a(holds_, few_digits_, reuse_); }

  // Equations e of an unknown x:
  //   e.evaluate()   residual r and matrix K at x
  //   e.residual()   r at least: a factor that is kept needs no K; true where K is at hand as well
  //   e.factor()     of K, which is then kept: keep() is called; false where there is none
  //   e.increment(digits)  dx by the factor that is kept; |dx|^2. Few digits where its matrix is not that at x: they leave more
  //   e.take()       x -= dx
  //   e.restart()    x is again what it was before the first of these
  //   e.size()       |x|^2
  // floor() as in newton.hpp.
  template <class Equations, class Floor>
  NewtonReport solve(Equations&& e, Floor&& floor) {
    constexpr double tolerance = Stop::tolerance;
    reuse_.begin();
    few_failed_ = false;
    if (reuse_.should_refactor()) holds_ = false;
    double last = 0, before = 0;  // |dx|^2
    for (int k = 1, made = 0; k <= Stop::most; ++k) {
      bool whole = !holds_;
      if (whole)
        e.evaluate();
      else
        whole = e.residual();
      const double size_before = e.size(), noise = std::max(floor() * floor(), Stop::round_off * size_before);  // squared
      double d = 0;
      bool kept = holds_;
      if (kept) {
        // By a factor of an earlier call, what few digits lose shows in each theta.
        const bool few = few_digits_ && !few_failed_ && made == 0;
        d = increment(e, few ? algebra::Digits::few : algebra::Digits::all);
        kept = d <= noise || contracts(d, last, before, std::max(tolerance * tolerance * size_before, noise / 4096));
        if (!kept && few) {  // by the missing digits, or because the factor is old: with all digits it shows
          few_failed_ = true;
          e.restart();
          last = before = 0;
          continue;
        }
        if (!kept && k > 1 && made == 0 && !(d < last)) {  // what an earlier call has left led astray
          e.restart();
          last = before = 0;
          holds_ = false;
          continue;
        }
      }
      if (!kept) {
        if (!whole) e.evaluate();
        if (++made > Stop::most_new || !e.factor()) break;
        d = increment(e, algebra::Digits::all);
        if (made == 1) last = 0;  // increments by the factor of an earlier call do not bound these
        if (!(last == 0 ? std::isfinite(d) : d < 1e4 * last || d <= noise)) break;
      }
      e.take();
      if (d == 0) return end(k, 0);
      const double size = e.size();
      if (!kept) {
        if (Stop::settled(d, last, size)) return end(k, Stop::report(k, d, last, size).increment_squared);
        if (k > 2 && (d > 0.0625 * last || d * before > 0.25 * last * last) && d <= noise) return end(k, 0);
      } else if (last > 0) {
        const double ratio = theta_squared(d, last, before), theta = std::sqrt(ratio);
        if (theta < 1 && ratio * d <= tolerance * tolerance * size * (1 - theta) * (1 - theta)) return end(k, ratio * d / size);
        if (k > 2 && d <= noise && (d > 0.25 * last || d * before > 4 * last * last)) return end(k, 0);
      }
      before = kept ? last : 0;  // it says nothing about the new factor
      last = d;
    }
    e.restart();
    holds_ = false;
    return {Stop::most_new, false, 0};
  }

 private:
  NewtonReport end(int k, double increment_squared) {
    reuse_.end();
    if (few_failed_) few_digits_ = false;  // with all digits the same factor served
    return {k, true, increment_squared};
  }
  template <class Equations>
  double increment(Equations& e, algebra::Digits digits) {
    reuse_.solved();
    return e.increment(digits);
  }
  // It can be worth going on with the kept factor: the increments shrink, and will be small enough before a new one is cheaper.
  bool contracts(double d, double last, double before, double target_squared) const {
    if (!(last > 0)) return std::isfinite(d);
    const double ratio = theta_squared(d, last, before);
    return ratio < 1 &&
           !reuse_.should_refactor(FactorReusePolicy::solves_left(std::sqrt(ratio), std::sqrt(d), std::sqrt(target_squared)));
  }
  static double theta_squared(double d, double last, double before) { return std::max(d / last, before > 0 ? last / before : 0); }

  bool holds_ = false;
  bool few_digits_ = true, few_failed_ = false;  // they serve; they have not in this call
  FactorReusePolicy reuse_;
};

}  // namespace actio::solve
