#pragma once
#include <actio/petsc/matrix.hpp>

namespace actio::petsc {

// M = m 1, for system::Mechanical. K has places for its diagonal.
struct EqualMass {
  double m = 1;  // [kg]
  void momentum(const Vector& v, Vector& p) const { p = m * v; }
  void velocity(const Vector& p, Vector& v) const { v = (1 / m) * p; }
  void add_to(double w, Matrix& K) const { check(MatShift(K.get(), w * m)); }
};

}  // namespace actio::petsc
