#include "ldl.hpp"

#include <amd.h>
extern "C" {
#include <ldl.h>  // declares no C linkage of its own
}

#include <actio/core/error.hpp>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <new>

namespace actio::algebra {

MinimumDegree::MinimumDegree(const SparseMatrix& pattern) : order(static_cast<std::size_t>(pattern.rows())) {
  assert(pattern.isCompressed());
  double info[AMD_INFO];
  const int n = static_cast<int>(pattern.rows());
  if (amd_order(n, pattern.outerIndexPtr(), pattern.innerIndexPtr(), order.data(), nullptr, info) < 0) throw std::bad_alloc();
  nonzeros = info[AMD_LNZ] + n;
  flops = info[AMD_NDIV] + 2 * info[AMD_NMULTSUBS_LDL] + n;
}

LdlAnalysis::LdlAnalysis(const SparseMatrix& pattern, const MinimumDegree& degree)
    : n_(static_cast<int>(pattern.rows())),
      order_(degree.order),
      inverse_order_(order_.size()),
      parent_(order_.size()),
      column_starts_(order_.size() + 1) {
  if (degree.nonzeros > 2e9) throw core::InputError("the factor of this system's matrix has more than 2e9 entries");
  std::vector<int> row_count(order_.size()), flags(order_.size());
  ldl_symbolic(n_, const_cast<int*>(pattern.outerIndexPtr()), const_cast<int*>(pattern.innerIndexPtr()), column_starts_.data(),
               parent_.data(), row_count.data(), flags.data(), order_.data(), inverse_order_.data());
}

Ldl::Ldl(std::shared_ptr<const LdlAnalysis> analysis) : analysis_(std::move(analysis)) {
  const auto n = static_cast<std::size_t>(analysis_->n_);
  row_count_.resize(n);
  flags_.resize(n);
  pattern_work_.resize(n);
  diagonal_.resize(n);
  work_.resize(n);
  rows_.resize(static_cast<std::size_t>(analysis_->column_starts_[n]));
  values_.resize(rows_.size());
}

bool Ldl::factor(const SparseMatrix& K) {
  const LdlAnalysis& a = *analysis_;
  const auto writable = [](const std::vector<int>& v) { return const_cast<int*>(v.data()); };  // C without const: only read
  const int done = ldl_numeric(a.n_, const_cast<int*>(K.outerIndexPtr()), const_cast<int*>(K.innerIndexPtr()),
                               const_cast<double*>(K.valuePtr()), writable(a.column_starts_), writable(a.parent_),
                               row_count_.data(), rows_.data(), values_.data(), diagonal_.data(), work_.data(),
                               pattern_work_.data(), flags_.data(), writable(a.order_), writable(a.inverse_order_));
  if (done < a.n_) std::fill(diagonal_.begin() + done + 1, diagonal_.end(), std::nan(""));
  return done == a.n_ && well_conditioned(K);
}

// Positive pivots are good. Without pivoting an indefinite matrix may have one that is small beside its column: those are not.
bool Ldl::well_conditioned(const SparseMatrix& K) const {
  bool positive = true;
  for (const double d : diagonal_) {
    if (!std::isfinite(d)) return false;
    positive = positive && d > 0;
  }
  if (positive) return true;
  for (int j = 0; j < analysis_->n_; ++j) {
    double largest = 0;
    for (int k = K.outerIndexPtr()[j]; k < K.outerIndexPtr()[j + 1]; ++k) largest = std::max(largest, std::abs(K.valuePtr()[k]));
    if (std::abs(diagonal_[analysis_->inverse_order_[j]]) < 1e-8 * largest) return false;
  }
  return true;
}

void Ldl::solve(const double* b, double* x, double* y) const {
  const LdlAnalysis& a = *analysis_;
  auto* starts = const_cast<int*>(a.column_starts_.data());
  auto* order = const_cast<int*>(a.order_.data());
  auto* rows = const_cast<int*>(rows_.data());
  auto* values = const_cast<double*>(values_.data());
  ldl_perm(a.n_, y, const_cast<double*>(b), order);
  ldl_lsolve(a.n_, y, starts, rows, values);
  ldl_dsolve(a.n_, y, const_cast<double*>(diagonal_.data()));
  ldl_ltsolve(a.n_, y, starts, rows, values);
  ldl_permt(a.n_, x, y, order);
}

bool Ldl::positive() const {
  return std::all_of(diagonal_.begin(), diagonal_.end(), [](double d) { return d > 0; });
}

void Ldl::pivots(Eigen::VectorXd& d) const {
  d.resize(analysis_->n_);
  for (int k = 0; k < analysis_->n_; ++k) d[analysis_->order_[k]] = diagonal_[k];
}

}  // namespace actio::algebra
