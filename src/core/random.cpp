#include <actio/core/random.hpp>

#include <algorithm>

// Compiled so that each sum and product is rounded by itself (CMakeLists.txt): the loops become vectors, and every machine makes
// the same numbers.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__AVX512F__) && !defined(__SANITIZE_ADDRESS__)
#define ACTIO_EACH_MACHINE [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define ACTIO_EACH_MACHINE
#endif

namespace actio::core {

namespace {

#define ACTIO_INLINE [[gnu::always_inline]] inline

// In (0, 1), from 52 bits: never 0 or 1.
ACTIO_INLINE double unit(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 20) | (low >> 12);
  return (__builtin_bit_cast(double, bits | 0x3FF0000000000000) - 1) + 0x1p-53;
}

// log u for u in (0, 1), to some eps of it: u = m 2^-k with m in [sqrt 1/2, sqrt 2), log m = 2 atanh((m - 1)/(m + 1)).
ACTIO_INLINE double log_of(double u) {
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCD;
  const auto bits = __builtin_bit_cast(std::uint64_t, u);
  const std::uint64_t k = (root_half + 0x000FFFFFFFFFFFFF - bits) >> 52;
  const double m = __builtin_bit_cast(double, bits + (k << 52));
  const double count = __builtin_bit_cast(double, 0x4330000000000000 | k) - 0x1p52;
  const double s = (m - 1) / (m + 1), z = s * s;
  double sum = 1.0 / 23;
  sum = sum * z + 1.0 / 21;
  sum = sum * z + 1.0 / 19;
  sum = sum * z + 1.0 / 17;
  sum = sum * z + 1.0 / 15;
  sum = sum * z + 1.0 / 13;
  sum = sum * z + 1.0 / 11;
  sum = sum * z + 1.0 / 9;
  sum = sum * z + 1.0 / 7;
  sum = sum * z + 1.0 / 5;
  sum = sum * z + 1.0 / 3;
  return (2 * s + 2 * s * (z * sum)) - count * 0.693147180559945309417;
}

struct Pair {
  double cosine, sine;
};

// cos and sin of 2 pi u for u in (0, 1): by Taylor's series in the quarter turn that is nearest.
ACTIO_INLINE Pair turn(double u) {
  const double shifted = 4 * u + 0x1.8p52;  // the last bits: the nearest quarter
  const auto quarter = __builtin_bit_cast(std::uint64_t, shifted);
  const double x = (4 * u - (shifted - 0x1.8p52)) * 1.57079632679489661923, z = x * x;
  double s = 1.0 / 355687428096000;
  s = s * z - 1.0 / 1307674368000;
  s = s * z + 1.0 / 6227020800;
  s = s * z - 1.0 / 39916800;
  s = s * z + 1.0 / 362880;
  s = s * z - 1.0 / 5040;
  s = s * z + 1.0 / 120;
  s = s * z - 1.0 / 6;
  s = x + x * (z * s);
  double c = 1.0 / 20922789888000;
  c = c * z - 1.0 / 87178291200;
  c = c * z + 1.0 / 479001600;
  c = c * z - 1.0 / 3628800;
  c = c * z + 1.0 / 40320;
  c = c * z - 1.0 / 720;
  c = c * z + 1.0 / 24;
  c = c * z - 1.0 / 2;
  c = 1 + z * c;
  // A quarter on, (c, s) becomes (-s, c).
  const std::uint64_t odd = 0 - (quarter & 1), of_cosine = ((quarter + 1) & 2) << 62, of_sine = (quarter & 2) << 62;
  const auto cb = __builtin_bit_cast(std::uint64_t, c), sb = __builtin_bit_cast(std::uint64_t, s);
  return {__builtin_bit_cast(double, ((cb & ~odd) | (sb & odd)) ^ of_cosine),
          __builtin_bit_cast(double, ((sb & ~odd) | (cb & odd)) ^ of_sine)};
}

// Box and Muller.
ACTIO_INLINE Pair normals_of(std::uint32_t x0, std::uint32_t x1, std::uint32_t x2, std::uint32_t x3) {
  const double r = __builtin_sqrt(-2 * log_of(unit(x0, x1)));
  const Pair at = turn(unit(x2, x3));
  return {r * at.cosine, r * at.sine};
}

// Pairs at once: each loop over them becomes one of vectors.
constexpr long block = 32;
struct Block {
  alignas(64) std::uint32_t x0[block], x1[block], x2[block], x3[block];  // counters, then random bits
  alignas(64) double out[2 * block];
};

ACTIO_EACH_MACHINE void make(PhiloxKey key, long pairs, Block& b) {
  for (int round = 0; round < philox_rounds; ++round, key.next())
    for (long k = 0; k < pairs; ++k) philox_round(key, b.x0[k], b.x1[k], b.x2[k], b.x3[k]);
  for (long k = 0; k < pairs; ++k) {
    const Pair pair = normals_of(b.x0[k], b.x1[k], b.x2[k], b.x3[k]);
    b.out[2 * k] = pair.cosine;
    b.out[2 * k + 1] = pair.sine;
  }
}

// The step beyond its 32 bits is the upper part of the draw.
ACTIO_INLINE std::uint32_t third_word(std::uint64_t step, std::uint32_t draw) {
  return draw | static_cast<std::uint32_t>(step >> 32) << 8;
}

}  // namespace

