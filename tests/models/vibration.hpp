#pragma once
#include <gtest/gtest.h>

#include <actio/algebra/sparse.hpp>
#include <cmath>
#include <models/structure.hpp>
#include <numbers>

namespace models::tests {

// The lowest omega^2 of S u = omega^2 M u whose mode is not orthogonal to `start`, by inverse iteration [1/s^2].
inline double lowest_square(const Structure& s, Eigen::VectorXd u) {
  actio::algebra::SparseSolver solver(s.stiffness, true);
  EXPECT_TRUE(solver.factor_positive(s.stiffness));
  double square = 0;
  for (int k = 0; k < 300; ++k) {
    const Eigen::VectorXd p = s.mass * u;
    solver.solve(p, u);
    const double next = u.dot(p) / u.dot(s.mass * u);
    u /= u.norm();
    if (std::abs(next - square) < 1e-13 * next) return next;
    square = next;
  }
  ADD_FAILURE() << "inverse iteration does not converge";
  return square;
}

// Every rigid motion has no elastic energy, and the kinetic energy of a mass `m` with its inertia.
inline void expect_rigid_motions_cost_nothing(const Structure& s, double m) {
  const double stiff = s.stiffness.diagonal().maxCoeff();
  double largest = 0;
  for (const auto& r : s.nodes) largest = std::max({largest, std::abs(r[0]), std::abs(r[1]), std::abs(r[2])});
  for (std::size_t k = 0; k < 6; ++k) {
    std::array<double, 3> a{}, b{};
    (k < 3 ? a[k] : b[k - 3]) = 1;
    const Eigen::VectorXd u = s.rigid(a, b);
    EXPECT_LT((s.stiffness * u).lpNorm<Eigen::Infinity>(), 100 * 2.2e-16 * stiff * (1 + largest)) << k;
    if (k < 3) { EXPECT_NEAR(u.dot(s.mass * u), m, 1e-12 * m) << k; }
  }
  EXPECT_LT((s.stiffness - Eigen::SparseMatrix<double>(s.stiffness.transpose())).norm(), 1e-14 * s.stiffness.norm());
}

}  // namespace models::tests
