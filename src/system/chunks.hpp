#pragma once
#include <actio/core/parallel.hpp>
#include <actio/system/compiled.hpp>
#include <algorithm>

// Large batches cut into chunks, and loops over them.
namespace actio::system {

// Of a batch with its places, n coordinates: null where it is too small, or too many of its chunks write to the same coordinates.
std::shared_ptr<const Chunks> chunks_of(const Batch& b, long n);
std::shared_ptr<const Chunks> chunks_of(const RowBatch& b, long n);
std::shared_ptr<const Chunks> chunks_of(const ConstraintBatch& b);

// f(begin, end, slot) for each chunk of a batch that has some: those of one colour by several threads, colour by colour.
template <class F>
void for_each_coloured(const ElementDofs& b, F&& f) {
  const Chunks& chunks = *b.chunks;
  core::parallel_phases(chunks.colours, [&](long colour, long i, int slot) {
    const long k = chunks.order[static_cast<std::size_t>(chunks.starts[static_cast<std::size_t>(colour)] + i)];
    f(k * chunks.size, std::min((k + 1) * chunks.size, b.elements), slot);
  });
}
// f(k, begin, end, slot) for each chunk k, in any order.
template <class F>
void for_each_chunk_at_once(const ElementDofs& b, F&& f) {
  const Chunks& chunks = *b.chunks;
  core::parallel_for(chunks.count, [&](long k, int slot) {
    f(static_cast<std::size_t>(k), k * chunks.size, std::min((k + 1) * chunks.size, b.elements), slot);
  });
}

}  // namespace actio::system
