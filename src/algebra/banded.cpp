#include "banded.hpp"

#include <cassert>

#define ACTIO_KERNEL "banded_kernel.hpp"
#include "each_machine.hpp"
#include "entry.hpp"

namespace actio::algebra {

BandedAnalysis::BandedAnalysis(const SparseMatrix& pattern, std::vector<int> order, int bandwidth)
    : n_(static_cast<long>(order.size())), bandwidth_(bandwidth), order_(std::move(order)) {
  assert(bandwidth <= most);
  slots_.reserve(order_.size() * static_cast<std::size_t>(bandwidth + 1));
  for (long r = 0; r < n_; ++r)
    for (int k = 0; k <= bandwidth; ++k) slots_.push_back(k <= r ? entry(pattern, order_[r], order_[r - k]) : -1);
}

Banded::Banded(std::shared_ptr<const BandedAnalysis> analysis, Machine on)
    : analysis_(std::move(analysis)), machine_(on), factor_(analysis_->slots_.size()) {}

bool Banded::factor(const SparseMatrix& K) {
  const BandedAnalysis& a = *analysis_;
  return ACTIO_ON_MACHINE(machine_, factor(a.n_, a.bandwidth_, K.valuePtr(), a.slots_.data(), factor_.data()));
}

void Banded::solve(const double* b, double* x, Work& work) const {
  const BandedAnalysis& a = *analysis_;
  work.resize(a.order_.size());
  ACTIO_ON_MACHINE(machine_, solve(a.n_, a.bandwidth_, factor_.data(), a.order_.data(), b, x, work.data()));
}

void Banded::pivots(Eigen::VectorXd& d) const {
  const BandedAnalysis& a = *analysis_;
  d.resize(a.n_);
  for (long j = 0; j < a.n_; ++j) d[a.order_[j]] = 1 / factor_[j * (a.bandwidth_ + 1)];
}

}  // namespace actio::algebra
