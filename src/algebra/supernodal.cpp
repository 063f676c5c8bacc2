#include "supernodal.hpp"

#include <cholmod.h>

#include <actio/core/error.hpp>
#include <actio/core/parallel.hpp>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <span>

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

template <class Number>
std::span<const int> view(const void* numbers, Number count) {
  return {static_cast<const int*>(numbers), static_cast<std::size_t>(count)};
}

SupernodalShape shape_of(const cholmod_factor& L) {
  return {.n = static_cast<int>(L.n),
          .first = view(L.super, L.nsuper + 1),
          .row_starts = view(L.pi, L.nsuper + 1),
          .rows = view(L.s, L.ssize),
          .starts = view(L.px, L.nsuper + 1),
          .order = view(L.Perm, L.n)};
}

struct Analysis final : SupernodalAnalysis {
  ~Analysis() override { cholmod_free_factor(&symbolic, &common); }
  mutable Common common;
  cholmod_factor* symbolic = nullptr;
  std::optional<SupernodalSolve> solve;
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
  analysis->solve.emplace(shape_of(*analysis->symbolic));
  return analysis;
}

// L in single precision, made at its first need: a factor may be shared by several threads.
struct InSingle {
  std::once_flag once;
  std::vector<float> values;  // none: they are not exact enough
};
// |x_single - x| / |x| up to which they are, each x_i in units of 1/sqrt(K_ii). Iterations lose about as much in each increment;
// those by the factor of an earlier matrix seldom gain more than two digits.
constexpr double exact_enough = 1e-3;

struct Supernodal::Implementation {
  std::shared_ptr<const SupernodalAnalysis> analysis;
  Common common;
  cholmod_factor* L = nullptr;
  double flops = 0;
  std::unique_ptr<InSingle> single = std::make_unique<InSingle>();
  Eigen::VectorXd scale;  // sqrt(K_ii)
  const double* values() const { return static_cast<const double*>(L->x); }
  const SupernodalSolve& solver() const { return *static_cast<const Analysis&>(*analysis).solve; }
  const std::vector<float>& in_single(Work& work) const;
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
  s.single = std::make_unique<InSingle>();
  s.scale = K.diagonal().cwiseSqrt();
  s.common.check();
  if (s.common.status == CHOLMOD_NOT_POSDEF) return false;
  Eigen::VectorXd d;
  pivots(d);
  return d.allFinite();  // what is not finite in row i of K makes L_ii so
}

// Tried on a vector of its own, so that what is found does not depend on who asks first.
const std::vector<float>& Supernodal::Implementation::in_single(Work& work) const {
  std::call_once(single->once, [&] {
    std::vector<float>& values_in_single = single->values;
    try {
      values_in_single.resize(L->xsize);
    } catch (const std::bad_alloc&) { return; }  // there is room for the other
    core::parallel_ranges(static_cast<long>(L->xsize), core::worth_a_thread, [&](long begin, long end) {
      for (long k = begin; k < end; ++k) values_in_single[k] = static_cast<float>(values()[k]);
    });
    const auto n = static_cast<Eigen::Index>(L->n);
    std::uint64_t state = 1;
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(n, [&](Eigen::Index i) {  // signs that follow no pattern of K's
      state = state * 6364136223846793005u + 1442695040888963407u;
      return (state >> 63) == 0 ? scale[i] : -scale[i];
    });
    Eigen::VectorXd x(n), in_double(n);
    solver().solve(values(), b.data(), in_double.data(), work);
    solver().solve(values_in_single.data(), b.data(), x.data(), work);
    x = scale.cwiseProduct(x - in_double);
    if (!(x.norm() <= exact_enough * scale.cwiseProduct(in_double).norm())) values_in_single = {};
  });
  return single->values;
}

void Supernodal::solve(const double* b, double* x, Work& work, Digits digits) const {
  const Implementation& s = *implementation_;
  if (digits == Digits::few)
    if (const auto& values = s.in_single(work); !values.empty()) return s.solver().solve(values.data(), b, x, work);
  s.solver().solve(s.values(), b, x, work);
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
