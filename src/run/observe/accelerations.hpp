#pragma once
#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>
#include <memory>

namespace actio::run {

// x'' of a model's equations of motion at a state, whatever method goes through it; fixed coordinates have none. Constraints have
// no part in it.
class Accelerations {
 public:
  Accelerations(const system::Model& model, const expr::CompileOptions& options);
  ~Accelerations();
  // NaN where no x'' solves the equations.
  void operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a);

 private:
  struct System;
  std::unique_ptr<System> system_;
};

}  // namespace actio::run
