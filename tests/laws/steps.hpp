#pragma once
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <actio/method/integrator.hpp>

// A step as a map of (q, p), and its derivative.
namespace actio::laws {

inline Eigen::VectorXd state(const method::Integrator& integrator) {
  method::Snapshot s;
  integrator.snapshot(s);
  Eigen::VectorXd z(2 * s.q.size());
  z << s.q, s.p;
  return z;
}

// (q, p) after `steps` of h from (q, p)
inline Eigen::VectorXd flow(method::Integrator& integrator, const Eigen::VectorXd& z, double h, long steps = 1) {
  const long n = integrator.size();
  integrator.start_momentum(0, z.head(n), z.tail(n));
  const auto report = integrator.advance(steps, h);
  EXPECT_TRUE(report.ok) << report.what;
  return state(integrator);
}

// The Jacobian of a map at z by differences of eighth order: an error of 1e-11 at this width.
inline Eigen::MatrixXd differences(const auto& map, const Eigen::VectorXd& z) {
  constexpr double width = 0.01, weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(z.size(), z.size());
  for (long i = 0; i < z.size(); ++i)
    for (int k = 1; k <= 4; ++k) {
      Eigen::VectorXd plus = z, minus = z;
      plus[i] += k * width;
      minus[i] -= k * width;
      J.col(i) += weights[k - 1] / width * (map(plus) - map(minus));
    }
  return J;
}

}  // namespace actio::laws
