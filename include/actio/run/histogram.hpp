#pragma once
#include <actio/core/archive.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace actio::run {

// A histogram: `count` bins of equal width over [from, to); the last one has its upper end too.
struct Bins {
  double from = 0, to = 1;
  long count = 10;
  double width() const { return (to - from) / static_cast<double>(count); }
  double edge(long b) const { return from + (to - from) * static_cast<double>(b) / static_cast<double>(count); }
};

// How many values are in each bin, below the first and above the last. A value that is no number is in none.
struct Counts {
  std::vector<std::int64_t> bins;
  std::int64_t below = 0, above = 0;

  Counts() = default;
  explicit Counts(const Bins& of) : bins(static_cast<std::size_t>(of.count)) {}
  void add(const Bins& of, double x) {
    if (x < of.from) {
      ++below;
    } else if (x > of.to) {
      ++above;
    } else if (x == x) {
      const double at = (x - of.from) / (of.to - of.from) * static_cast<double>(of.count);
      ++bins[std::min(static_cast<std::size_t>(at), bins.size() - 1)];
    }
  }
  void add(const Counts& other) {
    below += other.below;
    above += other.above;
    for (std::size_t k = 0; k < other.bins.size(); ++k) bins[k] += other.bins[k];
  }
  void archive(core::Archive& a) { a(bins, below, above); }
};

}  // namespace actio::run
