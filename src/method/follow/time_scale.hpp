#pragma once
#include <actio/method/step_control.hpp>
#include <actio/system/assembled.hpp>

namespace actio::method {

// sigma(q) of a StepControl, and how it changes.
class TimeScale {
 public:
  TimeScale(const system::Model& model, const StepControl& control, const expr::CompileOptions& options);
  double sigma(double t, const Eigen::VectorXd& q);
  double rate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);  // d log(sigma)/dt along v [1/s]

 private:
  using System = system::Assembled<algebra::SparseSpace>;
  StepControl::Sigma kind_;
  double power_;
  System system_;  // with the sum as its potential, or the model's own
  Eigen::VectorXd f_, a_, x_;
  Eigen::SparseMatrix<double> K_;
};

}  // namespace actio::method
