#include <amd.h>
#include <klu.h>
extern "C" {
#include <ldl.h>  // declares no C linkage of its own
}

#include <actio/algebra/sparse.hpp>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <new>
#include <vector>

namespace actio::algebra {

struct SparseSolver::Implementation {
  int n;
  bool symmetric;
  const SparseMatrix pattern;  // for copies
  bool pivoted = false;        // the last factorisation is KLU's
  // L D L'
  std::vector<int> order, inverse_order, parent, row_count, flags, column_starts, rows, pattern_work;
  std::vector<double> values, diagonal, work;
  mutable std::vector<double> right;
  // L U
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  Implementation(const SparseMatrix& K, bool is_symmetric) : n(static_cast<int>(K.rows())), symmetric(is_symmetric), pattern(K) {
    assert(K.isCompressed());
    right.resize(n);
    if (symmetric) analyse_ldl();
  }
  Implementation(const Implementation&) = delete;
  ~Implementation() {
    if (numeric) klu_free_numeric(&numeric, &common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }

  void analyse_ldl() {
    order.resize(n);
    inverse_order.resize(n);
    parent.resize(n);
    row_count.resize(n);
    flags.resize(n);
    column_starts.resize(n + 1);
    pattern_work.resize(n);
    diagonal.resize(n);
    work.resize(n);
    const auto* starts = pattern.outerIndexPtr();
    const auto* indices = pattern.innerIndexPtr();
    if (amd_order(n, starts, indices, order.data(), nullptr, nullptr) < 0) throw std::bad_alloc();
    ldl_symbolic(n, const_cast<int*>(starts), const_cast<int*>(indices), column_starts.data(), parent.data(), row_count.data(),
                 flags.data(), order.data(), inverse_order.data());
    rows.resize(static_cast<std::size_t>(column_starts[n]));
    values.resize(rows.size());
  }

  bool factor_ldl(const SparseMatrix& K) {
    const int done = ldl_numeric(n, const_cast<int*>(K.outerIndexPtr()), const_cast<int*>(K.innerIndexPtr()),
                                 const_cast<double*>(K.valuePtr()), column_starts.data(), parent.data(), row_count.data(),
                                 rows.data(), values.data(), diagonal.data(), work.data(), pattern_work.data(), flags.data(),
                                 order.data(), inverse_order.data());
    return done == n && sound(K);
  }

  // Positive pivots are sound. Without pivoting an indefinite matrix may have one that is small beside its column: those are not.
  bool sound(const SparseMatrix& K) const {
    bool positive = true;
    for (const double d : diagonal) {
      if (!std::isfinite(d)) return false;
      positive = positive && d > 0;
    }
    if (positive) return true;
    for (int j = 0; j < n; ++j) {
      double largest = 0;
      for (int k = K.outerIndexPtr()[j]; k < K.outerIndexPtr()[j + 1]; ++k)
        largest = std::max(largest, std::abs(K.valuePtr()[k]));
      if (std::abs(diagonal[inverse_order[j]]) < 1e-8 * largest) return false;
    }
    return true;
  }

  void analyse_klu() {
    if (symbolic) return;
    klu_defaults(&common);
    symbolic = klu_analyze(n, const_cast<int*>(pattern.outerIndexPtr()), const_cast<int*>(pattern.innerIndexPtr()), &common);
  }

  bool factor_klu(const SparseMatrix& K) {
    if (!symbolic) return false;  // structurally singular
    auto* starts = const_cast<int*>(K.outerIndexPtr());
    auto* indices = const_cast<int*>(K.innerIndexPtr());
    auto* entries = const_cast<double*>(K.valuePtr());
    if (numeric) {  // the old pivots, unless they have become small
      if (klu_refactor(starts, indices, entries, symbolic, numeric, &common) &&
          klu_rgrowth(starts, indices, entries, symbolic, numeric, &common) && common.rgrowth > 1e-3)
        return true;
      klu_free_numeric(&numeric, &common);
    }
    numeric = klu_factor(starts, indices, entries, symbolic, &common);
    return numeric != nullptr && common.status == KLU_OK;
  }
};

SparseSolver::SparseSolver() noexcept = default;
SparseSolver::SparseSolver(const SparseMatrix& pattern, bool symmetric)
    : implementation_(std::make_unique<Implementation>(pattern, symmetric)) {}
SparseSolver::~SparseSolver() = default;
SparseSolver::SparseSolver(const SparseSolver& other)
    : implementation_(other.implementation_
                          ? std::make_unique<Implementation>(other.implementation_->pattern, other.implementation_->symmetric)
                          : nullptr) {}
SparseSolver::SparseSolver(SparseSolver&&) noexcept = default;
SparseSolver& SparseSolver::operator=(SparseSolver other) noexcept {
  implementation_ = std::move(other.implementation_);
  return *this;
}

bool SparseSolver::factor(const SparseMatrix& K) {
  Implementation& s = *implementation_;
  s.pivoted = !s.symmetric || !s.factor_ldl(K);
  if (!s.pivoted) return true;
  s.analyse_klu();  // made once, for an indefinite matrix at its first need
  return s.factor_klu(K);
}

void SparseSolver::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
  const Implementation& s = *implementation_;
  const int n = s.n;
  if (s.pivoted) {
    x = b;
    klu_solve(s.symbolic, s.numeric, n, 1, x.data(), const_cast<klu_common*>(&s.common));
    return;
  }
  double* y = s.right.data();
  auto* starts = const_cast<int*>(s.column_starts.data());
  auto* rows = const_cast<int*>(s.rows.data());
  auto* values = const_cast<double*>(s.values.data());
  auto* order = const_cast<int*>(s.order.data());
  ldl_perm(n, y, const_cast<double*>(b.data()), order);
  ldl_lsolve(n, y, starts, rows, values);
  ldl_dsolve(n, y, const_cast<double*>(s.diagonal.data()));
  ldl_ltsolve(n, y, starts, rows, values);
  ldl_permt(n, x.data(), y, order);
}

bool SparseSolver::positive() const {
  return !implementation_->pivoted &&
         std::all_of(implementation_->diagonal.begin(), implementation_->diagonal.end(), [](double d) { return d > 0; });
}

}  // namespace actio::algebra
