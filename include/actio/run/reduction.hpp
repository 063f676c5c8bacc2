#pragma once
#include <actio/run/members.hpp>
#include <optional>
#include <span>
#include <vector>

// What a number is over the members of an ensemble. The same to the bit for any number of threads.
namespace actio::run {

struct Reduced {
  long count = 0;                 // of values that are finite; all below is of these
  double mean = 0;                // not a number where there are none, and so are the next three
  double standard_deviation = 0;  // of the sample: over count - 1
  double min = 0, max = 0;
  std::vector<double> quantiles;  // as asked for, by lines between the values in their order
  std::vector<long> bins;         // of the histogram
  long below = 0, above = 0;      // outside its range
};

// quantiles in [0, 1], ascending.
Reduced reduce(std::span<const double> values, std::span<const double> quantiles = {}, const std::optional<Bins>& bins = {});

}  // namespace actio::run
