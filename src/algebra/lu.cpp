#include "lu.hpp"

#include <algorithm>

namespace actio::algebra {

LuAnalysis::LuAnalysis(const SparseMatrix& pattern, bool blocks) {
  klu_defaults(&common_);
  common_.btf = blocks;
  symbolic_ = klu_analyze(static_cast<int>(pattern.rows()), const_cast<int*>(pattern.outerIndexPtr()),
                          const_cast<int*>(pattern.innerIndexPtr()), &common_);
}

LuAnalysis::~LuAnalysis() {
  if (symbolic_) klu_free_symbolic(&symbolic_, &common_);
}

Lu::Lu(std::shared_ptr<const LuAnalysis> analysis) : analysis_(std::move(analysis)) {
  klu_defaults(&common_);
  common_.btf = analysis_->common_.btf;
}

Lu::~Lu() {
  if (numeric_) klu_free_numeric(&numeric_, &common_);
}

bool Lu::factor(const SparseMatrix& K) {
  klu_symbolic* symbolic = analysis_->symbolic_;
  if (!symbolic || !K.coeffs().isFinite().all()) return false;
  auto* starts = const_cast<int*>(K.outerIndexPtr());
  auto* indices = const_cast<int*>(K.innerIndexPtr());
  auto* entries = const_cast<double*>(K.valuePtr());
  if (!numeric_ && pivots_of_.size() == static_cast<std::size_t>(K.nonZeros()))  // archived
    numeric_ = klu_factor(starts, indices, pivots_of_.data(), symbolic, &common_);
  if (numeric_) {  // the old pivots, unless they have become small
    if (klu_refactor(starts, indices, entries, symbolic, numeric_, &common_) &&
        klu_rgrowth(starts, indices, entries, symbolic, numeric_, &common_) && common_.rgrowth > 1e-3)
      return true;
    klu_free_numeric(&numeric_, &common_);
  }
  numeric_ = klu_factor(starts, indices, entries, symbolic, &common_);
  pivots_of_.clear();
  if (numeric_) pivots_of_.assign(entries, entries + K.nonZeros());
  return numeric_ != nullptr && common_.status == KLU_OK;
}

void Lu::archive(core::Archive& a) {
  a(pivots_of_);
  if (a.reading() && numeric_) klu_free_numeric(&numeric_, &common_);
}

double Lu::reciprocal_condition() const { return klu_rcond(analysis_->symbolic_, numeric_, &common_) ? common_.rcond : 0; }

double Lu::flops() const { return numeric_ && klu_flops(analysis_->symbolic_, numeric_, &common_) ? common_.flops : 0; }

void Lu::solve(const double* b, double* x) const {
  const int n = analysis_->symbolic_->n;
  if (x != b) std::copy_n(b, n, x);
  const std::scoped_lock lock(workspace_);
  klu_solve(analysis_->symbolic_, numeric_, n, 1, x, &common_);
}

}  // namespace actio::algebra
