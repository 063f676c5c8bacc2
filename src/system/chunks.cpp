#include "chunks.hpp"

#include <cstdint>
#include <numeric>
#include <optional>

#include <actio/system/pairs.hpp>

namespace actio::system {
namespace {

constexpr long fewest = 16, most = 256;  // chunks of a batch: below, a loop is over before other threads have begun
constexpr long fewest_of_a_colour = 4;   // on average
constexpr std::size_t most_colours = 64;

// Each chunk takes the colour, of those none of its coordinates has seen, that fewest others have.
template <class Each>
std::optional<std::vector<std::int32_t>> colour_of(const Chunks& chunks, long elements, long n, Each&& each,
                                                   std::vector<long>& of) {
  std::vector<std::uint64_t> seen(static_cast<std::size_t>(n));  // a bit a colour
  std::vector<std::int32_t> out;
  for (long k = 0; k < chunks.count; ++k) {
    const long begin = k * chunks.size, end = std::min(begin + chunks.size, elements);
    std::uint64_t near = 0;
    each(begin, end, [&](std::int32_t i) { near |= seen[static_cast<std::size_t>(i)]; });
    std::size_t colour = of.size();
    for (std::size_t c = 0; c < of.size(); ++c)
      if (!(near >> c & 1) && (colour == of.size() || of[c] < of[colour])) colour = c;
    if (colour == most_colours) return {};
    if (colour == of.size()) of.push_back(0);
    ++of[colour];
    out.push_back(static_cast<std::int32_t>(colour));
    each(begin, end, [&](std::int32_t i) { seen[static_cast<std::size_t>(i)] |= std::uint64_t{1} << colour; });
  }
  return out;
}

// each(begin, end, f): f(i) of every coordinate that the elements [begin, end) write to.
template <class Each>
std::shared_ptr<const Chunks> chunks_of(long elements, long smallest, long n, Each&& each) {
  if (elements < fewest * smallest) return nullptr;
  auto out = std::make_shared<Chunks>();
  out->size = smallest;
  while (elements > most * out->size) out->size *= 2;
  out->count = (elements + out->size - 1) / out->size;
  const auto colours = colour_of(*out, elements, n, each, out->colours);
  if (!colours || out->count < fewest_of_a_colour * static_cast<long>(out->colours.size())) return nullptr;
  out->order.resize(colours->size());
  std::iota(out->order.begin(), out->order.end(), 0);
  std::ranges::stable_sort(out->order, {}, [&](std::int32_t k) { return (*colours)[static_cast<std::size_t>(k)]; });
  long start = 0;
  for (const long count : out->colours) {
    out->starts.push_back(start);
    start += count;
  }
  return out;
}

// `unit` elements twice and twice again, until there are `enough`.
long at_least(long enough, long unit) {
  while (unit < enough) unit *= 2;
  return unit;
}
long smallest_of(const ElementDofs& b) { return at_least(8192 / std::max(1L, b.locals), 128); }

}  // namespace

std::shared_ptr<const Chunks> chunks_of(const Batch& b, long n) {
  if (b.interpolation) {
    const long nodes = b.interpolation->nodes;
    return chunks_of(b.elements, at_least(1024 / (nodes * b.interpolation->points), 8), n, [&](long begin, long end, auto&& f) {
      for (long k = begin * nodes; k < end * nodes; ++k) f(b.nodes[static_cast<std::size_t>(k)]);
    });
  }
  if (b.pairs)
    return chunks_of(b.elements, smallest_of(b), n, [&](long begin, long end, auto&& f) {
      b.pairs->for_each_run(begin, end - begin, [&](long, long i, long j, long length) {
        for (const expr::Affine& dof : b.pairs->dofs)
          for (long k = 0; k < length; k += dof.by_j == 0 ? length : 1) f(static_cast<std::int32_t>(dof(i, j + k)));
      });
    });
  return chunks_of(b.elements, smallest_of(b), n, [&](long begin, long end, auto&& f) {
    for (long l = 0; l < b.locals; ++l)
      for (long e = begin; e < end; ++e) f(b.dofs[static_cast<std::size_t>(l * b.elements + e)]);
  });
}

std::shared_ptr<const Chunks> chunks_of(const RowBatch& b, long n) {
  return chunks_of(b.elements, smallest_of(b), n, [&](long begin, long end, auto&& f) {
    for (long e = begin; e < end; ++e) f(b.rows[static_cast<std::size_t>(e)]);
  });
}

std::shared_ptr<const Chunks> chunks_of(const ConstraintBatch& b) {
  return chunks_of(b.elements, smallest_of(b), 0, [](long, long, auto&&) {});
}

}  // namespace actio::system
