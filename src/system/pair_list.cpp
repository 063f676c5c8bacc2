#include <actio/core/parallel.hpp>
#include <actio/system/near_pairs.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#ifdef __AVX512VL__
#include <immintrin.h>
#endif

namespace actio::system {
namespace {

constexpr long points_a_task = 512;
constexpr int block = 128;
constexpr double farthest = 1e6;  // periods, or cutoffs: beyond them distances have lost too many digits

// Cells of at least the range of the list, along each axis.
struct Cells {
  std::array<int, 3> count{1, 1, 1};
  std::array<double, 3> first{}, per_length{};
  std::array<bool, 3> wraps{};

  int all() const { return count[0] * count[1] * count[2]; }
  int along(std::size_t axis, double x) const {
    const int c = static_cast<int>((x - first[axis]) * per_length[axis]);
    return std::clamp(c, 0, count[axis] - 1);
  }
  int number(int a, int b, int c) const { return (a * count[1] + b) * count[2] + c; }
  // f(first, last) of the cells along an axis that are c and those beside it, in one range or two.
  template <class F>
  void beside(std::size_t axis, int c, F&& f) const {
    const int last = count[axis] - 1;
    f(std::max(c - 1, 0), std::min(c + 1, last));
    if (!wraps[axis] || last < 2) return;  // one cell: all are in it
    if (c == 0) f(last, last);
    if (c == last) f(0, 0);
  }
};

Cells cells_of(const NearPairs& pairs, const std::vector<std::array<double, 3>>& places, double range) {
  Cells out;
  std::array<double, 3> length{};
  for (std::size_t a = 0; a < pairs.axes.size(); ++a) {
    if (pairs.axes[a].period > 0) {
      length[a] = pairs.axes[a].period;
      out.wraps[a] = true;
    } else {
      double low = places[0][a], high = low;
      for (const auto& x : places) {
        low = std::min(low, x[a]);
        high = std::max(high, x[a]);
      }
      out.first[a] = low;
      length[a] = high - low;
    }
    out.count[a] = static_cast<int>(std::clamp(std::floor(length[a] / range), 1.0, 1e4));
    if (out.wraps[a] && out.count[a] < 3) out.count[a] = 1;
  }
  // Points that are far apart: larger cells, of which there are not many more than points.
  while (static_cast<double>(out.count[0]) * out.count[1] * out.count[2] > 4.0 * static_cast<double>(places.size()) + 64) {
    const auto most = std::max_element(out.count.begin(), out.count.end());
    *most /= 2;
    if (out.wraps[static_cast<std::size_t>(most - out.count.begin())] && *most < 3) *most = 1;
  }
  for (std::size_t a = 0; a < pairs.axes.size(); ++a) out.per_length[a] = length[a] > 0 ? out.count[a] / length[a] : 0;
  return out;
}

// The numbers below j of the points whose square is at most `square`, one after another; returns how many.
int pack_near(const double* squares, const int* order, int count, double square, int j, int* near) {
  int hits = 0, s = 0;
#ifdef __AVX512VL__
  for (; s + 8 <= count; s += 8) {
    const __m256i numbers = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(order + s));
    const __mmask8 here = _mm256_mask_cmplt_epi32_mask(
        _mm512_cmp_pd_mask(_mm512_loadu_pd(squares + s), _mm512_set1_pd(square), _CMP_LE_OQ), numbers, _mm256_set1_epi32(j));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(near + hits), _mm256_maskz_compress_epi32(here, numbers));
    hits += std::popcount(static_cast<unsigned>(here));
  }
#endif
  for (; s < count; ++s) {
    near[hits] = order[s];
    hits += static_cast<int>(squares[s] <= square) & static_cast<int>(order[s] < j);
  }
  return hits;
}

}  // namespace

bool PairList::update(const NearPairs& pairs, const double* q) { return holds(pairs, q) || build(pairs, q); }

bool PairList::holds(const NearPairs& pairs, const double* q) const {
  if (at_.empty()) return false;
  const double limit = 0.25 * pairs.skin * pairs.skin;
  const auto axes = static_cast<long>(pairs.axes.size());
  bool all = true;
  for (long k = 0; k < pairs.points && all; ++k) {
    double square = 0;
    for (long a = 0; a < axes; ++a) {
      const NearPairs::Axis& axis = pairs.axes[static_cast<std::size_t>(a)];
      const double d = q[axis.offset + axis.stride * k] - at_[static_cast<std::size_t>(k * axes + a)];
      square += d * d;
    }
    all = square <= limit;  // false where it is not a number
  }
  return all;
}

