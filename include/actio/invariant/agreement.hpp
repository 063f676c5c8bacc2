#pragma once
#include <limits>

#include <Eigen/Core>

#include <actio/system/callbacks.hpp>

// Whether the forces and tangents that a code of one's own assembles are derivatives of one another. Central differences,
// extrapolated, at a state a motion away from the one that is given, along directions at random that are always the same;
// coordinates that never move are left alone.
namespace actio::invariant {

// Relative; NaN where one of the functions is not given, or none of the differences is finite.
struct Agreement {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double energy = none;         // |dV(u) - r . u| / |r . u| along u = r
  double tangent = none;        // |dr(u) - K u| / |K u|
  double symmetry = none;       // |K - K'| / |K|, Frobenius
  double force_tangent = none;  // |dF(u, w) - F_q u - F_v w| / |F_q u + F_v w|
};

// `length` and `speed`: of a typical motion, in units of q (n) and v (n), positive. Throws core::InputError where they are not,
// or the model has neither callbacks nor a library.
Agreement agreement(const system::Model& model, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double length,
                    double speed);

}  // namespace actio::invariant
