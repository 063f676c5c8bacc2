#pragma once
#include <actio/algebra/sparse.hpp>
#include <algorithm>
#include <cmath>
#include <functional>

#include "block_lanczos.hpp"

namespace actio::solve {

// (K + s M)^-1 M: its eigenvalues mu = 1/(lambda + s) are the larger, the lower lambda is.
class ShiftInverted {
 public:
  ShiftInverted(const algebra::SparseMatrix& K, const algebra::SparseMatrix& M) : K_(K), M_(M), sum_(K), solver_(K, true) {}

  double shift() const { return s_; }
  void operator()(const Eigen::VectorXd& x, Eigen::VectorXd& y) {
    Mx_.noalias() = M_ * x;
    solver_.solve(Mx_, y);
  }

  // K + s M is positive definite, and, where there are rigid or growing motions, not nearly singular: about as far from that as
  // the first motion that meets stiffness. `size`: of the highest eigenvalue; up to `zero` they count as 0.
  bool choose_shift(double size, double zero) {
    const double least = size > 0 ? 1e-11 * size : 1;
    double beyond = least;
    for (double s = least; !factored(s); s += beyond) {
      if (!(s < 1e3 * size)) return false;
      beyond *= 5;
    }
    const auto [lowest, first] = estimated(10 * zero);
    if (lowest > 10 * zero) return true;
    const double step = first > 0 ? first / 2 : std::max(1e-8 * size, least);
    for (double s = 1.01 * std::max(0.0, -lowest) + step; !factored(s); s += step)
      if (!(s < 1e3 * size)) return false;
    return true;
  }

 private:
  bool factored(double s) {
    s_ = s;
    sum_.coeffs() = K_.coeffs() + s * M_.coeffs();
    return sum_.coeffs().allFinite() && solver_.factor_positive(sum_);
  }

  struct Estimate {
    double lowest, first;  // eigenvalue; above `zero`, or 0 where none was seen
  };
  // To a tenth, from a few blocks.
  Estimate estimated(double zero) {
    const long width = std::min(8L, static_cast<long>(M_.rows()) / 4),
               blocks = std::min(6L, static_cast<long>(M_.rows()) / width - 1);
    BlockLanczos lanczos(std::ref(*this), M_, width, blocks * width);
    for (long k = 0; k < blocks; ++k) lanczos.extend();
    const auto ritz = lanczos.ritz();
    Estimate out{std::abs(s_), 0};
    for (long i = ritz.value.size() - 1; i >= 0 && ritz.residual[i] <= 0.1 * ritz.value[i]; --i) {
      const double lambda = 1 / ritz.value[i] - s_;
      if (i == ritz.value.size() - 1) out.lowest = lambda;
      if (lambda > zero) {
        out.first = lambda;
        break;
      }
    }
    return out;
  }

  const algebra::SparseMatrix &K_, &M_;
  algebra::SparseMatrix sum_;
  algebra::SparseSolver solver_;
  Eigen::VectorXd Mx_;
  double s_ = 0;
};

}  // namespace actio::solve
