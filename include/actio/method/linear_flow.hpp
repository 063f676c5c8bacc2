#pragma once
#include <Eigen/Core>
#include <actio/algebra/dense.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/method/kick.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/model.hpp>
#include <memory>
#include <vector>

// The fast part 1/2 p'M^-1 p + 1/2 q'Kq - b'q of a model: its stiffness matrix and the terms with stiff = true, in the
// coordinates y of its modes, where each turns alone:
//
//   K Phi = M Phi diag(omega^2), Phi'M Phi = 1,   q = Phi y,   y'' = -omega^2 (y - y0)
//
// and kicks by the model without them. omega^2 may be negative, or 0. Matrices are full.
namespace actio::method {

class LinearFlow {
 public:
  using Space = algebra::DenseSpace<Eigen::Dynamic>;

  // Throws core::InputError where the fast part is not quadratic.
  LinearFlow(const system::Model& model, const expr::CompileOptions& options);

  long rows() const { return 2 * size(); }
  long size() const { return square_.size(); }
  void enter(const Eigen::VectorXd& q, const Eigen::VectorXd& p, double* z) const;
  void leave(const double* z, Eigen::VectorXd& q, Eigen::VectorXd& p) const;
  bool drift(double* z, double dt);
  template <class S>
  void kick(S&, double t, double* z, double dt) {
    const long n = size();
    q_.noalias() = *modes_ * Eigen::Map<const Eigen::VectorXd>(z, n);
    method::kick(slow_, t, q_, v_, f_);
    // forces along the modes
    v_.noalias() = modes_->transpose() * f_;
    Eigen::Map<Eigen::VectorXd>(z + n, n) += dt * (v_ + left_);
  }

 private:
  struct Turn {  // of a time
    double dt;
    Eigen::VectorXd c, s, down;  // y1 = y0 + c (y - y0) + s y',  y1' = down (y - y0) + c y'
  };
  const Turn& turn(double dt);

  system::Assembled<Space> slow_;
  std::shared_ptr<const Eigen::MatrixXd> modes_, back_;  // Phi, and Phi'M
  Eigen::VectorXd square_, centre_, left_;               // omega^2, y0, and the part of Phi'b that no omega^2 holds
  std::vector<Turn> turns_;
  Eigen::VectorXd q_, v_, f_;
};

}  // namespace actio::method
