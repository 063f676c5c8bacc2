#pragma once
#include <array>
#include <cstddef>

#include <actio/core/archive.hpp>

// The slope of a long, autocorrelated series with a bound one can trust, in bounded memory.
//
// Samples are summed in at most 64 blocks of equal length; when all are full, neighbours merge and blocks are twice as
// long. The slope is the least-squares line through the block means. Its 95 % bound is Student's t on the residuals of the
// line through the block means (Flyvbjerg and Petersen, J. Chem. Phys. 91 (1989) 461: means of long enough blocks are nearly
// independent), the largest over the blocks and over their pairs and fours, each widened by the lag-1 correlation of its
// residuals that is left.
namespace actio::invariant {

class Drift {
 public:
  struct Slope {
    double slope;       // per sample; NaN with fewer than 8 samples
    double confidence;  // half width at 95 %; NaN with fewer than 8 samples
  };

  // y should be small where the series is nearly constant: pass E - E0, not E.
  void add(double y) {
    sum_ += y;
    if (++filled_ == length_) push();
  }
  Slope slope() const;
  void archive(core::Archive& a) { a(mean_, blocks_, length_, filled_, sum_); }
  std::size_t samples() const { return blocks_ * length_ + filled_; }

  static constexpr std::size_t most = 64;

 private:
  void push();
  std::array<double, most> mean_{};
  std::size_t blocks_ = 0, length_ = 1, filled_ = 0;
  double sum_ = 0;
};

// Two-sided 95 % quantile of Student's t.
double student95(int degrees_of_freedom);

}  // namespace actio::invariant
