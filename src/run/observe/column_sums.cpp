#include "column_sums.hpp"

#include <cmath>
#include <limits>

namespace actio::run {

void ColumnSums::add(double t, double x) {
  last_ = x;
  ++count_;
  if (!std::isfinite(x)) return;
  if (finite_ == 0 || x > largest_.value) largest_ = {x, t};
  if (finite_ == 0 || x < smallest_.value) smallest_ = {x, t};
  squares_.add_product(x, x);
  ++finite_;
}

void ColumnSums::archive(core::Archive& a) {
  a(largest_.value, largest_.t, smallest_.value, smallest_.t, squares_.high, squares_.low, last_, count_, finite_);
}

ColumnSummary ColumnSums::summary() const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const double last = count_ > 0 ? last_ : none;
  if (finite_ == 0) return {none, none, none, none, none, last};
  const double rms = std::sqrt(squares_.value() / static_cast<double>(finite_));
  return {largest_.value, largest_.t, smallest_.value, smallest_.t, rms, last};
}

}  // namespace actio::run
