#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

namespace actio::run {

// The polynomial v(s), s from 0 to 1, through v0 and v1 at both ends, W_1 .. W_m at nodes between them, and where the slopes at
// the ends are known, through those: h a0, h a1. What each of these data counts for, in this order, in v and in its integral.
class VelocityPolynomial {
 public:
  VelocityPolynomial() = default;
  VelocityPolynomial(std::span<const double> nodes, bool slopes);
  long data() const { return basis_.rows(); }
  bool is_of(std::span<const double> nodes, bool slopes) const;
  void shares(double s, Eigen::VectorXd& in_velocity, Eigen::VectorXd& in_position) const;  // of (q - q0)/h

 private:
  std::vector<double> nodes_;
  bool slopes_ = false;
  Eigen::MatrixXd basis_, integral_;  // row: of a datum; column k: the coefficient of (2 s - 1)^k
};

}  // namespace actio::run
