#pragma once
#include <actio/method/step_control.hpp>
#include <actio/system/assembled.hpp>

namespace actio::method {

// sigma(q) of a StepControl, and how it changes.
class TimeScale {
 public:
  TimeScale(const system::Model& model, const StepControl& control, const expr::CompileOptions& options);
  double sigma(double t, const Eigen::VectorXd& q);
  // Of steps: the value and d log(sigma)/dt along v [1/s]; NaN where it is none.
  struct Look {
    double sigma, rate;
  };
  Look look(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  // |d sigma along xi|, of what it would be with all parts of one sign.
  double change_along(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& xi);

 private:
  using System = system::Assembled<algebra::SparseSpace>;
  StepControl::Sigma kind_;
  double power_;
  System system_;  // with the sum as its potential, or the model's own
  Eigen::VectorXd f_, a_, x_;
  Eigen::SparseMatrix<double> K_;
};

// Throws core::InputError unless it is positive and finite, where a run begins.
void check_sigma(double sigma);

}  // namespace actio::method
