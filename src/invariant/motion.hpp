#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <actio/method/integrator.hpp>

// How far a run moves, for units of positions and velocities.
namespace actio::invariant {

inline double rms(const Eigen::VectorXd& x) { return x.size() == 0 ? 0 : x.norm() / std::sqrt(static_cast<double>(x.size())); }

struct Motion {
  double q = 0, v = 0;  // ten steps' motion, and the velocity of it; positive
  bool resting = true;  // the velocities of the run are zero, or lost in the round-off of positions
};

// The largest over the states, root mean squares over the coordinates. Below sqrt(eps) |q| differences of positions resolve
// nothing: never less. A system at rest, velocities being round-off of forces that cancel: a hundredth of the position.
inline Motion motion(std::span<const method::Snapshot> states, double h) {
  double moved = 0, position = 0;
  for (const auto& s : states) {
    moved = std::max(moved, 10 * std::abs(h) * rms(s.v));
    position = std::max(position, rms(s.q));
  }
  Motion m;
  m.q = std::max(moved, std::sqrt(std::numeric_limits<double>::epsilon()) * position);
  m.resting = !(moved > 1e-11 * position);
  if (m.resting) m.q = position > 0 ? 1e-2 * position : 1e-3;
  m.v = m.q / (10 * std::abs(h));
  return m;
}

}  // namespace actio::invariant
