#pragma once
#include <Eigen/Core>
#include <actio/algebra/sparse.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/model.hpp>
#include <actio/system/support.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The forces of supports on a solid [N] at a state. For fixed coordinates the residual of their equations,
//
//   R = M a + grad V - F - G' lambda
//
// where a is 0 for them and solves these equations with R = 0 for all others; the mass of other nodes is part of it where M is
// consistent. For prescribed coordinates the sum of their multipliers lambda. So all reactions and loads together are d/dt of the
// momentum.
namespace actio::system {

class Reactions {
 public:
  Reactions(const Model& model, std::vector<Support> supports, const expr::CompileOptions& options = {});
  // "clamp.x": the fixed components of each support.
  const std::vector<std::string>& names() const { return names_; }
  // At q, v (n) and t; lambda (m) of the constraints that a method keeps, where a penalty does they are found here. NaN where
  // those that are needed are none.
  void operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, std::span<const double> lambda,
                  std::span<double> out);

 private:
  void accelerate();  // a_ from f_
  std::vector<Support> supports_;
  std::vector<std::string> names_;
  bool fixed_ = false;           // some coordinates of supports are
  double penalty_ = 0;           // omega^2
  std::vector<bool> dirichlet_;  // (n)
  MassMatrix mass_;              // full, with the columns of held coordinates; or none: of a diagonal one a is not needed
  Eigen::VectorXd diagonal_;     // of a full mass
  std::optional<Assembled<algebra::SparseSpace>> system_;  // nothing is fixed in it
  std::optional<Assembled<algebra::SparseSpace>> constraints_;
  Eigen::VectorXd f_, force_, lambda_, g_, g_t_, a_, r_, z_, s_, Ms_;
  algebra::SparseJacobian G_;
};

}  // namespace actio::system
