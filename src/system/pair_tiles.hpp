#pragma once
#include <actio/core/parallel.hpp>
#include <actio/expr/pairs.hpp>
#include <actio/system/pairs.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// Pairs cut into tiles for several threads. The indices of both loops are cut into the same blocks; a task is the pairs of two
// blocks a and b, with i in a and j in b, or the other way round. Tasks of one phase have no block in common, so that they write
// to no coordinate in common; phases follow one another, which makes the order of every sum the same for any number of threads.
namespace actio::system {

struct PairTiles {
  long first = 0, size = 0;                                   // block a: indices first + a size, ...
  std::vector<long> counts;                                   // tasks of each phase
  std::vector<std::size_t> starts;                            // the first task of each phase
  std::vector<std::pair<std::int32_t, std::int32_t>> blocks;  // of each task, phase by phase; a <= b

  long tasks() const { return static_cast<long>(blocks.size()); }
  expr::PairTile tile(std::int32_t a, std::int32_t b) const {
    return {first + a * size, first + (a + 1) * size, first + b * size, first + (b + 1) * size};
  }
  // f(tile) of the pairs of a task.
  template <class F>
  void for_each_tile(std::size_t task, F&& f) const {
    const auto [a, b] = blocks[task];
    f(tile(a, b));
    if (a != b) f(tile(b, a));
  }
  // f(task) of all, several at once where they have no coordinate in common.
  template <class F>
  void for_each_task(F&& f) const {
    if (tasks() == 1) return f(std::size_t{0});
    core::parallel_phases(
        counts, [&](long phase, long k, int) { f(starts[static_cast<std::size_t>(phase)] + static_cast<std::size_t>(k)); });
  }
};

PairTiles tiles_of(const Pairs& pairs);

}  // namespace actio::system
