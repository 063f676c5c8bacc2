#include "blocks.hpp"

#include <algorithm>
#include <cassert>

#define ACTIO_KERNEL "blocks_kernel.hpp"
#include "each_machine.hpp"
#include "entry.hpp"

namespace actio::algebra {

BlocksAnalysis::BlocksAnalysis(const SparseMatrix& pattern, const std::vector<int>& order, const std::vector<int>& starts)
    : n_(static_cast<long>(order.size())) {
  std::vector<std::vector<int>> of_size(most + 1);
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    const int size = starts[k + 1] - starts[k];
    assert(size <= most);
    of_size[size].push_back(starts[k]);
    nonzeros_ += size * (size + 1) / 2;
  }
  for (int size = 1; size <= most; ++size) {
    const auto& blocks = of_size[size];
    for (std::size_t first = 0; first < blocks.size(); first += lanes) {
      sizes_.push_back(size);
      const auto each = [&](auto&& slot) {
        LaneSlots slots;
        for (int k = 0; k < lanes; ++k) slots.at[k] = slot(order.data() + blocks[std::min(first + k, blocks.size() - 1)]);
        return slots;
      };
      for (int i = 0; i < size; ++i) {
        coordinates_.push_back(each([&](const int* c) { return c[i]; }));
        for (int j = 0; j <= i; ++j) slots_.push_back(each([&](const int* c) { return entry(pattern, c[i], c[j]); }));
      }
    }
  }
}

Blocks::Blocks(std::shared_ptr<const BlocksAnalysis> analysis, Machine on)
    : analysis_(std::move(analysis)), machine_(on), factor_(analysis_->slots_.size()) {
  const LaneSlots *coordinates = analysis_->coordinates_.data(), *slots = analysis_->slots_.data();
  StoredLanes* to = factor_.data();
  for (const int size : analysis_->sizes_) {
    const int entries = size * (size + 1) / 2;
    const bool full = std::all_of(slots, slots + entries, [](const LaneSlots& s) {
      return std::all_of(s.at, s.at + lanes, [](std::int32_t at) { return at >= 0; });
    });
    packs_.push_back({size, full, coordinates, slots, to});
    coordinates += size;
    slots += entries;
    to += entries;
  }
}

bool Blocks::factor(const SparseMatrix& K) {
  return ACTIO_ON_MACHINE(machine_, factor(packs_.data(), packs_.data() + packs_.size(), K.valuePtr()));
}

void Blocks::solve(const double* b, double* x, Work&) const {
  ACTIO_ON_MACHINE(machine_, solve(packs_.data(), packs_.data() + packs_.size(), b, x));
}

void Blocks::pivots(Eigen::VectorXd& d) const {
  d.resize(analysis_->n_);
  for (const Pack& pack : packs_)
    for (int i = 0; i < pack.size; ++i)
      for (int k = 0; k < lanes; ++k) d[pack.coordinates[i].at[k]] = 1 / pack.factor[i * (i + 1) / 2 + i].value[k];
}

}  // namespace actio::algebra
