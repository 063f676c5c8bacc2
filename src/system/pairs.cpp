#include <actio/system/pairs.hpp>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/system/compiled.hpp>
#include <bit>

#include "pair_tiles.hpp"

namespace actio::system {

Pairs::Pairs(expr::PairLoops of, std::vector<expr::Affine> dof, std::vector<expr::Affine> datum)
    : loops(of), dofs(std::move(dof)), data(std::move(datum)) {
  starts.reserve(static_cast<std::size_t>(std::max(0L, loops.last - loops.first + 1)) + 1);
  long count = 0;
  for (long i = loops.first; i <= loops.last; ++i) {
    starts.push_back(count);
    count += std::max(0L, loops.to(i, 0) - loops.from(i, 0) + 1);
  }
  starts.push_back(count);
}

std::pair<long, long> Pairs::range_of_j() const {
  long lowest = 0, highest = -1;
  for_each_run(0, elements(), [&](long, long, long j, long length) {
    lowest = highest < lowest ? j : std::min(lowest, j);
    highest = std::max(highest, j + length - 1);
  });
  return {lowest, highest};
}

std::int32_t ElementFunction::dof(long l, long e) const {
  if (!pairs) return dofs[static_cast<std::size_t>(l * elements + e)];
  const auto [i, j] = pairs->place(e);
  return static_cast<std::int32_t>(pairs->dofs[static_cast<std::size_t>(l)](i, j));
}

double ElementFunction::datum(std::size_t column, long e) const {
  if (!pairs) return data[column][static_cast<std::size_t>(e)];
  const auto [i, j] = pairs->place(e);
  return data[column][static_cast<std::size_t>(pairs->data[column](i, j))];
}

std::int32_t ElementDofs::dof(long l, long e) const {
  if (!pairs) return dofs[static_cast<std::size_t>(l * elements + e)];
  const auto [i, j] = pairs->place(e);
  return static_cast<std::int32_t>(pairs->dofs[static_cast<std::size_t>(l)](i, j));
}

constexpr std::size_t most_entries = 1'000'000'000;  // of index and data tables together

void need_few_pairs(const ElementFunction& function, const char* why) {
  if (!function.pairs || !function.pairs->near || function.pairs->elements() <= most_of_all_pairs) return;
  throw core::InputError(fmt::format("{}: {}, and so all {} pairs of the {} points are taken, at most {}", function.name, why,
                                     function.pairs->elements(), function.pairs->near->points, most_of_all_pairs),
                         "verlet, rattle and shake on one process, with a potential of the two points alone, go by a list of the "
                         "pairs that are near");
}

void tabulate(ElementFunction& function) {
  if (!function.pairs) return;
  need_few_pairs(function,
                 "the potential has coordinates beside those of its two points, or the method takes discrete gradients, "
                 "or there are several processes");
  const Pairs& pairs = *function.pairs;
  const auto n = static_cast<std::size_t>(function.elements);
  if (pairs.dofs.size() + 2 * pairs.data.size() > most_entries / std::max<std::size_t>(n, 1))
    throw core::InputError(fmt::format("the {} pairs of {} need tables of more than {} entries", n, function.name, most_entries));
  std::vector<std::int32_t> dofs;
  dofs.reserve(pairs.dofs.size() * n);
  for (const expr::Affine& index : pairs.dofs)
    pairs.for_each_run(0, function.elements, [&](long, long i, long j, long length) {
      for (const long end = j + length; j < end; ++j) dofs.push_back(static_cast<std::int32_t>(index(i, j)));
    });
  std::vector<std::vector<double>> data(function.data.size());
  for (std::size_t k = 0; k < data.size(); ++k) {
    data[k].reserve(n);
    pairs.for_each_run(0, function.elements, [&](long, long i, long j, long length) {
      for (const long end = j + length; j < end; ++j)
        data[k].push_back(function.data[k][static_cast<std::size_t>(pairs.data[k](i, j))]);
    });
  }
  function.dofs = std::move(dofs);
  function.data = std::move(data);
  function.pairs = nullptr;
}

namespace {

constexpr long block = 128;          // indices of a tile's side: some 20 microseconds
constexpr long most_blocks = 256;    // above, larger ones
constexpr long worth_tiles = 32768;  // pairs: below, a loop is over before other threads have begun

}  // namespace

PairTiles tiles_of(const Pairs& pairs) {
  const auto [lowest, highest] = pairs.range_of_j();
  PairTiles out;
  out.first = std::min(pairs.loops.first, lowest);
  const long indices = std::max(1L, std::max(pairs.loops.last, highest) + 1 - out.first);
  out.size = block;
  while (indices > most_blocks * out.size) out.size *= 2;
  if (pairs.elements() < worth_tiles) out.size = indices;
  const long blocks = (indices + out.size - 1) / out.size,
             phases = static_cast<long>(std::bit_ceil(static_cast<unsigned long>(blocks)));
  const auto any = [&](long a, long b) {  // some pair has i in a and j in b
    const expr::PairTile tile = out.tile(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    for (long i = std::max(tile.i, pairs.loops.first); i < tile.i_end && i <= pairs.loops.last; ++i)
      if (std::max(tile.j, pairs.loops.from(i, 0)) <= std::min(tile.j_end - 1, pairs.loops.to(i, 0))) return true;
    return false;
  };
  for (long phase = 0; phase < phases; ++phase) {
    out.starts.push_back(out.blocks.size());
    for (long a = 0; a < blocks; ++a) {
      const long b = a ^ phase;
      if (a <= b && b < blocks && (any(a, b) || any(b, a)))
        out.blocks.emplace_back(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    }
    out.counts.push_back(static_cast<long>(out.blocks.size() - out.starts.back()));
  }
  return out;
}

}  // namespace actio::system
