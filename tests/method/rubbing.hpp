#pragma once
#include <Eigen/Dense>
#include <actio/algebra/sparse.hpp>
#include <actio/system/forced.hpp>
#include <actio/system/mechanical.hpp>
#include <cmath>

// Systems of two coordinates that rub.
namespace actio::method::rubbing {

using system::Mechanical, system::NoForce, system::Weights, system::WithForces;

template <class Space>
Space space_of_two() {
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
    algebra::SparseMatrix pattern = Eigen::MatrixXd::Ones(2, 2).sparseView();
    pattern.coeffs().setZero();
    return {2, std::make_shared<const algebra::SparseMatrix>(pattern), true};
  } else {
    return {2};
  }
}
using Plane = algebra::DenseSpace<2>;

template <class Matrix>
void set(Matrix& K, double xx, double xy, double yy) {
  K.coeffRef(0, 0) = xx;
  K.coeffRef(0, 1) = K.coeffRef(1, 0) = xy;
  K.coeffRef(1, 1) = yy;
}

// V = |q|^2 (|q|^2 - 1)^2 (KMOW 4.1)
template <class SpaceType>
struct Oscillator {
  using Space = SpaceType;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  double value(const Vector& q) const {
    const double s = q.squaredNorm();
    return s * (s - 1) * (s - 1);
  }
  void gradient(const Vector& q, Vector& g) const {
    const double s = q.squaredNorm();
    g = (2 * (s - 1) * (3 * s - 1)) * q;
  }
  void hessian(const Vector& q, Matrix& H) const {
    const double s = q.squaredNorm(), a = 2 * (s - 1) * (3 * s - 1), b = 4 * (6 * s - 4);
    set(H, a + b * q[0] * q[0], b * q[0] * q[1], a + b * q[1] * q[1]);
  }
};

// phi = c/2 |v|^2
template <class SpaceType>
struct Viscous {
  using Vector = typename SpaceType::Vector;
  using Matrix = typename SpaceType::Matrix;
  static constexpr bool linear = true;
  double c = 1e-3;
  double value(double, const Vector&, const Vector& v) const { return 0.5 * c * v.squaredNorm(); }
  void gradient(double, const Vector&, const Vector& v, Vector& phi_q, Vector& phi_v) const {
    phi_q.setZero();
    phi_v = c * v;
  }
  void hessian(double, const Vector&, const Vector&, Weights w, Matrix& K) const {
    K.coeffRef(0, 0) += w.vv * c;
    K.coeffRef(1, 1) += w.vv * c;
  }
};

template <class Space>
auto damped_oscillator() {
  return WithForces(Mechanical(Oscillator<Space>{}, {}, space_of_two<Space>()), Viscous<Space>{});
}

template <class Vector>
Vector two(double x, double y) {
  Vector v = Vector::Zero(2);
  v[0] = x;
  v[1] = y;
  return v;
}

using Vector = Plane::Vector;
using Matrix = Plane::Matrix;

inline system::FullMass<2> mass() { return system::FullMass<2>((Eigen::Matrix2d() << 2, 0.5, 0.5, 1).finished()); }
inline const Vector q0{0.4, -0.3}, v0{0.1, 0.5};
inline Vector momentum(const Vector& v) {
  Vector p;
  mass().momentum(v, p);
  return p;
}

// V = 1/4 x^4 + 1/2 (x - y)^2 + exp(y)/2
struct Coupled {
  using Space = Plane;
  double value(const Vector& q) const {
    return q[0] * q[0] * q[0] * q[0] / 4 + (q[0] - q[1]) * (q[0] - q[1]) / 2 + std::exp(q[1]) / 2;
  }
  void gradient(const Vector& q, Vector& g) const { g = {q[0] * q[0] * q[0] + q[0] - q[1], q[1] - q[0] + std::exp(q[1]) / 2}; }
  void hessian(const Vector& q, Matrix& H) const { H = {3 * q[0] * q[0] + 1, -1.0, -1.0, 1 + std::exp(q[1]) / 2}; }
};

// phi = c [(1 + x^2 + y/2) |v|^2 / 2 + |v|^4 / 4]
struct Film {
  double c = 0.8;
  double value(double, const Vector& q, const Vector& v) const {
    const double s = v.squaredNorm();
    return c * ((1 + q[0] * q[0] + q[1] / 2) * s / 2 + s * s / 4);
  }
  void gradient(double, const Vector& q, const Vector& v, Vector& phi_q, Vector& phi_v) const {
    const double s = v.squaredNorm();
    phi_q = {c * q[0] * s, c * s / 4};
    phi_v = c * (1 + q[0] * q[0] + q[1] / 2 + s) * v;
  }
  void hessian(double, const Vector& q, const Vector& v, Weights w, Matrix& K) const {
    const double s = v.squaredNorm(), k = c * (1 + q[0] * q[0] + q[1] / 2 + s);
    const Vector r{c * 2 * q[0], c / 2};  // phi_qv = r v'
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) K(i, j) += w.qv * r[i] * v[j] + w.vq * v[i] * r[j] + w.vv * 2 * c * v[i] * v[j];
    K(0, 0) += w.qq * c * s + w.vv * k;
    K(1, 1) += w.vv * k;
  }
};

// The load that makes q(t) = (sin t, 1/2 cos 1.3 t) the motion: M q'' + grad V + dphi/dv
template <class Friction>
struct Manufactured {
  static constexpr bool needs_velocity = false;
  Friction friction;
  static Vector q(double t) { return {std::sin(t), 0.5 * std::cos(1.3 * t)}; }
  static Vector v(double t) { return {std::cos(t), -0.65 * std::sin(1.3 * t)}; }
  static Vector a(double t) { return {-std::sin(t), -0.845 * std::cos(1.3 * t)}; }
  void value(double t, const Vector&, const Vector&, Vector& F) const {
    Vector g, phi_q, phi_v;
    Coupled{}.gradient(q(t), g);
    friction.gradient(t, q(t), v(t), phi_q, phi_v);
    F = momentum(a(t)) + g + phi_v;
  }
  void tangent(double, const Vector&, const Vector&, double, double, Matrix&) const {}
};

template <class Friction>
auto manufactured(Friction friction) {
  return WithForces(Mechanical(Coupled{}, mass()), friction, Manufactured<Friction>{friction});
}

}  // namespace actio::method::rubbing
