#pragma once
#include <actio/method/integrator.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "discrete_energy.hpp"
#include "gaps.hpp"

namespace actio::method {

// Motions without impacts between states, by an integrator of their own that may be anywhere after; contacts that last are kept.
class Flights {
 public:
  using VectorXd = Eigen::VectorXd;
  // A motion without impacts, to the end of the step or to one.
  struct Flight {
    double tau = 0;
    Snapshot start, end;  // the momentum of the start with lambda
    long hit = -1;        // the gap that came to 0; -1: none
    bool rests = false;   // which stays 0
    double E = 0;         // discrete energy
    bool ok = true;
  };

  Flights(const system::Model& model, std::unique_ptr<Integrator> trial, DiscreteEnergy energy,
          const expr::CompileOptions& options)
      : trial_(std::move(trial)), gaps_(model, options), discrete_energy_(std::move(energy)) {}
  Flights(const Flights& o)
      : resting(o.resting), trial_(o.trial_->clone()), gaps_(o.gaps_), discrete_energy_(o.discrete_energy_) {}
  Flights& operator=(const Flights&) = delete;

  Gaps& gaps() { return gaps_; }
  // M^-1 n at a state.
  void response(const Snapshot& s, const VectorXd& n, VectorXd& out);
  void take_velocity(Snapshot& s);
  // The normals of the contacts that last, and M^-1 of them.
  void normals(const Snapshot& s, Eigen::MatrixXd& N, Eigen::MatrixXd* M);
  // Velocities along the contacts that last, the shortest way in the metric of the mass; trial_ is there too.
  void move_along(Snapshot& s);
  // To the first impact after s, or over `rem`.
  Flight fly(const Snapshot& s, double rem, double h);
  double energy(const Snapshot& s) {
    trial_->start_momentum(s.t, s.q, s.p);
    return trial_->energy();
  }

  std::vector<long> resting;  // contacts that last
  BatchReport why;            // a flight could not be made

 private:
  bool held(std::size_t k) const { return std::ranges::find(resting, static_cast<long>(k)) != resting.end(); }
  bool go(const Snapshot& s, const VectorXd& p, double tau, Snapshot& end);
  // From s over tau, with the contacts that last: g = 0 at the end of a step of h by forces lambda >= 0 at its start, then
  // velocities along them. `release`: those whose lambda would be below 0 last no longer.
  bool flow(const Snapshot& s, double tau, double h, bool release, Snapshot& start, Snapshot& end);
  // A time at which a gap that is open at 0 and a is below 0, and the gap there; none where it is not.
  std::optional<std::pair<double, double>> find_below(const Snapshot& s, std::size_t k, const Gaps::Value& from,
                                                      const Gaps::Value& end, double a, double h);
  // root_: when gap k is 0 between low, where it is open, and high, and probe_end_ the state there. Regula falsi, the weight of
  // an end that stays cut as Anderson and Bjorck do.
  bool close_gap(const Snapshot& s, std::size_t k, double low, double high, double at_low, double at_high, double h);

  std::unique_ptr<Integrator> trial_;
  Gaps gaps_;
  DiscreteEnergy discrete_energy_;
  Snapshot probe_, probe_end_, spare_;
  double root_ = 0;
  int last_side_ = 0;
  VectorXd zero_;
};

}  // namespace actio::method
