#pragma once
#include <limits>
#include <memory>
#include <span>

#include <actio/invariant/scales.hpp>
#include <actio/method/integrator.hpp>

// How well a step follows the system, measured at states of a run by clones: what the step's own laws (symplectic, reversible)
// cannot say, for the right scheme of a wrong system has them all.
namespace actio::invariant {

struct Accuracy {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  // One step against two half steps: sqrt(sum |dp_i dv_i|) of the difference over that of what the step changes, the largest over
  // the states; and at the last state measured. A step that ignores the forces has 1 and more.
  double error = none, typical = none;
  // The order of the flow: log2 of the ratio of the differences of one step, two half and four quarter steps, at a step short
  // enough to show it. The highest over the states, because a kink lowers it. NaN: the errors are round-off, or no step was short
  // enough.
  double order = none;
  bool order_tried = false;  // false: not at any state yet
  // What the steps are off by in the limit h -> 0, 0 where they follow the system that is certified: power gained or lost beside
  // that of the forces, d/dh [E(Phi_h)] - F . v over sum |dp_i/dt v_i|, and positions that do not move with the velocity,
  // sum |p_i| |dq_i/dh - v_i| over sum |p_i v_i|. The largest over states and velocities drawn at random, and what the
  // differences resolve there.
  double inconsistency = none, floor = std::numeric_limits<double>::infinity();
  long states_off = 0, states_on = 0;  // where that was resolved: states that show it, and that do not
  // The order of the run's first steps together, twice: log2 as `order`, of steps and halves, and of halves and quarters. A kink,
  // or steps that are not all of one kind, show here.
  double together = none, together_finer = none;
  // Coordinates whose velocity changes sign at each of 16 steps while the position does not follow it, the most over the states:
  // what friction holds, under a rule that turns a velocity round to stop.
  long ringing = 0;
  long slips = 0;  // of those steps: positions moved by half or less, or twice and more, of what the velocities say
};

// How much is spent on a state.
struct AccuracyEffort {
  int draws = 3;      // of velocities, for the power; negative: nothing is measured
  bool order = true;  // and the order: some 15 to 60 steps
};

class AccuracyProbe {
 public:
  // `autonomous`: the Lagrangian does not depend on the time. `order`: what the method claims. `units`: scales() of the states.
  AccuracyProbe(const method::Integrator& system, std::span<const method::Snapshot> states, std::span<const double> h, int order,
                bool autonomous, const Scales& units);
  ~AccuracyProbe();
  void measure(std::size_t state, const AccuracyEffort& effort = {});
  // The first `steps` steps from that state, beside twice as many half steps, and four and eight times as many shorter ones.
  void together(std::size_t state, long steps);
  // 16 steps from a state: which coordinates ring.
  void ring(std::size_t state);
  const Accuracy& result() const { return result_; }
  static long cost(const AccuracyEffort& effort) {
    return effort.draws < 0 ? 0 : 3 + 10 * effort.draws + (effort.order ? 20 : 0);
  }

 private:
  struct Parts;
  void take(double value, double floor, bool& off_here, bool& on_here);
  std::unique_ptr<Parts> parts_;
  std::span<const method::Snapshot> states_;
  std::span<const double> h_;
  int claimed_;
  bool autonomous_;
  Accuracy result_;
};

}  // namespace actio::invariant
