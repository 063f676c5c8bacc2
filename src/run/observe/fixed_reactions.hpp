#pragma once
#include <actio/algebra/sparse.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/model.hpp>
#include <vector>

namespace actio::run {

// The forces by which the supports hold the coordinates that are fixed, from the equations of motion at a state:
//
//   r = d/dt dL/dv - dL/dq - F,   for L = 1/2 v'Mv - V:   r = M a + dV/dq + dphi/dv - F
//
// with the accelerations a of the others. All coordinates that are not fixed have r = 0. So all r and loads together are d/dt of
// the momentum. Constraints have no part in it.
class FixedReactions {
 public:
  FixedReactions(const system::Model& model, const expr::CompileOptions& options);
  void operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a, Eigen::VectorXd& r);

 private:
  std::vector<std::int32_t> fixed_;
  system::MassMatrix mass_;                         // of a separable model
  system::Assembled<algebra::SparseSpace> system_;  // nothing is fixed in it
  algebra::SparseSpace::Matrix K_;                  // else
  Eigen::VectorXd residual_, term_, ignored_;
};

}  // namespace actio::run
