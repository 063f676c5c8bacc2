#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/solve/anderson.hpp>
#include <vector>

namespace actio::solve {
namespace {

using Vectors = std::vector<Eigen::VectorXd>;

// x += F(x), F = b - (1 - J) x with |J| = 0.9, its four unknowns in two lists: without acceleration 1e-12 takes 262 iterations;
// of a linear F with fewer directions than differences one more than directions are enough.
TEST(Anderson, finds_a_fixed_point_of_a_linear_map_in_as_many_iterations_as_unknowns) {
  Eigen::Matrix4d J = Eigen::Vector4d(0.9, -0.7, 0.5, -0.3).asDiagonal();
  J(0, 3) = 0.2;
  J(2, 1) = -0.3;
  const Eigen::Vector4d b(1, -2, 0.5, 3), root = (Eigen::Matrix4d::Identity() - J).inverse() * b;
  for (const double weight : {1.0, 1e-4}) {
    Vectors u(1, Eigen::VectorXd::Zero(2)), v(2, Eigen::VectorXd::Zero(1)), du = u, dv = v;
    Anderson<Eigen::VectorXd, Eigen::VectorXd> anderson(u, v);
    const auto x = [&] { return Eigen::Vector4d(u[0][0], u[0][1], v[0][0], v[1][0]); };
    for (int again = 0; again < 2; ++again) {  // a new start knows nothing of the last
      u[0].setZero();
      v[0].setZero();
      v[1].setZero();
      anderson.begin();
      for (int k = 0; k < 6; ++k) {
        const Eigen::Vector4d F = b + J * x() - x();
        du[0] = F.head(2);
        dv[0][0] = F[2];
        dv[1][0] = F[3];
        anderson.advance(u, v, du, dv, weight);
        if (k == 0) { EXPECT_LT((x() - b).norm(), 1e-15); }  // the first is plain
      }
      EXPECT_LT((x() - root).norm(), 1e-9 * root.norm());
    }
  }
}

// A change that says nothing new is left out: F is constant along it.
TEST(Anderson, goes_on_where_differences_depend_on_one_another) {
  Vectors u(1, Eigen::VectorXd::Zero(2)), v, du = u;
  Anderson<Eigen::VectorXd, Eigen::VectorXd> anderson(u, v);
  for (int k = 0; k < 20; ++k) {
    du[0] = Eigen::Vector2d(1, 1) - 0.5 * u[0];  // one direction alone
    anderson.advance(u, v, du, v, 0);
  }
  EXPECT_LT((u[0] - Eigen::Vector2d(2, 2)).norm(), 1e-14);
}

}  // namespace
}  // namespace actio::solve
