#include <actio/solve/lowest_modes.hpp>

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "../algebra/eigenvalues.hpp"
#include "eigenvalue_count.hpp"
#include "shift_inverted.hpp"

namespace actio::solve {
namespace {

constexpr double zero_of_highest = 1e-13;
constexpr const char* no_mass_factor = "the mass is not positive definite";

// The first of the largest entries is positive: those of a symmetric motion are of one size to round-off.
void fix_signs(Eigen::MatrixXd& x) {
  for (long k = 0; k < x.cols(); ++k) {
    const double largest = x.col(k).cwiseAbs().maxCoeff();
    for (long i = 0; i < x.rows(); ++i) {
      if (std::abs(x(i, k)) < (1 - 1e-6) * largest) continue;
      if (x(i, k) < 0) x.col(k) *= -1;
      break;
    }
  }
}

LowestModes failed(std::string why_not) {
  LowestModes out;
  out.why_not = std::move(why_not);
  return out;
}

// |K x - lambda M x| in the norm of M^-1 bounds the error of lambda.
LowestModes decomposed_modes(const algebra::SparseMatrix& K, const algebra::SparseMatrix& M, long count) {
  Eigen::MatrixXd full = K;
  full = (full + full.transpose()) / 2;
  const Eigen::MatrixXd mass = M;
  const Eigen::LLT<Eigen::MatrixXd> factor(mass);
  if (factor.info() != Eigen::Success) return failed(no_mass_factor);
  const algebra::SymmetricEigenvalues all = algebra::symmetric_eigenvectors(full, mass);
  if (all.values.size() == 0) return failed("the decomposition of the matrices did not converge");
  LowestModes out;
  out.zero = zero_of_highest * all.values.cwiseAbs().maxCoeff();
  out.lambda = all.values.head(count);
  out.x = all.vectors.leftCols(count);
  const Eigen::MatrixXd residual = full * out.x - mass * out.x * out.lambda.asDiagonal();
  out.error = factor.matrixL().solve(residual).colwise().norm().transpose();
  fix_signs(out.x);
  return out;
}

class LargeSystem {
 public:
  LargeSystem(const algebra::SparseMatrix& K, const algebra::SparseMatrix& M, long count, const LowestModesOptions& options)
      : K_(K), M_(M), count_(count), options_(options), inverse_(K, M) {}

  LowestModes modes() {
    const double highest = highest_eigenvalue(K_, M_);
    if (std::isnan(highest)) return failed(no_mass_factor);
    double size = highest;
    const Eigen::VectorXd k = K_.diagonal(), m = M_.diagonal();
    size = std::max(size, k.cwiseQuotient(m).cwiseAbs().maxCoeff());
    if (!inverse_.choose_shift(size, zero_of_highest * size)) return failed("K + s M could not be factored for any shift s");
    LowestModes out;
    for (const long width : {8L, 32L}) {
      if (width > 8 && K_.rows() < 8 * width) break;
      out = found_with(width);
      if (!out.found()) return out;
      out.zero = zero_of_highest * size;
      if (!missing_) break;
      out = failed(fmt::format("{} modes lie below w^2 = {:.6g}, and {} were found", below_, at_, found_below_));
    }
    return out;
  }

 private:
  LowestModes found_with(long width) {
    const long n = K_.rows(), want = std::min(count_ + 8, n - width);
    const long most = std::min(n - width, 3 * want + 40 * width);
    if (count_ > want || static_cast<double>(most) * static_cast<double>(n) > 4e9)
      return failed(fmt::format("{} modes of {} coordinates are too many", count_, n));
    BlockLanczos lanczos(std::ref(inverse_), M_, width, most);
    long look = want + width;
    while (lanczos.size() + width <= most) {
      lanczos.extend();
      if (lanczos.size() < look && lanczos.size() + width <= most) continue;
      const auto ritz = lanczos.ritz();
      if (!ritz.value.allFinite()) break;
      long accurate = 0;
      for (long i = ritz.value.size() - 1; i >= 0 && ritz.residual[i] <= 1e-9 * ritz.value[i]; --i) ++accurate;
      if (accurate >= want) return refined(lanczos.vectors(ritz.components.rightCols(want)));
      look = lanczos.size() + std::max(width, lanczos.size() / 8);
    }
    return failed(fmt::format("{} modes did not converge in {} products with the inverse of K + s M", want, lanczos.size()));
  }

