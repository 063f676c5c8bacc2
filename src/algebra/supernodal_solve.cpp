#include "supernodal_solve.hpp"

#include <actio/core/parallel.hpp>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#define ACTIO_KERNEL "supernodal_kernel.hpp"
#include "each_machine.hpp"

namespace actio::algebra {
namespace {

constexpr double least_divided = 4.0 * core::worth_a_thread;  // entries of L, from which on it is divided at all
constexpr double least_large = 1.0 * core::worth_a_thread;    // entries of a supernode, from which on it is
constexpr int panel = 128, block = 512, group = 8;            // columns, rows, columns

}  // namespace

SupernodalSolve::SupernodalSolve(const SupernodalShape& shape, Machine on) : shape_(shape), machine_(on) {
  const int count = shape_.count();
  std::vector<double> weights(static_cast<std::size_t>(count));
  double entries = 0;
  for (int s = 0; s < count; ++s) {
    most_rows_ = std::max(most_rows_, shape_.height(s));
    entries += weights[s] = shape_.entries(s);
  }
  if (entries >= least_divided) subtrees_ = divide(shape_, weights);
  if (subtrees_.empty()) subtrees_ = {{0, count}};
  std::vector<bool> below(static_cast<std::size_t>(count), false);
  for (const Subtree& range : subtrees_) std::fill(below.begin() + range.begin, below.begin() + range.end, true);
  place_above_.assign(static_cast<std::size_t>(shape_.n), -1);
  for (int s = 0; s < count; ++s) {
    if (below[s]) continue;
    above_.push_back(s);
    for (int k = shape_.first[s]; k < shape_.first[s + 1]; ++k) place_above_[k] = columns_above_++;
  }
  plan();
}

void SupernodalSolve::plan() {
  using Kind = Phase::Kind;
  const auto is_large = [&](int s) { return shape_.entries(s) >= least_large; };
  const int count = static_cast<int>(above_.size());
  forward_.push_back({Kind::subtrees, subtrees(), 0, 0, 0, 0});
  if (count > 0) forward_.push_back({Kind::gather, 1, 0, 0, 0, 0});
  for (int k = 0; k < count;) {
    const int s = above_[k], columns = shape_.columns(s), rows = shape_.height(s);
    if (!is_large(s)) {
      const int begin = k;
      while (k < count && !is_large(above_[k])) ++k;
      forward_.push_back({Kind::small, 1, begin, k, 0, 0});
      continue;
    }
    forward_.push_back({Kind::open, 1, s, s + 1, 0, 0});
    for (int c = 0; c < columns; c += panel) {
      const int end = std::min(c + panel, columns);
      forward_.push_back({Kind::panel, 1, s, s + 1, c, end});
      if (rows > end) forward_.push_back({Kind::rest, (rows - end + block - 1) / block, s, s + 1, c, end});
    }
    forward_.push_back({Kind::close, 1, s, s + 1, 0, 0});
    ++k;
  }
  for (int k = count; k > 0;) {
    const int s = above_[k - 1], columns = shape_.columns(s), rows = shape_.height(s);
    if (!is_large(s)) {
      const int end = k;
      while (k > 0 && !is_large(above_[k - 1])) --k;
      backward_.push_back({Kind::small, 1, k, end, 0, 0});
      continue;
    }
    backward_.push_back({Kind::open, 1, s, s + 1, 0, 0});
    for (int c = (columns - 1) / panel * panel; c >= 0; c -= panel) {
      const int end = std::min(c + panel, columns);
      if (rows > end) backward_.push_back({Kind::rest, (end - c + group - 1) / group, s, s + 1, c, end});
      backward_.push_back({Kind::panel, 1, s, s + 1, c, end});
    }
    --k;
  }
  backward_.push_back({Kind::subtrees, subtrees(), 0, 0, 0, 0});
  for (const Phase& phase : forward_) forward_tasks_.push_back(phase.tasks);
  for (const Phase& phase : backward_) backward_tasks_.push_back(phase.tasks);
}

template <class Entry>
void SupernodalSolve::forwards(const Entry* values, int s, double* y, double* w, double* above) const {
  const long columns = shape_.columns(s), rows = shape_.height(s);
  const int* at = shape_.rows.data() + shape_.row_starts[s];
  std::fill(w, w + rows, 0.0);
  ACTIO_ON_MACHINE(machine_, eliminate(values + shape_.starts[s], rows, columns, rows, y + shape_.first[s], w));
  if (above == nullptr) {
    for (long i = columns; i < rows; ++i) y[at[i]] -= w[i];
    return;
  }
  long i = columns;
  for (; i < rows && place_above_[at[i]] < 0; ++i) y[at[i]] -= w[i];
  for (; i < rows; ++i) above[place_above_[at[i]]] -= w[i];
}

template <class Entry>
void SupernodalSolve::backwards(const Entry* values, int s, double* y, double* w) const {
  const long columns = shape_.columns(s), rows = shape_.height(s);
  const int* at = shape_.rows.data() + shape_.row_starts[s];
  double* sums = w + most_rows_;
  for (long i = columns; i < rows; ++i) w[i] = y[at[i]];
  std::fill(sums, sums + columns, 0.0);
  ACTIO_ON_MACHINE(machine_, substitute(values + shape_.starts[s], rows, columns, rows, y + shape_.first[s], w, sums));
}

template <class Entry>
void SupernodalSolve::forwards(const Phase& phase, long task, const Entry* values, Work& work, int slot) const {
  double *const y = work.y.data(), *const w = work.of_thread[slot].data(), *const shared = work.shared.data();
  const int s = phase.begin, c = phase.column, end = phase.column_end;
  switch (phase.kind) {
    case Phase::Kind::subtrees: {
      double* above = work.above.data() + task * columns_above_;
      std::fill(above, above + columns_above_, 0.0);
      for (int k = subtrees_[task].begin; k < subtrees_[task].end; ++k) forwards(values, k, y, w, above);
      return;
    }
    case Phase::Kind::gather: {
      for (long k = 0; k < shape_.n; ++k)
        if (const int place = place_above_[k]; place >= 0)
          for (long from = 0; from < subtrees(); ++from) y[k] += work.above[from * columns_above_ + place];
      return;
    }
    case Phase::Kind::small:
      for (int k = phase.begin; k < phase.end; ++k) forwards(values, above_[k], y, w, nullptr);
      return;
    default:
      break;
  }
  const long rows = shape_.height(s);
  const Entry* L = values + shape_.starts[s] + c * rows;
  double* own = y + shape_.first[s] + c;
  if (phase.kind == Phase::Kind::open) {
    std::fill(shared, shared + rows, 0.0);
  } else if (phase.kind == Phase::Kind::panel) {
    ACTIO_ON_MACHINE(machine_, eliminate(L + c, rows, end - c, end - c, own, shared + c));
  } else if (phase.kind == Phase::Kind::rest) {
    const long from = end + task * block, to = std::min<long>(from + block, rows);
    ACTIO_ON_MACHINE(machine_, add_panel(L + from, rows, end - c, own, to - from, shared + from));
  } else {
    const int* at = shape_.rows.data() + shape_.row_starts[s];
    for (long i = shape_.columns(s); i < rows; ++i) y[at[i]] -= shared[i];
  }
}

template <class Entry>
void SupernodalSolve::backwards(const Phase& phase, long task, const Entry* values, Work& work, int slot) const {
  double *const y = work.y.data(), *const w = work.of_thread[slot].data(), *const shared = work.shared.data();
  const int s = phase.begin, c = phase.column, end = phase.column_end;
  if (phase.kind == Phase::Kind::subtrees) {
    for (int k = subtrees_[task].end - 1; k >= subtrees_[task].begin; --k) backwards(values, k, y, w);
    return;
  }
  if (phase.kind == Phase::Kind::small) {
    for (int k = phase.end - 1; k >= phase.begin; --k) backwards(values, above_[k], y, w);
    return;
  }
  const long rows = shape_.height(s);
  const Entry* L = values + shape_.starts[s] + c * rows;
  double* sums = shared + most_rows_;
  if (phase.kind == Phase::Kind::open) {
    const int* at = shape_.rows.data() + shape_.row_starts[s];
    for (long i = shape_.columns(s); i < rows; ++i) shared[i] = y[at[i]];
    std::fill(sums, sums + shape_.columns(s), 0.0);
  } else if (phase.kind == Phase::Kind::rest) {
    const long from = task * group, to = std::min<long>(from + group, end - c);
    ACTIO_ON_MACHINE(machine_,
                     add_products_of_panel(L + from * rows + end, rows, to - from, shared + end, rows - end, sums + c + from));
  } else {
    ACTIO_ON_MACHINE(machine_, substitute(L + c, rows, end - c, end - c, y + shape_.first[s] + c, shared + c, sums + c));
  }
}

template <class Entry>
void SupernodalSolve::solve_with(const Entry* values, const double* b, double* x, Work& work) const {
  const bool divided = !above_.empty() || subtrees() > 1;
  const std::size_t rows = static_cast<std::size_t>(most_rows_),
                    threads = divided ? static_cast<std::size_t>(core::threads()) : 1;
  work.y.resize(static_cast<std::size_t>(shape_.n));
  work.shared.resize(2 * rows);
  work.above.resize(static_cast<std::size_t>(subtrees() * columns_above_));
  if (work.of_thread.size() < threads) work.of_thread.resize(threads);
  for (auto& each : work.of_thread) each.resize(2 * rows);
  for (long k = 0; k < shape_.n; ++k) work.y[k] = b[shape_.order[k]];
  const auto forward = [&](long phase, long task, int slot) { forwards(forward_[phase], task, values, work, slot); };
  const auto backward = [&](long phase, long task, int slot) { backwards(backward_[phase], task, values, work, slot); };
  if (divided) {
    core::parallel_phases(forward_tasks_, forward);
    core::parallel_phases(backward_tasks_, backward);
  } else {
    forward(0, 0, 0);
    backward(0, 0, 0);
  }
  for (long k = 0; k < shape_.n; ++k) x[shape_.order[k]] = work.y[k];
}
template void SupernodalSolve::solve_with(const double*, const double*, double*, Work&) const;
template void SupernodalSolve::solve_with(const float*, const double*, double*, Work&) const;

}  // namespace actio::algebra
