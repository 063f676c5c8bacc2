#include <actio/expr/pairs.hpp>

#include <algorithm>

#include "pairs.hpp"

namespace actio::expr {

Extent extent_of(const PairLoops& loops) {
  Extent out;
  for (long i = loops.first; i <= loops.last; ++i) {
    const long from = loops.from(i, 0), to = loops.to(i, 0);
    if (to < from) continue;
    out = out.j_end == out.j ? Extent{from, to + 1} : Extent{std::min(out.j, from), std::max(out.j_end, to + 1)};
  }
  return out;
}

bool fit_for_loops(const PairLayout& layout) {
  if (layout.coordinates < 2) return false;
  const Extent extent = extent_of(layout.loops);
  struct Places {
    long constant, stride, lowest, highest;
  };
  std::vector<Places> places;
  for (long k = 0; k < layout.coordinates; ++k) {
    const Affine& a = layout.columns[static_cast<std::size_t>(k)];
    const bool of_j = a.by_j != 0;
    if ((a.by_i != 0) == of_j) return false;
    const long stride = of_j ? a.by_j : a.by_i;
    if (stride < 0) return false;
    const long first = of_j ? extent.j : layout.loops.first, last = of_j ? extent.j_end - 1 : layout.loops.last;
    const Places here{a.constant, stride, a.constant + stride * first, a.constant + stride * last};
    for (const Places& other : places) {
      const bool same = other.constant == here.constant && other.stride == stride;
      const bool never = other.stride == stride && (other.constant - here.constant) % stride != 0;
      if (!same && !never && other.lowest <= here.highest && here.lowest <= other.highest) return false;
    }
    places.push_back(here);
  }
  return true;
}

// One block of pairs after another: their columns gathered, the program run, what it gives added up.
namespace {
constexpr long block = 128;
template <class T>
T* memory_of(std::size_t size) {
  thread_local std::vector<T> memory;
  if (memory.size() < size) memory.resize(size);
  return memory.data();
}

Interpreted batch_of(KernelSource source) {
  source.batch = true;
  return Interpreted(source);
}

// Columns and outputs of a block, in the memory of a thread.
struct BlockOfPairs {
  BlockOfPairs(std::size_t columns, std::size_t outputs)
      : memory(memory_of<double>((columns + outputs) * static_cast<std::size_t>(block))),
        x(memory_of<const double*>(columns)),
        y(memory_of<double*>(outputs)) {
    for (std::size_t k = 0; k < columns; ++k) x[k] = memory + k * static_cast<std::size_t>(block);
    for (std::size_t l = 0; l < outputs; ++l) y[l] = memory + (columns + l) * static_cast<std::size_t>(block);
  }
  double* column(std::size_t k) const { return memory + k * static_cast<std::size_t>(block); }
  double* memory;
  const double** x;
  double** y;
};
}  // namespace

InterpretedPairs::InterpretedPairs(const KernelSource& source)
    : program_(batch_of(source)), layout_(*source.pairs), outputs_(static_cast<long>(source.outputs.size())) {}

PairKernel InterpretedPairs::kernel() const { return {&run, this}; }

void InterpretedPairs::run(const void* self, const double* u, const PairTile* tile, const double* q, const double* const* tables,
                           double* y) {
  const auto& of = *static_cast<const InterpretedPairs*>(self);
  const PairLayout& layout = of.layout_;
  const BatchKernel kernel = of.program_.batch();
  const std::size_t columns = layout.columns.size(), outputs = static_cast<std::size_t>(of.outputs_);
  const BlockOfPairs now(columns, outputs);
  const auto coordinates = static_cast<std::size_t>(layout.coordinates);
  double all = 0;
  for (long i = std::max(tile->i, layout.loops.first); i < std::min(tile->i_end, layout.loops.last + 1); ++i) {
    const long end = std::min(tile->j_end, layout.loops.to(i, 0) + 1);
    for (long j = std::max(tile->j, layout.loops.from(i, 0)); j < end; j += block) {
      const long count = std::min(block, end - j);
      for (std::size_t k = 0; k < columns; ++k) {
        const Affine& at = layout.columns[k];
        const double* from = (k < coordinates ? q : tables[k - coordinates]) + at(i, j);
        for (long e = 0; e < count; ++e) now.column(k)[e] = from[at.by_j * e];
      }
      kernel(count, u, now.x, now.y);
      for (std::size_t l = 0; l < outputs; ++l) {
        if (outputs != coordinates) {
          for (long e = 0; e < count; ++e) all += now.y[l][e];
          continue;
        }
        const Affine& at = layout.columns[l];
        double* const to = y + at(i, j);
        for (long e = 0; e < count; ++e) to[at.by_j * e] += now.y[l][e];
      }
    }
  }
  if (outputs != coordinates) *y += all;
}

InterpretedLists::InterpretedLists(const KernelSource& source)
    : near_(batch_of([&] {
        KernelSource near = source;
        near.outputs = {source.near};
        return near;
      }())),
      program_(batch_of(source)),
      layout_(*source.pairs),
      outputs_(static_cast<long>(source.outputs.size())) {}

PairListKernel InterpretedLists::kernel() const { return {&run, this}; }

void InterpretedLists::run(const void* self, const double* u, const PairRows* rows, const double* q, const double* const* tables,
                           double* y) {
  const auto& of = *static_cast<const InterpretedLists*>(self);
  const PairLayout& layout = of.layout_;
  const BatchKernel near = of.near_.batch(), kernel = of.program_.batch();
  const std::size_t columns = layout.columns.size(), outputs = static_cast<std::size_t>(of.outputs_);
  const auto coordinates = static_cast<std::size_t>(layout.coordinates);
  const BlockOfPairs now(columns, std::max<std::size_t>(outputs, 1));
  const auto take = [&](long i, const int* j, long count) {
    for (std::size_t k = 0; k < columns; ++k) {
      const double* const from = k < coordinates ? q : tables[k - coordinates];
      for (long e = 0; e < count; ++e) now.column(k)[e] = from[layout.columns[k](i, j[e])];
    }
  };
  double all = 0;
  int close[block];
  for (long i = rows->first; i < rows->last; ++i) {
    const long* const at = rows->starts + (i - layout.loops.first);
    for (long k = at[0]; k < at[1]; k += block) {
      const long tried = std::min(block, at[1] - k);
      const int* const j = rows->j + k;
      take(i, j, tried);
      near(tried, u, now.x, now.y);
      long count = 0;
      for (long e = 0; e < tried; ++e)
        if (now.y[0][e] < 0) close[count++] = j[e];
      if (count == 0) continue;
      take(i, close, count);
      kernel(count, u, now.x, now.y);
      for (std::size_t l = 0; l < outputs; ++l)
        for (long e = 0; e < count; ++e) {
          if (outputs != coordinates)
            all += now.y[l][e];
          else
            y[layout.columns[l](i, close[e])] += now.y[l][e];
        }
    }
  }
  if (outputs != coordinates) *y += all;
}

}  // namespace actio::expr