bool PairList::build(const NearPairs& pairs, const double* q) {
  const auto axes = static_cast<long>(pairs.axes.size());
  const auto points = static_cast<std::size_t>(pairs.points);
  const double range = (pairs.cutoff + pairs.skin) * (1 + 1e-9), square = range * range;
  at_.clear();
  places_.assign(points, {});
  for (std::size_t k = 0; k < points; ++k)
    for (std::size_t a = 0; a < pairs.axes.size(); ++a) {
      const NearPairs::Axis& axis = pairs.axes[a];
      const double x = q[axis.offset + axis.stride * static_cast<long>(k)];
      if (!(std::abs(x) <= farthest * (axis.period > 0 ? axis.period : pairs.cutoff))) return false;
      places_[k][a] = axis.period > 0 ? x - axis.period * std::floor(x / axis.period) : x;
    }
  ++builds_;
  const Cells cells = cells_of(pairs, places_, range);
  cell_.resize(points);
  first_.assign(static_cast<std::size_t>(cells.all()) + 1, 0);
  for (std::size_t k = 0; k < points; ++k) {
    const auto& x = places_[k];
    cell_[k] = cells.number(cells.along(0, x[0]), cells.along(1, x[1]), cells.along(2, x[2]));
    ++first_[static_cast<std::size_t>(cell_[k]) + 1];
  }
  for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
  order_.resize(points);
  for (auto& along : sorted_) along.resize(points);
  std::vector<int>& next = j_;
  next.assign(first_.begin(), first_.end() - 1);
  for (std::size_t k = 0; k < points; ++k) {
    const int to = next[static_cast<std::size_t>(cell_[k])]++;
    order_[static_cast<std::size_t>(to)] = static_cast<int>(k);
    for (std::size_t a = 0; a < 3; ++a) sorted_[a][static_cast<std::size_t>(to)] = places_[k][a];
  }

  std::array<double, 3> period;
  period.fill(std::numeric_limits<double>::infinity());
  for (std::size_t a = 0; a < pairs.axes.size(); ++a)
    if (pairs.axes[a].period > 0) period[a] = pairs.axes[a].period;
  // Pairs by increasing j; each point looks at those before it.
  const long tasks = (pairs.points + points_a_task - 1) / points_a_task;
  found_.resize(static_cast<std::size_t>(tasks));
  core::parallel_for(tasks, [&](long task, int) {
    std::vector<Pair>& found = found_[static_cast<std::size_t>(task)];
    found.clear();
    for (long j = task * points_a_task; j < std::min(pairs.points, (task + 1) * points_a_task); ++j) {
      const auto& x = places_[static_cast<std::size_t>(j)];
      // Those of the points number begin to end - 1, by cells, that are near.
      const auto look = [&](int begin, int end) {
        double squares[block];
        int near[block + 8];
        for (int from = begin; from < end; from += block) {
          const int count = std::min(block, end - from), *const order = order_.data() + from;
          const double *const X = sorted_[0].data() + from, *const Y = sorted_[1].data() + from,
                              *const Z = sorted_[2].data() + from;
          for (int s = 0; s < count; ++s) {
            const double dx = std::abs(X[s] - x[0]), dy = std::abs(Y[s] - x[1]), dz = std::abs(Z[s] - x[2]);
            const double ix = std::min(dx, period[0] - dx), iy = std::min(dy, period[1] - dy), iz = std::min(dz, period[2] - dz);
            squares[s] = ix * ix + iy * iy + iz * iz;
          }
          const int hits = pack_near(squares, order, count, square, static_cast<int>(j), near);
          for (int k = 0; k < hits; ++k) found.push_back({near[k], static_cast<int>(j)});
        }
      };
      const int a = cells.along(0, x[0]), b = cells.along(1, x[1]), c = cells.along(2, x[2]);
      cells.beside(0, a, [&](int a0, int a1) {
        for (int at_a = a0; at_a <= a1; ++at_a)
          cells.beside(1, b, [&](int b0, int b1) {
            for (int at_b = b0; at_b <= b1; ++at_b)
              cells.beside(2, c, [&](int c0, int c1) {
                look(first_[static_cast<std::size_t>(cells.number(at_a, at_b, c0))],
                     first_[static_cast<std::size_t>(cells.number(at_a, at_b, c1)) + 1]);
              });
          });
      });
    }
  });

  starts_.assign(points + 1, 0);
  for (const auto& found : found_)
    for (const Pair& pair : found) ++starts_[static_cast<std::size_t>(pair.i) + 1];
  for (std::size_t i = 0; i < points; ++i) starts_[i + 1] += starts_[i];
  j_.resize(static_cast<std::size_t>(starts_[points]));
  for (const auto& found : found_)
    for (const Pair& pair : found) j_[static_cast<std::size_t>(starts_[static_cast<std::size_t>(pair.i)]++)] = pair.j;
  std::rotate(starts_.begin(), starts_.end() - 1, starts_.end());
  starts_[0] = 0;
  at_.resize(points * pairs.axes.size());
  for (long k = 0; k < pairs.points; ++k)
    for (long a = 0; a < axes; ++a) {
      const NearPairs::Axis& axis = pairs.axes[static_cast<std::size_t>(a)];
      at_[static_cast<std::size_t>(k * axes + a)] = q[axis.offset + axis.stride * k];
    }
  return true;
}

}  // namespace actio::system
