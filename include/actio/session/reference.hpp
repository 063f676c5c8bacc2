#pragma once
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <actio/invariant/certificate.hpp>
#include <actio/io/problem.hpp>
#include <actio/run/observer.hpp>
#include <actio/session/extremes.hpp>

// A run that others are compared with, by a method and a step that are taken as exact.
//
//   Reference reference("rk4@1e-4");
//   reference.prepare(problem);           // of reference.method()
//   ... run the problem, with `reference` and Extremes among its observers ...
//   reference.finish(certificate, extremes.found());
namespace actio::session {

class Reference : public run::Observer {
 public:
  // METHOD@STEP, or a METHOD that chooses its own steps. Throws core::InputError.
  explicit Reference(const std::string& words);
  const std::string& method() const { return method_; }
  // Gives a problem its step, and no certificate. The step is a little shorter than it was asked for where a whole number of
  // steps does not lead from one observation to the next. Throws core::InputError.
  void prepare(io::Problem& p);
  // Keeps the positions of the run.
  void observe(const run::Observation& now) override;
  // It ran. Throws core::RunError where it did not reach its end.
  void finish(const invariant::Certificate& certificate, std::vector<Extreme> extremes);

  double step() const { return step_; }    // that was taken [s]
  double moved() const { return moved_; }  // the farthest that it is from its start, |q - q0|, over the observations
  double energy_error() const { return energy_error_; }
  const std::vector<Extreme>& extremes() const { return extremes_; }
  long observations() const { return static_cast<long>(t_.size()); }
  // Its place among those observed, at a time; -1: it has none there.
  long at(double t) const;
  const Eigen::VectorXd& q(long k) const { return q_[static_cast<std::size_t>(k)]; }
  // What the columns mean.
  std::string words() const;

 private:
  std::string method_;
  double asked_ = 0, step_ = 0, moved_ = 0, energy_error_ = invariant::unmeasured;
  std::vector<double> t_;
  std::vector<Eigen::VectorXd> q_;
  std::vector<Extreme> extremes_;
};

// Errors of one run, measured by the reference.
class Errors : public run::Observer {
 public:
  explicit Errors(const Reference& reference) : reference_(reference) {}
  void observe(const run::Observation& now) override { observe(now.state.t, now.state.q); }
  void observe(double t, const Eigen::Ref<const Eigen::VectorXd>& q);
  double largest = invariant::unmeasured, at_end = invariant::unmeasured;  // |q - q_ref| over Reference::moved

 private:
  const Reference& reference_;
};

// |peak - peak of the reference| over the latter, of what both observe: by name.
std::vector<std::pair<std::string, double>> peak_errors(const std::vector<Extreme>& run, const std::vector<Extreme>& reference);

}  // namespace actio::session
