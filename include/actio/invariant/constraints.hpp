#pragma once
#include <optional>
#include <vector>

#include <Eigen/Core>

#include <actio/system/constraints_alone.hpp>

namespace actio::discrete {
struct StartReport;
}

// Constraints g(t, q) = 0 as a run is judged by them: their values and rates at a state, evaluated apart from the method that is
// to keep them.
namespace actio::invariant {

class ConstraintMap {
 public:
  ConstraintMap() = default;
  // For the constraints of the model, or those that a penalty replaces.
  explicit ConstraintMap(const system::Model& model, const expr::CompileOptions& options = {});

  long size() const { return m_; }         // m
  bool moving() const { return moving_; }  // some g depends on the time
  bool penalised() const { return penalised_; }
  bool may_be_redundant() const { return least_squares_; }  // that was asked for
  // Those of R'R = 1 of the bodies are the last of them, 6 a body.
  long of_rotations() const { return 6 * static_cast<long>(bodies_.size()); }
  const std::vector<system::Body>& bodies() const { return bodies_; }
  // g, their rates G v + g_t, and |dg_k/dq| (m) each, with G = dg/dq: |g_k| / |dg_k/dq| is a distance, the rate over it a speed.
  // One caller at a time; copies are independent.
  void operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& g, Eigen::VectorXd& rate,
                  Eigen::VectorXd& slope);
  // The largest |x_i| of the coordinates each constraint depends on (m).
  void sizes(const Eigen::VectorXd& x, Eigen::VectorXd& out) const;
  // q, v (n) become the nearest on the constraints and along them, in the metric of the mass's diagonal; how far they moved.
  discrete::StartReport project(double t, Eigen::VectorXd& q, Eigen::VectorXd& v) const;
  // G (m x n). Columns of coordinates that never move are zero.
  const algebra::SparseJacobian& jacobian(double t, const Eigen::VectorXd& q);

 private:
  long m_ = 0;
  bool moving_ = false, penalised_ = false, least_squares_ = false;
  std::vector<system::Body> bodies_;
  std::optional<system::Assembled<algebra::SparseSpace>> system_;
  Eigen::VectorXd g_, g_t_;
  algebra::SparseJacobian G_;
};

}  // namespace actio::invariant
