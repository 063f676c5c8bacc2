#pragma once
#include <string>
#include <vector>

#include <Eigen/Core>

#include "one_run.hpp"

// A run that others are compared with, by a method and a step that are taken as exact.
namespace actio::cli {

class Reference : public run::Observer {
 public:
  // METHOD@STEP, or a METHOD that chooses its own steps. Throws core::InputError.
  explicit Reference(const std::string& words);
  // Runs it as `request` says, by its own method and step, and keeps its positions at the observations. Its step is made a little
  // shorter where a whole number of steps does not lead from one observation to the next. Throws where it does not reach the end.
  void run(RunRequest request);

  const OneRun& made() const { return made_; }
  double step() const { return step_; }    // that was taken [s]
  double moved() const { return moved_; }  // the farthest that it is from its start, |q - q0|, over the observations
  long observations() const { return static_cast<long>(t_.size()); }
  // Its place among those observed, at a time; -1: it has none there.
  long at(double t) const;
  const Eigen::VectorXd& q(long k) const { return q_[static_cast<std::size_t>(k)]; }

  void observe(const run::Observation& now) override;

 private:
  std::string method_;
  double asked_ = 0, step_ = 0, moved_ = 0;
  OneRun made_;
  std::vector<double> t_;
  std::vector<Eigen::VectorXd> q_;
};

// Errors of one run, measured by the reference.
class Errors : public run::Observer {
 public:
  explicit Errors(const Reference& reference) : reference_(reference) {}
  void observe(const run::Observation& now) override;
  double largest = invariant::unmeasured, at_end = invariant::unmeasured;  // |q - q_ref| over Reference::moved
  long compared = 0;                                                       // observations

 private:
  const Reference& reference_;
};

// |peak - peak of the reference| over the latter, of what both observe: by name.
std::vector<std::pair<std::string, double>> peak_errors(const OneRun& run, const OneRun& reference);
// What the columns mean, under the table.
std::string words(const Reference& reference);

}  // namespace actio::cli