  // From the vectors, their eigenvalues, and how far they are from being some.
  LowestModes refined(Eigen::MatrixXd x) {
    const double s = inverse_.shift();
    const long k = x.cols();
    Eigen::VectorXd lambda(k), error(k), relative(k), y, Mx, a;
    for (long j = 0; j < k; ++j) {
      Mx = M_ * x.col(j);
      const double norm = std::sqrt(x.col(j).dot(Mx));
      x.col(j) /= norm;
      a = x.col(j);
      inverse_(a, y);
      const double mu = y.dot(Mx) / norm;
      y -= mu * a;
      const double r = std::sqrt(std::max(0.0, y.dot(M_ * y)));
      lambda[j] = 1 / mu - s;
      relative[j] = r / mu;
      error[j] = r / (mu * (mu - r));
    }
    std::vector<long> order(static_cast<std::size_t>(k));
    std::iota(order.begin(), order.end(), 0L);
    std::ranges::sort(order, {}, [&](long j) { return lambda[j]; });
    LowestModes out;
    out.x.resize(x.rows(), count_);
    out.lambda.resize(count_);
    out.error.resize(count_);
    Eigen::VectorXd sorted(k);
    for (long j = 0; j < k; ++j) {
      const long from = order[static_cast<std::size_t>(j)];
      sorted[j] = lambda[from];
      if (j >= count_) continue;
      out.x.col(j) = x.col(from);
      out.lambda[j] = lambda[from];
      out.error[j] = error[from];
      if (!(relative[from] <= 1e-6))
        return failed(fmt::format("mode {} did not converge: its residual is {:.1e}, more than 1e-6", j + 1, relative[from]));
    }
    fix_signs(out.x);
    out.not_proved = why_not_all(sorted);
    return out;
  }

  // "" where the eigenvalues below one of those gaps are as many as were found.
  std::string why_not_all(const Eigen::VectorXd& lambda) {
    missing_ = false;
    long at = -1;
    double widest = 1e-6;
    for (long k = count_ - 1; k + 1 < lambda.size(); ++k) {
      const double gap = (lambda[k + 1] - lambda[k]) / (std::abs(lambda[k + 1]) + inverse_.shift());
      if (!(gap > widest)) continue;
      at = k;
      widest = gap;
    }
    if (at < 0) return "the modes behind the last one are too close to it to be told apart";
    std::string why;
    for (const double share : std::array{0.5, 0.3, 0.7}) {
      at_ = lambda[at] + share * (lambda[at + 1] - lambda[at]);
      const EigenvalueCount counted = count_eigenvalues(K_, M_, at_, options_.most_to_count);
      why = counted.why_not;
      if (counted.below < 0) continue;
      below_ = counted.below;
      found_below_ = at + 1;
      missing_ = below_ > found_below_;
      return below_ >= found_below_ ? "" : fmt::format("{} modes were counted where {} were found", below_, found_below_);
    }
    return why;
  }

  const algebra::SparseMatrix &K_, &M_;
  long count_;
  LowestModesOptions options_;
  ShiftInverted inverse_;
  bool missing_ = false;
  long below_ = 0, found_below_ = 0;
  double at_ = 0;
};

}  // namespace

LowestModes lowest_modes(const algebra::SparseMatrix& K, const algebra::SparseMatrix& M, long count,
                         const LowestModesOptions& options) {
  const long n = K.rows();
  const bool many = options.decomposed == largest_decomposed && 5 * count > n && n <= largest_decomposed_for_many;
  if (n <= options.decomposed || many) return decomposed_modes(K, M, count);
  return LargeSystem(K, M, count, options).modes();
}

}  // namespace actio::solve
