#pragma once
#include <deque>

#include <actio/system/constraints_alone.hpp>

// What multipliers would be, in a run where a penalty keeps the constraints: the mean of -omega^2 g over a window of time, longer
// than the oscillation of the penalty and shorter than anything else (TO 8, there from t on):
//
//   lambda = 1/window int_{t - window}^t -omega^2 g(s, q(s)) ds, which belongs to the middle of the window
namespace actio::run {

class PenaltyMultipliers {
 public:
  // Throws core::InputError when the model has no penalty, or the window [s] is negative or not finite. 0: no mean.
  PenaltyMultipliers(const system::Model& model, double window, const expr::CompileOptions& options = {});
  long count() const { return constraints_.constraints(); }  // m
  double window() const { return window_; }
  // lambda (m) from the states seen since t - window, by straight lines between them; a t that
  // does not increase begins anew.
  void operator()(double t, const Eigen::VectorXd& q, Eigen::VectorXd& lambda);

  void archive(core::Archive& a) { a(samples_); }  // the states seen

 private:
  struct Sample {
    double t;
    Eigen::VectorXd force;  // -omega^2 g
    void archive(core::Archive& a) { a(t, force); }
  };
  system::Assembled<algebra::SparseSpace> constraints_;
  double omega_, window_;
  std::deque<Sample> samples_;  // the first may lie before the window
};

}  // namespace actio::run
