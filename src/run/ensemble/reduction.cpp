#include <actio/run/reduction.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <actio/core/parallel.hpp>
#include <actio/core/sum.hpp>

namespace actio::run {
namespace {

constexpr long chunk = 8192;  // values that are added up together, whoever does it

struct Part {
  long count = 0;
  double sum = 0, min = std::numeric_limits<double>::infinity(), max = -min;
};

template <class F>
std::vector<Part> parts_of(std::span<const double> values, F&& f) {
  const long n = static_cast<long>(values.size());
  std::vector<Part> parts(static_cast<std::size_t>((n + chunk - 1) / chunk));
  core::parallel_for(static_cast<long>(parts.size()), [&](long k, int slot) {
    const auto here =
        values.subspan(static_cast<std::size_t>(k * chunk), static_cast<std::size_t>(std::min(chunk, n - k * chunk)));
    f(here, parts[static_cast<std::size_t>(k)], slot);
  });
  return parts;
}

std::vector<double> quantiles_of(std::span<const double> values, std::span<const double> quantiles, long count) {
  std::vector<double> sorted, out;
  sorted.reserve(static_cast<std::size_t>(count));
  std::copy_if(values.begin(), values.end(), std::back_inserter(sorted), [](double x) { return std::isfinite(x); });
  auto from = sorted.begin();
  for (const double quantile : quantiles) {
    if (sorted.empty()) {
      out.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const double place = quantile * static_cast<double>(count - 1), whole = std::floor(place);
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(whole);
    if (at >= from) std::nth_element(from, at, sorted.end());
    from = at;
    const double lower = *at, upper = at + 1 == sorted.end() ? lower : *std::min_element(at + 1, sorted.end());
    out.push_back(lower + (place - whole) * (upper - lower));
  }
  return out;
}

}  // namespace

Reduced reduce(std::span<const double> values, std::span<const double> quantiles, const std::optional<Bins>& bins) {
  Reduced out;
  std::vector<Counts> counts(bins ? static_cast<std::size_t>(core::threads()) : 0);
  const auto parts = parts_of(values, [&](std::span<const double> here, Part& part, int slot) {
    Counts* const own = bins ? &counts[static_cast<std::size_t>(slot)] : nullptr;
    if (own && own->bins.empty()) *own = Counts(*bins);
    for (const double x : here) {
      if (!std::isfinite(x)) continue;
      ++part.count;
      part.sum += x;
      part.min = std::min(part.min, x);
      part.max = std::max(part.max, x);
      if (own) own->add(*bins, x);
    }
  });
  core::Sum sum, squares;
  out.min = std::numeric_limits<double>::infinity();
  out.max = -out.min;
  for (const Part& part : parts) {
    out.count += part.count;
    sum.add(part.sum);
    out.min = std::min(out.min, part.min);
    out.max = std::max(out.max, part.max);
  }
  Counts all;
  if (bins) all = Counts(*bins);
  for (const Counts& of : counts) all.add(of);
  out.below = all.below;
  out.above = all.above;
  out.bins.assign(all.bins.begin(), all.bins.end());
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (out.count == 0) {
    out.mean = out.standard_deviation = out.min = out.max = none;
  } else {
    out.mean = sum.value() / static_cast<double>(out.count);
    for (const Part& part : parts_of(values, [&](std::span<const double> here, Part&to, int) {
           for (const double x : here)
             if (std::isfinite(x)) to.sum += (x - out.mean) * (x - out.mean);
         }))
      squares.add(part.sum);
    out.standard_deviation = out.count > 1 ? std::sqrt(squares.value() / static_cast<double>(out.count - 1)) : 0;
  }
  out.quantiles = quantiles_of(values, quantiles, out.count);
  return out;
}

}  // namespace actio::run
