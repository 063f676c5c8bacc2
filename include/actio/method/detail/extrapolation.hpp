#pragma once
#include <cmath>

// Where the solve of a step begins, from a state with the last steps' h and h_before.
namespace actio::method::detail {

// w of the line through the last two velocities w and w_before, each in the middle of its step; x.h is not 0.
template <class State, class Vector>
[[gnu::always_inline]] inline void continue_line(const State& x, double h, Vector& w) {
  if (x.h == h && x.h_before == h) [[likely]] {
    w = 2.0 * x.w - 1.0 * x.w_before;
    return;
  }
  const double between = x.h + x.h_before;
  if (x.h_before != 0 && std::abs(between) > 0.5 * std::abs(x.h)) {
    const double s = (x.h + h) / between;
    w = (1 + s) * x.w - s * x.w_before;
  } else {
    w = 1.0 * x.w;
  }
}

// eta of the line through the last two impulses; those of the last step, where steps are not equal, in proportion to h.
template <class State, class Multipliers>
[[gnu::always_inline]] inline void continue_impulse(const State& x, double h, Multipliers& eta) {
  if (x.h == h && x.h_before == h) [[likely]]
    eta = 2.0 * x.eta - 1.0 * x.eta_before;
  else
    eta = (x.h != 0 ? h / x.h : 0) * x.eta;
}

}  // namespace actio::method::detail