Draw draw(std::uint64_t seed, std::uint32_t stream, std::uint64_t counter, std::uint32_t key) {
  const auto bits = philox({static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), stream, key},
                           {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  return {unit(bits[0], bits[1]), normals_of(bits[0], bits[1], bits[2], bits[3]).cosine};
}

Noise::Noise(std::uint64_t seed, std::uint32_t member)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32) ^ stream}, member_(member) {}

void Noise::normals(std::uint64_t step, long steps, std::uint32_t draw, long first, long count, double* out) const {
  const long begin = first / 2, end = (first + count + 1) / 2;  // pairs
  Block b;
  const long last = steps * (end - begin);
  for (long from = 0; from < last; from += block) {
    const long pairs = std::min(block, last - from);
    // use(step, first pair, count, place in the block) of the pairs of one step
    const auto by_step = [&](auto&& use) {
      long s = from / (end - begin), pair = begin + from % (end - begin);
      for (long k = 0; k < pairs; ++s, pair = begin) {
        const long some = std::min(pairs - k, end - pair);
        use(s, pair, some, k);
        k += some;
      }
    };
    by_step([&](long s, long pair, long some, long k) {
      const std::uint64_t at = step + static_cast<std::uint64_t>(s);
      for (long j = 0; j < some; ++j) {
        b.x0[k + j] = static_cast<std::uint32_t>(at);
        b.x1[k + j] = static_cast<std::uint32_t>(pair + j);
        b.x2[k + j] = third_word(at, draw);
        b.x3[k + j] = member_;
      }
    });
    make(key_, pairs, b);
    by_step([&](long s, long pair, long some, long k) {
      const long i = 2 * pair - first, skipped = i < 0 ? 1 : 0;
      std::copy_n(b.out + 2 * k + skipped, std::min(2 * some, count - i) - skipped, out + s * count + i + skipped);
    });
  }
}

void Noise::normals(std::uint64_t step, std::uint32_t draw, std::span<const std::int32_t> coordinates, double* out) const {
  Block b;
  std::array<std::int32_t, 2 * block> place;  // of a coordinate's number in the block
  for (std::size_t from = 0, end = 0; from < coordinates.size(); from = end) {
    long pairs = 0;
    for (std::int32_t last = -1; end < coordinates.size(); ++end) {
      const std::int32_t i = coordinates[end], pair = i / 2;
      if (pair != last) {
        if (pairs == block) break;
        b.x0[pairs] = static_cast<std::uint32_t>(step);
        b.x1[pairs] = static_cast<std::uint32_t>(pair);
        b.x2[pairs] = third_word(step, draw);
        b.x3[pairs++] = member_;
        last = pair;
      }
      place[end - from] = static_cast<std::int32_t>(2 * (pairs - 1)) + i % 2;
    }
    make(key_, pairs, b);
    for (std::size_t k = from; k < end; ++k) out[k] = b.out[place[k - from]];
  }
}

double Noise::sign(std::uint64_t step, std::uint32_t draw, long coordinate) const {
  const auto bits =
      philox({static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(coordinate), third_word(step, draw), member_}, key_);
  return (bits[0] & 1) != 0 ? 1 : -1;
}

}  // namespace actio::core
