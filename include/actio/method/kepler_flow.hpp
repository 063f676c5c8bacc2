#pragma once
#include <Eigen/Core>
#include <actio/method/kick.hpp>
#include <actio/solve/kepler.hpp>
#include <actio/system/model.hpp>
#include <vector>

// The fast part of gravitating points in Jacobi coordinates (Wisdom and Holman, 1991): u_i = q_i - R_(i-1), R_(i-1) the centre of
// mass of those before it, canonical with the momenta m'_i u_i', m'_i = m_i eta_(i-1)/eta_i, eta_i = m_0 + ... + m_i. Each is
// drawn by all before it, to which the forces of the model that are left are kicks:
//
//   A = sum_i m'_i |u_i'|^2/2 - G m_i eta_(i-1)/|u_i|,   B = V - (that potential),   u_i'' = -G eta_i u_i/|u_i|^3 by A
//
// The centre of mass of all moves along a line. Sums of u and u' keep what rounding takes from them.
namespace actio::method {

class KeplerFlow {
 public:
  // Throws core::InputError where the model has none (system::why_no_fast_part).
  explicit KeplerFlow(const system::Model& model);

  long rows() const { return flow_.rows() + 12; }
  void enter(const Eigen::VectorXd& q, const Eigen::VectorXd& p, double* z) const;
  void leave(const double* z, Eigen::VectorXd& q, Eigen::VectorXd& p) const;
  bool drift(double* z, double dt) const {
    drift_centre(z, dt);
    return flow_.drift(z, dt);
  }
  template <class S>
  void kick(S& system, double t, double* z, double dt) {
    positions(z, q_);
    method::kick(system, t, q_, v_, f_);
    accelerations(f_);
    flow_.kick(z, a_.data(), dt);
    kick_centre(z, dt);
  }

 private:
  void positions(const double* z, Eigen::VectorXd& q) const;
  void accelerations(const Eigen::VectorXd& f);
  void drift_centre(double* z, double dt) const;
  void kick_centre(double* z, double dt) const;

  long points_ = 0, stride_ = 0;
  int axes_ = 3;
  std::vector<long> at_;                       // coordinate of point i along an axis: at_[axis * points_ + i]
  std::vector<double> mass_, inside_, share_;  // m_i, eta_i, m_i/eta_i
  std::vector<double> over_mass_, over_inside_;
  solve::KeplerFlow flow_;
  Eigen::VectorXd q_, v_, f_;
  std::vector<double> a_;  // (3 x stride) of u, then of the centre of mass (3)
};

}  // namespace actio::method
