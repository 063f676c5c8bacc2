#pragma once
#include <Eigen/Core>
#include <actio/core/error.hpp>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace actio::run {

// Times at which a number passes through 0.
struct Event {
  enum class Direction { both, up, down };
  enum class Action { record, count, stop };
  std::string name;
  std::string definition;  // the expression
  core::Source source{};   // of it, for errors
  std::size_t when = 0;    // which of a run's observables the number is
  // In place of that: a function of the state.
  std::function<double(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v)> function{};
  bool states = true;                                          // each has a row of t, and of all coordinates and velocities
  std::vector<std::pair<std::string, std::size_t>> columns{};  // else of t, and of these observables
  Direction direction = Direction::both;
  Action action = Action::record;                           // count: without rows. stop: with them
  long occurrences = 1;                                     // after so many a run is stopped
  double after = -std::numeric_limits<double>::infinity();  // [s] those before do not count
};
struct EventWord {
  std::string_view name;
  int value;
};
std::span<const EventWord> event_directions();  // "both", "up", "down"
std::span<const EventWord> event_actions();     // "record", "count", "stop"

}  // namespace actio::run
