#pragma once
#include <actio/core/archive.hpp>
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace actio::run {

// The pairs of a series of vectors that lie a lag apart, for lags over many decades in O(log n) memory: the multiple-tau scheme
// (Ramirez, Sukumaran, Vorselaars and Likhtman, J. Chem. Phys. 133 (2010) 154103) without its averages. Level k has every 2^k-th
// vector, the last 32 of them, and lags of 16 to 31 times 2^k; level 0 all of 0 to 31. As nothing is averaged, a mean over the
// pairs of a lag is that of the series itself, without bias; long lags have fewer pairs.
//
//   lags.add(x, [&](std::size_t slot, const double* before) { sums[slot] += x[0] * before[0]; });
class Lags {
 public:
  static constexpr std::size_t points = 32;
  explicit Lags(std::size_t width) : width_(width) {}  // numbers of a vector

  // Lags are numbered by slots, in steps of the series.
  static long lag(std::size_t slot) {
    if (slot < points) return static_cast<long>(slot);
    const std::size_t above = slot - points;
    return static_cast<long>(points / 2 + above % (points / 2)) << (above / (points / 2) + 1);
  }
  std::size_t slots() const { return levels_.empty() ? 0 : points + (levels_.size() - 1) * points / 2; }
  // Numbers that are stored of a series of `count` vectors, at most.
  static double numbers(long count, double width) {
    double out = 0;
    for (long k = 0; count >> k > 0; ++k) out += width * static_cast<double>(std::min<long>(points, (count >> k) + 1));
    return out;
  }

  // pair(slot, before): `before` is the vector that the lag of the slot lies before x.
  template <class F>
  void add(std::span<const double> x, F&& pair) {
    for (std::size_t k = 0; count_ >> k << k == count_ && k <= levels_.size(); ++k) {
      if (k == levels_.size()) {
        if (k > 0 && count_ == 0) break;
        levels_.emplace_back();
        if (k > 0) {  // the first vector of all, which the level below has at its beginning
          levels_[k].ring.assign(levels_[k - 1].ring.begin(), levels_[k - 1].ring.begin() + static_cast<std::ptrdiff_t>(width_));
          levels_[k].count = 1;
        }
      }
      append(k, x, pair);
    }
    ++count_;
  }

  void archive(core::Archive& a) { a(count_, levels_); }

 private:
  struct Level {
    std::size_t count = 0;     // vectors so far
    std::vector<double> ring;  // the last of them: number j at j % points
    void archive(core::Archive& a) { a(count, ring); }
  };
  template <class F>
  void append(std::size_t k, std::span<const double> x, F& pair) {
    Level& level = levels_[k];
    const std::size_t at = level.count % points;
    if (level.count < points)
      level.ring.insert(level.ring.end(), x.begin(), x.end());
    else
      std::copy(x.begin(), x.end(), level.ring.begin() + static_cast<std::ptrdiff_t>(at * width_));
    const std::size_t least = k == 0 ? 0 : points / 2;
    for (std::size_t lag = least; lag < points && lag <= level.count; ++lag)
      pair(k == 0 ? lag : points + (k - 1) * points / 2 + (lag - points / 2),
           level.ring.data() + (level.count - lag) % points * width_);
    ++level.count;
  }

  std::size_t width_;
  long count_ = 0;
  std::vector<Level> levels_;
};

}  // namespace actio::run
