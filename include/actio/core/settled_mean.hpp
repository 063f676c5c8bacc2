#pragma once
#include <actio/core/archive.hpp>
#include <array>
#include <cstddef>

// The mean of a long, correlated series after its first quarter, with its standard error, in bounded memory: 32 to 63 blocks of
// equal length, whose means are nearly independent where they are long (Flyvbjerg and Petersen, J. Chem. Phys. 91 (1989) 461).
namespace actio::core {

struct MeanAndError {
  double value, error;  // NaN with too few samples: 1, and 16
};

class SettledMean {
 public:
  void add(double x) {
    sum_ += x;
    if (++filled_ == length_) push();
  }
  // Without the first quarter, in which a run may still be on its way from its start.
  MeanAndError mean() const;
  // Of two series sampled together: mean of the first over mean of the second.
  static MeanAndError ratio(const SettledMean& first, const SettledMean& second);
  void archive(Archive& a) { a(means_, blocks_, length_, filled_, sum_); }

 private:
  static constexpr std::size_t most = 64;
  void push();
  std::array<double, most> means_{};
  std::size_t blocks_ = 0, length_ = 1, filled_ = 0;
  double sum_ = 0;
};

}  // namespace actio::core
