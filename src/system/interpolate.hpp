#pragma once
#include <actio/system/model.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

namespace actio::system {

// Straight lines between samples, 0 outside. `at` remembers where the last one was: times mostly go on.
inline double interpolate(const Signal& signal, double t, std::size_t& at) {
  const auto& times = signal.t;
  if (times.empty()) return 0;
  // A time that rounding has put beside an end is that end.
  const double blur = 4 * std::numeric_limits<double>::epsilon() * (std::abs(times.front()) + std::abs(times.back()));
  if (!(t >= times.front() - blur && t <= times.back() + blur)) return 0;
  if (times.size() == 1) return signal.value[0];
  t = std::clamp(t, times.front(), times.back());
  if (at + 1 >= times.size() || t < times[at] || t > times[at + 1]) {
    if (at + 2 < times.size() && t > times[at + 1] && t <= times[at + 2])
      ++at;
    else
      at = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end() - 1, t) - times.begin()) - 1;
  }
  if (at + 1 == times.size()) return signal.value[at];
  const double s = (t - times[at]) / (times[at + 1] - times[at]);
  return (1 - s) * signal.value[at] + s * signal.value[at + 1];
}

}  // namespace actio::system
