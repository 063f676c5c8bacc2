#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <actio/run/steps.hpp>

namespace actio::run {

// When to step and when to look. When a file gives an end that is not a whole number of steps away, the last step is shorter;
// where the method would lose what it keeps by that, the run goes past the end by less than a step.
struct Schedule {
  double start = 0;  // [s]
  Steps step;        // h [s]
  long steps = 0;
  long every = 1;                // steps between two observations; the last step is always observed
  std::vector<double> at{};      // observations at these times in place of those, ascending, within steps too [s]
  double window = 0;             // > 0: multipliers of penalised constraints are observed, means over this time (TO 8) [s]
  bool last_is_shorter = false;  // all other steps are of one size
  double end = std::numeric_limits<double>::quiet_NaN();  // that was asked for, where one was [s]
  // Steps follow the motion: those above are of a fictitious time, and the time is the state's. With an end, `steps` is a bound
  // and the run is over at the first state that is not before it.
  bool follows = false;
  std::string past_end{};  // why the run goes past it, and what to choose; "": it does not

  double time(long k) const { return step.time(start, k); }  // after k steps, where they do not follow the motion [s]
  double last_time() const { return to_a_time() ? end : time(steps); }
  bool to_a_time() const { return follows && !std::isnan(end); }
  // How much of the run is behind a state, from 0 to 1.
  double done(long k, double t) const {
    return to_a_time() ? (t - start) / (end - start) : static_cast<double>(k) / static_cast<double>(std::max(1L, steps));
  }
  // How many steps there will be, as far as one can tell after k of them.
  long planned(long k, double t) const {
    const double behind = done(k, t);
    return !to_a_time() ? steps : behind > 0 ? std::max(k, std::lround(static_cast<double>(k) / std::min(behind, 1.0))) : k;
  }
  // Of the first and of the last quarter of the run.
  bool early(long k, double t) const { return to_a_time() ? done(k, t) < 0.25 : k < steps / 4; }
  bool late(long k, double t) const { return to_a_time() ? done(k, t) >= 0.75 : k >= std::max(1L, steps - steps / 4); }
  bool over(long k, double t) const { return to_a_time() ? t >= first_over() : k >= steps; }
  // The first time that is the end but for rounding.
  double first_over() const { return end - 1e-12 * (end - start); }
  // The size of the step from the state after k steps, of the last one at the end, by which a state is measured [s]. A last step
  // that is shorter does not count: it may be as short as round-off.
  double step_at(long k) const { return step[std::max(0L, std::min(k, steps - (last_is_shorter ? 2 : 1)))]; }
  // What two times may be apart by rounding and yet be one [s].
  double blur(long k) const { return to_a_time() ? 1e-12 * (end - start) : 1e-9 * step_at(k); }
  // The first step with that time or a later one; steps + 1: none.
  long first_at(double t) const {
    long low = 0, high = steps + 1;
    while (low < high) {
      const long middle = low + (high - low) / 2;
      if (time(middle) < t - blur(middle))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  bool one_size() const { return step.equal() || last_is_shorter; }
  double last_step() const { return last_is_shorter ? step[steps - 1] : std::numeric_limits<double>::quiet_NaN(); }
};

// Bounds the user declares; the run stops with exit code 1 when one is left. Infinity: none declared.
struct Bounds {
  double energy = std::numeric_limits<double>::infinity();    // largest |E - E0|, in the units of energy
  double momentum = std::numeric_limits<double>::infinity();  // largest |J - J0| of every declared momentum
  double residual = std::numeric_limits<double>::infinity();  // largest relative residual of a step
};

}  // namespace actio::run
