#pragma once
#include <actio/core/archive.hpp>
#include <actio/core/sum.hpp>
#include <actio/run/observable.hpp>

namespace actio::run {

// What ColumnSummary is made of, so far.
class ColumnSums {
 public:
  void add(double t, double x);
  void archive(core::Archive& a);
  ColumnSummary summary() const;

 private:
  struct Extreme {
    double value, t;
  };
  Extreme largest_{0, 0}, smallest_{0, 0};
  core::Sum squares_;
  double last_ = 0;
  long count_ = 0, finite_ = 0;
};

}  // namespace actio::run
