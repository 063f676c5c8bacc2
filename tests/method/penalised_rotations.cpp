#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/bodies.hpp>
#include <algorithm>
#include <cmath>

// TO 4.5: a magnetised body of inertia 1 in the entries of R, R'R = 1 by a penalty w^2/2 tr((R'R - 1)^2), by the variational
// Zhang and Skeel of (36), (37). It is `zhang-skeel` with half their beta: their a is the force on entries of mass 1/2.
namespace actio::method {
namespace {

using Eigen::Matrix3d;
constexpr double B_mu = 0.8, omega = 10, beta = 0.4, h = 0.1;

io::Problem magnet() {
  return io::load_text(R"toml([system]
parameters = { Bmu = 0.8, w = 10 }
bodies = [{ name = "m", inertia = 1 }]
constraint_method = "penalty"
omega = "w"
potential = "Bmu*m.R33"
[initial.bodies.m]
angular_velocity = [1, 0.2, 0.1]
[method]
name = "zhang-skeel"
beta = 0.2
[run]
step = 0.1
steps = 1
)toml",
                       "magnet.toml");
}

// a of (37), and f_k = a - sign 2 w^2 beta^2 h^4 (R a'a + a R'a + a a'R); the paper prints the other sign.
Matrix3d force(const Matrix3d& R, double sign = 1) {
  const auto curvature = [&](const Matrix3d& a) {
    return Matrix3d(2 * omega * omega * (a * R.transpose() * R + R * a.transpose() * R + R * R.transpose() * a - a));
  };
  Eigen::Matrix<double, 9, 9> A;
  for (int k = 0; k < 9; ++k) {
    Matrix3d unit = Matrix3d::Zero();
    unit.data()[k] = 1;
    const Matrix3d column = unit + beta * h * h * curvature(unit);
    A.col(k) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(column.data());
  }
  Matrix3d f = -2 * omega * omega * (R * R.transpose() * R - R), a;
  f(2, 2) -= B_mu;
  Eigen::Map<Eigen::Matrix<double, 9, 1>>(a.data()) = A.partialPivLu().solve(Eigen::Map<Eigen::Matrix<double, 9, 1>>(f.data()));
  return a -
         sign * 2 * std::pow(omega * beta * h * h, 2) * (R * a.transpose() * a + a * R.transpose() * a + a * a.transpose() * R);
}

Matrix3d start() {
  Matrix3d p;  // R'/2
  p << 0, -0.1, 0.2, 0.1, 0, -1, -0.2, 1, 0;
  return p / 2;
}

struct State {
  Matrix3d R, p;
};
State now(const Integrator& integrator, const io::Problem& problem) {
  Snapshot s;
  integrator.snapshot(s);
  return {system::rotation_of(problem.model.bodies[0], s.q), system::rotation_of(problem.model.bodies[0], s.p)};
}

TEST(PenalisedRotations, of_second_order_are_zhang_skeel_with_half_their_beta) {
  const io::Problem problem = magnet();
  const auto integrator = make_integrator(problem.model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  Matrix3d R = Matrix3d::Identity(), p = start();
  for (int k = 0; k < 200; ++k) {
    p += h / 2 * force(R);
    R += 2 * h * p;
    p += h / 2 * force(R);
    ASSERT_TRUE(integrator->advance(1, h).ok);
    const State s = now(*integrator, problem);
    ASSERT_LT((s.R - R).norm() + (s.p - p).norm(), 1e-11) << k;
  }
}

// p1 = p0 + h f(R0), R1 = R0 + 2 h p1: the same path, from a momentum half a kick ahead.
TEST(PenalisedRotations, of_first_order_go_the_path_of_second_order) {
  const io::Problem problem = magnet();
  const auto integrator = make_integrator(problem.model, problem.method);
  Matrix3d R = Matrix3d::Identity(), p = start();
  const Matrix3d ahead = p + h / 2 * force(R);
  Eigen::VectorXd start(9);
  for (long i = 0; i < 3; ++i) start.segment<3>(3 * i) = ahead.row(i);
  integrator->start_momentum(0, problem.q0, start);
  for (int k = 0; k < 200; ++k) {
    p += h * force(R);
    R += 2 * h * p;
    ASSERT_TRUE(integrator->advance(1, h).ok);
    ASSERT_LT((now(*integrator, problem).R - R).norm(), 1e-11) << k;
  }
}

// Momentum about z, of p R': kept by the sign of the variational principle, not by the one that is printed.
TEST(PenalisedRotations, keep_momentum_about_the_field_as_the_action_says) {
  const auto drift = [](double sign) {
    Matrix3d R = Matrix3d::Identity(), p = start();
    double worst = 0;
    for (int k = 0; k < 2000 && R.allFinite(); ++k) {
      p += h / 2 * force(R, sign);
      R += 2 * h * p;
      p += h / 2 * force(R, sign);
      const Matrix3d L = p * R.transpose() - start();
      worst = std::max(worst, std::abs(L(1, 0) - L(0, 1)));
    }
    return R.allFinite() ? worst : 1e300;
  };
  EXPECT_LT(drift(1), 1e-12);
  EXPECT_GT(drift(-1), 1e-6);
  const io::Problem problem = magnet();
  const auto integrator = make_integrator(problem.model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  ASSERT_TRUE(integrator->advance(2000, h).ok);
  const State s = now(*integrator, problem);
  const Matrix3d L = s.p * s.R.transpose() - start();
  EXPECT_LT(std::abs(L(1, 0) - L(0, 1)), 1e-12);
}

}  // namespace
}  // namespace actio::method
