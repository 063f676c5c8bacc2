#pragma once
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <actio/run/integrate.hpp>
#include <actio/session/session.hpp>

// The largest and the last value of what a run observes: the columns of its observables, or its coordinates where the file has no
// observables and there are few coordinates.
namespace actio::session {

struct Extreme {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::string name;
  double largest = none;  // the value farthest from 0, over the observations and the elements, with its sign
  double last = none;     // of one element; of several there is none
};

class Extremes : public run::Observer {
 public:
  explicit Extremes(const Session& session);  // after session::observe
  void observe(const run::Observation& now) override { observe(now.state.q, now.observed); }
  void observe(const Eigen::Ref<const Eigen::VectorXd>& q, std::span<const double> observed);
  const std::vector<Extreme>& found() const { return found_; }

 private:
  static constexpr long most_coordinates = 8;
  std::vector<Extreme> found_;
  std::vector<long> elements_;  // of each; empty: they are coordinates
};

}  // namespace actio::session
