#include "supernodal.hpp"

#include <cholmod.h>

#include <actio/core/error.hpp>
#include <cassert>
#include <cmath>
#include <new>
#include <numeric>

#include "blas_threads.hpp"

namespace actio::algebra {
namespace {

constexpr double threaded = 1e9;  // [flops of a factorisation] from which on several threads are worth their waiting

struct Common : cholmod_common {
  Common() {
    cholmod_start(this);
    print = 0;
    supernodal = CHOLMOD_AUTO;
    cholmod_common::supernodal_switch = algebra::supernodal_switch;
    quick_return_if_not_posdef = 1;
  }
  Common(const Common&) = delete;
  ~Common() { cholmod_finish(this); }

  void check() const {
    if (status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
    if (status == CHOLMOD_TOO_LARGE) throw core::InputError("the factor of this system's matrix has more than 2e9 entries");
    assert(status >= 0);
  }
};

// K as CHOLMOD sees it: its upper triangle.
cholmod_sparse view(const SparseMatrix& K) {
  cholmod_sparse A{};
  A.nrow = A.ncol = static_cast<std::size_t>(K.rows());
  A.nzmax = static_cast<std::size_t>(K.nonZeros());
  A.p = const_cast<int*>(K.outerIndexPtr());
  A.i = const_cast<int*>(K.innerIndexPtr());
  A.x = const_cast<double*>(K.valuePtr());
  A.stype = 1;
  A.itype = CHOLMOD_INT;
  A.xtype = CHOLMOD_REAL;
  A.dtype = CHOLMOD_DOUBLE;
  A.sorted = A.packed = 1;
  return A;
}

cholmod_dense view(const double* x, std::size_t n) {
  cholmod_dense X{};
  X.nrow = X.d = X.nzmax = n;
  X.ncol = 1;
  X.x = const_cast<double*>(x);
  X.xtype = CHOLMOD_REAL;
  X.dtype = CHOLMOD_DOUBLE;
  return X;
}

struct Analysis final : SupernodalAnalysis {
  ~Analysis() override { cholmod_free_factor(&symbolic, &common); }
  mutable Common common;
  cholmod_factor* symbolic = nullptr;
};

}  // namespace

std::shared_ptr<const SupernodalAnalysis> SupernodalAnalysis::make(const SparseMatrix& pattern, const std::vector<int>& order) {
  auto analysis = std::make_shared<Analysis>();
  Common& common = analysis->common;
  common.nmethods = 2;
  common.method[0].ordering = CHOLMOD_GIVEN;
  common.method[1].ordering = CHOLMOD_METIS;
  cholmod_sparse A = view(pattern);
  analysis->symbolic = cholmod_analyze_p(&A, const_cast<int*>(order.data()), nullptr, 0, &common);
  common.check();
  if (!analysis->symbolic->is_super) return nullptr;
  return analysis;
}

struct Supernodal::Implementation {
  std::shared_ptr<const SupernodalAnalysis> analysis;
  Common common;
  cholmod_factor* L = nullptr;
  double flops = 0;
};

Supernodal::Supernodal(std::shared_ptr<const SupernodalAnalysis> analysis) : implementation_(std::make_unique<Implementation>()) {
  Implementation& s = *implementation_;
  s.L = cholmod_copy_factor(static_cast<const Analysis&>(*analysis).symbolic, &s.common);
  s.common.check();
  s.analysis = std::move(analysis);
  const auto* counts = static_cast<const int*>(s.L->ColCount);
  for (std::size_t j = 0; j < s.L->n; ++j) s.flops += static_cast<double>(counts[j]) * counts[j];
}

Supernodal::~Supernodal() { cholmod_free_factor(&implementation_->L, &implementation_->common); }

bool Supernodal::factor(const SparseMatrix& K) {
  Implementation& s = *implementation_;
  cholmod_sparse A = view(K);
  const OneBlasThread one(s.flops < threaded);
  cholmod_factorize(&A, s.L, &s.common);
  s.common.check();
  if (s.common.status == CHOLMOD_NOT_POSDEF) return false;
  Eigen::VectorXd d;
  pivots(d);
  return d.allFinite();  // what is not finite in row i of K makes L_ii so
}

struct Supernodal::Work::Implementation {
  ~Implementation() {
    cholmod_free_dense(&Y, &common);
    cholmod_free_dense(&E, &common);
  }
  Common common;
  cholmod_dense *Y = nullptr, *E = nullptr;
};
Supernodal::Work::Work() : implementation_(std::make_unique<Implementation>()) {}
Supernodal::Work::~Work() = default;

void Supernodal::solve(const double* b, double* x, Work& work) const {
  auto& w = *work.implementation_;
  cholmod_factor* L = implementation_->L;
  cholmod_dense B = view(b, L->n), X = view(x, L->n), *out = &X;
  const OneBlasThread one(implementation_->flops < threaded);
  cholmod_solve2(CHOLMOD_A, L, &B, nullptr, &out, nullptr, &w.Y, &w.E, &w.common);
  w.common.check();
  assert(out == &X);
}

void Supernodal::pivots(Eigen::VectorXd& d) const {
  const cholmod_factor& L = *implementation_->L;
  const auto* first = static_cast<const int*>(L.super);
  const auto* row_starts = static_cast<const int*>(L.pi);
  const auto* starts = static_cast<const int*>(L.px);
  const auto* order = static_cast<const int*>(L.Perm);
  const auto* values = static_cast<const double*>(L.x);
  d.setConstant(static_cast<Eigen::Index>(L.n), std::nan(""));
  for (std::size_t s = 0; s < L.nsuper && static_cast<std::size_t>(first[s + 1]) <= L.minor; ++s) {
    const std::size_t rows = row_starts[s + 1] - row_starts[s];
    for (int k = first[s]; k < first[s + 1]; ++k) {
      const std::size_t c = k - first[s];
      const double l = values[starts[s] + c * (rows + 1)];
      d[order[k]] = l * l;
    }
  }
  if (L.minor < L.n) d[order[L.minor]] = 0;
}

double Supernodal::flops() const { return implementation_->flops; }

double Supernodal::nonzeros() const {
  const cholmod_factor& L = *implementation_->L;
  const auto* counts = static_cast<const int*>(L.ColCount);
  return std::accumulate(counts, counts + L.n, 0.0);
}

}  // namespace actio::algebra
