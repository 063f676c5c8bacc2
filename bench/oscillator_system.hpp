#pragma once
#include <actio/system/mechanical.hpp>

// KMOW 4.1: V = |q|^2 (|q|^2 - 1)^2, unit mass, as a user would write it.
struct Oscillator {
  using Space = actio::algebra::DenseSpace<2>;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;

  double value(const Vector& q) const {
    const double s = q.squaredNorm();
    return s * (s - 1) * (s - 1);
  }
  void gradient(const Vector& q, Vector& g) const {
    const double s = q.squaredNorm();
    g = 2 * (s - 1) * (3 * s - 1) * q;
  }
  void hessian(const Vector& q, Matrix& H) const {
    const double s = q.squaredNorm(), a = 2 * (s - 1) * (3 * s - 1), b = 8 * (3 * s - 2);
    H = {a + b * q[0] * q[0], b * q[0] * q[1], b * q[0] * q[1], a + b * q[1] * q[1]};
  }
};
