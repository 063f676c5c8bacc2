#pragma once
#include <algorithm>
#include <span>
#include <type_traits>

// Loops that several threads run together, by oneTBB; none is started before the first of them. What they compute must not depend
// on who runs what: neither on the number of threads nor on chance.
namespace actio::core {

// How many threads run a loop: what set_threads said last; else ACTIO_THREADS; else as many as there are cores to run on.
// Throws InputError: ACTIO_THREADS is no whole number from 1 to 1024.
int threads();
inline constexpr int most_threads = 1024;
void set_threads(int count);  // from 1 to most_threads; not while a loop runs

namespace detail {
void run(std::span<const long> counts, void (*body)(void*, long phase, long i, int slot), void* of);
}

// f(phase, i, slot) for i in [0, counts[phase]) in any order, one phase after another. No two calls at once have the same slot,
// which is less than threads(). What a call throws comes out, once those under way have ended. f starts no loop itself.
template <class F>
void parallel_phases(std::span<const long> counts, F&& f) {
  const auto body = [](void* of, long phase, long i, int slot) {
    (*static_cast<std::remove_reference_t<F>*>(of))(phase, i, slot);
  };
  detail::run(counts, body, const_cast<void*>(static_cast<const void*>(&f)));
}
template <class F>
void parallel_for(long count, F&& f) {  // f(i, slot)
  parallel_phases(std::span(&count, 1), [&f](long, long i, int slot) { f(i, slot); });
}

inline constexpr long worth_a_thread = 1 << 16;  // entries of a matrix: some 50 microseconds

// f(begin, end) of ranges that make up [0, n), each of at least `grain`; of [0, n) itself where there are no two of these.
template <class F>
void parallel_ranges(long n, long grain, F&& f) {
  if (n < 2 * grain) return f(0L, n);
  const long ranges = std::min(n / grain, 4L * threads());
  parallel_for(ranges, [&](long k, int) { f(n * k / ranges, n * (k + 1) / ranges); });
}

}  // namespace actio::core
