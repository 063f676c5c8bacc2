#pragma once
#include <actio/discrete/rotation.hpp>
#include <actio/system/model.hpp>
#include <string>
#include <vector>

// The velocities of a model with bodies in as many numbers as it has freedoms: w = (q', Omega), ordinary coordinates (positions
// of bodies among them) as they are and, for the nine entries of a rotation R, the body's angular velocity Omega, R' = R
// hat(Omega). With E(q) the matrix of v = E(q) w, (n x k): forces f and momenta p become E' f and E' p, which of a body are its
// torque and its angular momentum in its own axes; a step is q1 = q0 (+) h w, R1 = R0 tau(h Omega).
namespace actio::discrete {

// "" where w and the mass of the bodies' inertia say all of the kinetic energy; else why not.
std::string not_of_bodies(const system::Model& model);

class BodyCoordinates {
 public:
  using Vector = Eigen::VectorXd;
  struct Body {
    long rotation, at;        // of R11 in q, of Omega in w
    Matrix3 inertia, J;       // [kg m^2]; J = tr(inertia)/2 - inertia
    Matrix3 inverse_inertia;  // of a body with three moments
  };
  struct Run {  // ordinary coordinates from .. from + length - 1, in w at ..
    long from, at, length;
  };

  BodyCoordinates(const system::Model& model, const system::MassMatrix& mass);

  long size() const { return k_; }         // k
  long coordinates() const { return n_; }  // n
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Run>& ordinary() const { return runs_; }
  // Where coordinate i of q is in w: itself, or the first entry of its body's Omega.
  struct Place {
    long at;
    int width;  // 1, or 3
  };
  Place place(long i) const { return places_[static_cast<std::size_t>(i)]; }
  const Eigen::SparseMatrix<double>& mass() const { return mass_; }  // (k x k), w'(mass)w/2 the kinetic energy

  static auto rotation(const Vector& q, const Body& b) {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(q.data() + b.rotation);
  }
  static auto rotation(Vector& q, const Body& b) {
    return Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(q.data() + b.rotation);
  }
  static auto omega(const Vector& w, const Body& b) { return w.segment<3>(b.at); }
  static auto omega(Vector& w, const Body& b) { return w.segment<3>(b.at); }

  // q1 = q0 (+) h w. What rounding leaves of R'R - 1 = D in R1 is taken out to first order, R1 -= R1 D/2 (Newton and Schulz).
  void retract(Retraction tau, const Vector& q0, double h, const Vector& w, Vector& q1) const;
  void velocity(const Vector& q, const Vector& w, Vector& v) const;  // v = E(q) w
  void pull(const Vector& q, const Vector& f, Vector& r) const;      // r = E(q)' f
  // p = M v of the velocity whose momentum is mu (k): the p of E' p = mu that is tangent.
  void push_momentum(const Vector& q, const Vector& mu, Vector& p) const;
  // R becomes the nearest rotation. False: there is none, or it is far; q is as it was.
  bool make_rotations(Vector& q) const;

 private:
  long n_, k_ = 0;
  std::vector<Body> bodies_;
  std::vector<Run> runs_;
  std::vector<Place> places_;
  Eigen::SparseMatrix<double> mass_;
};

}  // namespace actio::discrete
