#include <actio/solve/extreme_eigenvalues.hpp>
#include <algorithm>
#include <cmath>
#include <functional>

#include "../algebra/eigenvalues.hpp"
#include "block_lanczos.hpp"

namespace actio::solve {
namespace {

using algebra::SparseMatrix;
using algebra::SparseSolver;

constexpr double to_round_off = 1e-13;  // of the highest
constexpr double accepted = 1e-3;       // error relative to the eigenvalue

// Of all eigenvalues.
ExtremeEigenvalues ends(const Eigen::VectorXd& all) {
  ExtremeEigenvalues out;
  if (!all.allFinite()) return out;
  out.highest = std::max(0.0, all.maxCoeff());
  const double zero = to_round_off * all.cwiseAbs().maxCoeff();
  out.lowest = 0;
  for (const double lambda : all) {  // increasing
    if (std::abs(lambda) <= zero) {
      ++out.zeros;
    } else if (lambda < 0) {
      ++out.negatives;
      out.lowest = std::min(out.lowest, lambda);
    } else if (std::isnan(out.lowest_positive)) {
      out.lowest_positive = lambda;
    }
  }
  return out;
}

ExtremeEigenvalues decomposed(const SparseMatrix& K, const SparseMatrix& M) {
  const Eigen::MatrixXd A = K;
  const Eigen::VectorXd all = algebra::symmetric_eigenvalues((A + A.transpose()) / 2, M);
  return all.size() > 0 ? ends(all) : ExtremeEigenvalues{};
}

// M^-1 K, with M factored where it is not diagonal.
class Reduced {
 public:
  Reduced(const SparseMatrix& K, const SparseMatrix& M)
      : K_(K), lumped_(algebra::SparseSpace::diagonal(M, diagonal_)), Kx_(K.rows()) {
    if (!lumped_) mass_ = SparseSolver(M, true);
    factored_ = lumped_ ? diagonal_.minCoeff() > 0 : mass_.factor_positive(M);
  }
  bool factored() const { return factored_; }
  void operator()(const Eigen::VectorXd& x, Eigen::VectorXd& y) {
    Kx_.noalias() = K_ * x;
    if (lumped_)
      y = Kx_.cwiseQuotient(diagonal_);
    else
      mass_.solve(Kx_, y);
  }

 private:
  const SparseMatrix& K_;
  Eigen::VectorXd diagonal_;
  bool lumped_, factored_ = false;
  SparseSolver mass_;
  Eigen::VectorXd Kx_;
};

class Large {
 public:
  Large(const SparseMatrix& K, const SparseMatrix& M) : K_(K), M_(M), sum_(K), solver_(K, true) {}

  ExtremeEigenvalues ends() {
    ExtremeEigenvalues out;
    const double size = highest(out);
    if (std::isnan(size)) return out;
    if (size == 0) {  // K = 0
      out.highest = out.lowest = 0;
      out.zeros = K_.rows();
      return out;
    }
    lowest(size, out);
    return out;
  }

 private:
  bool positive(double k, double m) {  // k K + m M, which is then factored
    sum_.coeffs() = k * K_.coeffs() + m * M_.coeffs();
    return sum_.coeffs().allFinite() && solver_.factor_positive(sum_);
  }

  // max |lambda|, NaN where it is not found
  double highest(ExtremeEigenvalues& out) {
    Reduced A(K_, M_);
    if (!A.factored()) return ExtremeEigenvalues::unknown;
    BlockLanczos lanczos(std::ref(A), M_, 1, 320);
    for (long steps = 40; steps <= 320; steps *= 2) {
      while (lanczos.size() < steps) lanczos.extend();
      const auto ritz = lanczos.ritz();
      const double theta = ritz.value.tail(1)[0], least = ritz.value[0];
      if (!(std::isfinite(theta) && std::isfinite(least))) return ExtremeEigenvalues::unknown;
      if (theta == 0 && least == 0) return 0;
      if (theta > 0 && positive(-1, theta * (1 + accepted))) {
        out.highest = theta;
        least_ = least;
        return std::max(theta, -least);
      }
    }
    return ExtremeEigenvalues::unknown;
  }

  void lowest(double size, ExtremeEigenvalues& out) {
    double beyond = std::max(1e-11 * size, -accepted * least_);
    double s = std::max(0.0, -least_) + beyond;
    for (; !positive(1, s); s += beyond) {  // some are below -s
      if (!(s < 1e3 * size)) return;
      beyond *= 5;
    }
    for (const long width : {8L, 32L})
      if (!found(s, width, to_round_off * size, out) || !out.at_least || out.negatives > 0) return;
  }

  // With K + s M factored. False: not found, and `out` is as it was.
  bool found(double s, long width, double zero, ExtremeEigenvalues& out) {
    Eigen::VectorXd Mx(M_.rows());
    BlockLanczos lanczos(
        [&](const Eigen::VectorXd& x, Eigen::VectorXd& y) {
          Mx.noalias() = M_ * x;
          solver_.solve(Mx, y);
        },
        M_, width, 12 * width);
    for (int block = 0; block < 12; ++block) {
      lanczos.extend();
      if (block < 2) continue;
      const auto ritz = lanczos.ritz();
      long zeros = 0;
      for (long i = ritz.value.size() - 1; i >= 0; --i) {
        const double mu = ritz.value[i], r = ritz.residual[i], lambda = 1 / mu - s;
        if (!(mu > 0) || !(r < mu)) break;
        const double error = r / (mu * (mu - r));  // of 1/mu
        if (std::abs(lambda) <= zero && error <= zero) {
          ++zeros;
        } else if (error > accepted * std::abs(lambda)) {
          break;
        } else {
          const bool stable = lambda > 0;
          (stable ? out.lowest_positive : out.lowest) = lambda;
          if (stable) out.lowest = 0;
          out.zeros = zeros;
          out.negatives = stable ? 0 : 1;
          out.at_least = !stable || zeros >= width;
          return true;
        }
      }
    }
    return false;
  }

  const SparseMatrix &K_, &M_;
  SparseMatrix sum_;
  SparseSolver solver_;
  double least_ = 0;  // an upper bound of the lowest
};

}  // namespace

double highest_eigenvalue(const SparseMatrix& K, const SparseMatrix& M) {
  constexpr long largest = 60, products = 30;
  if (K.rows() <= largest) return decomposed(K, M).highest;
  Reduced A(K, M);
  if (!A.factored()) return ExtremeEigenvalues::unknown;
  BlockLanczos lanczos(std::ref(A), M, 1, products);
  while (lanczos.size() < products) lanczos.extend();
  const Eigen::VectorXd ritz = lanczos.ritz().value;
  return ritz.allFinite() ? std::max(0.0, ritz.tail(1)[0]) : ExtremeEigenvalues::unknown;
}

ExtremeEigenvalues extreme_eigenvalues(const SparseMatrix& K, const SparseMatrix& M) {
  return K.rows() <= largest_decomposed ? decomposed(K, M) : Large(K, M).ends();
}

}  // namespace actio::solve
