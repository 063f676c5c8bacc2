#pragma once
#include <actio/core/archive.hpp>
#include <limits>
#include <optional>
#include <vector>

namespace actio::run {

// The mean of a correlated series, and its standard error by blocking (Flyvbjerg and Petersen, J. Chem. Phys. 91 (1989) 461):
// means of blocks of B = 1, 2, 4, ... successive values, all at once, in O(log n) memory. The naive error e_1 takes the values
// for independent; e_B grows with B until blocks are independent. The B taken is the smallest with
//
//   B^3 > 2 n (e_B / e_1)^4
//
// (Lee, Conduit, Nemec, Lopez Rios and Drummond, Phys. Rev. E 83 (2011) 066706): there the bias of short blocks is about as small
// as the noise of few blocks.
class BlockedMean {
 public:
  static constexpr long fewest_blocks = 8;  // of these e_B is good to 27 %

  void add(double x);
  long count() const { return levels_.empty() ? 0 : levels_[0].count; }
  double mean() const { return levels_.empty() ? none : levels_[0].mean; }
  // Of one value: over count - 1.
  double standard_deviation() const;

  struct Error {
    double value = none;        // of the mean
    double uncertainty = none;  // of `value`: value / sqrt(2 (blocks - 1))
    double inefficiency = 1;    // (e_B / e_1)^2: so many values are worth one that is independent
    long block = 1, blocks = 0;
  };
  // None where the series is too short: no B with 8 blocks satisfies the rule.
  std::optional<Error> error() const;

  void archive(core::Archive& a) { a(levels_); }

 private:
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  // Means of blocks: how many, their mean, the sum of squares about it, and one that waits for the next.
  struct Level {
    long count = 0;
    double mean = 0, squares = 0, waiting = 0;
    bool waits = false;
    void archive(core::Archive& a) { a(count, mean, squares, waiting, waits); }
    double error_squared() const { return squares / (static_cast<double>(count) * static_cast<double>(count - 1)); }
  };
  std::vector<Level> levels_;
};

}  // namespace actio::run
