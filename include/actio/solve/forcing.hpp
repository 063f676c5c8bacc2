#pragma once
#include <actio/core/archive.hpp>
#include <algorithm>
#include <cmath>
#include <concepts>

namespace actio::solve {

// How exactly the next linear system of Newton's method is worth being solved, |r + K dx| <= eta |r|: eta = 0.9 (|r| / |r
// before|)^2 makes its convergence quadratic in the end and never solves for more digits than the step has.
//   S. C. Eisenstat, H. F. Walker, Choosing the forcing terms in an inexact Newton method, SIAM J. Sci. Comput. 17 (1996) 16:
//   choice 2 with gamma = 0.9, alpha = 2 and its safeguard (2.6).
//
// That says nothing of the first system of a call. Calls are steps, much alike: what the first increment made of the residual
// in the last call, where eta did not decide that, is the eta of the first in the next.
//
// A linear solver that iterates takes eta, and then Newton's method calls this in place of solve(b, x):
//
//   bool solve(const Vector& b, Vector& x, double& eta) const;   // |b - K x| <= eta |b|; false: not reached, and the step fails
//
// It leaves in eta what was reached, 0 where that is rounding, as of a factorisation. The norm may be one of its own.
class EisenstatWalker {
 public:
  static constexpr double first = 0.1, most = 0.9, least = 1e-13;

  void begin() { last_ = solved_ = 0; }  // another call
  // |r|^2 of the iteration at hand
  double next(double residual_squared) {
    double eta = first_;
    if (last_ > 0) {
      eta = gamma * residual_squared / last_;
      if (const double safe = gamma * eta_ * eta_; safe > 0.1) eta = std::max(eta, safe);
      if (solved_ == 1) learn(std::sqrt(residual_squared / last_));
    }
    ++solved_;
    last_ = residual_squared;
    return eta_ = std::clamp(eta, least, most);
  }
  void archive(core::Archive& a) { a(first_); }

 private:
  // ratio = |r| / |r before| of the first increment: eta, or more.
  void learn(double ratio) {
    if (std::isfinite(ratio)) first_ = std::clamp(ratio > 2 * eta_ ? ratio : eta_ * eta_, least_first, first);
  }
  static constexpr double gamma = 0.9, least_first = 1e-6;
  double last_ = 0, eta_ = first, first_ = first;
  int solved_ = 0;
};

template <class Solver, class Vector>
concept TakesTolerance = requires(const Solver& solver, const Vector& b, Vector& x, double& eta) {
  { solver.solve(b, x, eta) } -> std::same_as<bool>;
};

}  // namespace actio::solve
