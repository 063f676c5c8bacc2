#include <gtest/gtest.h>

#include <actio/method/minimising_newmark.hpp>
#include <actio/method/newmark.hpp>
#include <actio/solve/newton.hpp>
#include <actio/system/mechanical.hpp>
#include <cmath>

// Steps so long that what minimising Newmark minimises (KMOW 3.22) is not convex.
namespace actio::method {
namespace {

using Space = algebra::DenseSpace<1>;
using Vector = Space::Vector;
using Matrix = Space::Matrix;

// V = A (1 - cos k q) + q^2/2, unit mass
struct Comb {
  using Space = actio::method::Space;
  double A, k;
  double value(const Vector& q) const { return A * (1 - std::cos(k * q[0])) + q[0] * q[0] / 2; }
  void gradient(const Vector& q, Vector& g) const { g[0] = A * k * std::sin(k * q[0]) + q[0]; }
  void hessian(const Vector& q, Matrix& H) const { H(0, 0) = A * k * k * std::cos(k * q[0]) + 1; }
};

// (3.22) with beta = 1/4, times h^2
double objective(const Comb& V, double q_pre, double h, double q) {
  return (q - q_pre) * (q - q_pre) / 2 + h * h / 4 * V.value(Vector(q));
}

TEST(MinimisingNewmark, finds_the_minimum_where_plain_and_damped_newton_fail) {
  const Comb V{1, 2};
  const double h = 2, bh2 = h * h / 4;
  const Vector q0(0.7), v0(0.0);
  const system::Mechanical system(V);
  MinimisingNewmarkStepper stepper(system, MinimisingNewmark{0.25, 0.5, 0.5});
  const auto start = stepper.start(0, q0, v0);
  const double q_pre = q0[0] + h * v0[0] + h * h / 4 * start.a[0];

  const auto equations = [&](const Vector& a, Vector& r, Matrix& K) {
    const Vector q(q_pre + bh2 * a[0]);
    Vector g;
    V.gradient(q, g);
    V.hessian(q, K);
    r = a + g;
    K(0, 0) = 1 + bh2 * K(0, 0);
  };
  solve::Newton<Space> newton(Space{});
  Vector a = start.a;
  EXPECT_FALSE(newton.solve(equations, a, [] { return 1e-15; }).converged);
  a = start.a;
  EXPECT_FALSE(newton.solve_damped(equations, a, 1e-15).converged);

  auto x = start;
  ASSERT_TRUE(stepper.step(x, h).converged);
  EXPECT_LT(stepper.residual(start, x, h), 1e-14);
  Matrix H;
  V.hessian(x.q, H);
  EXPECT_GT(1 + bh2 * H(0, 0), 0);
  const double from = q_pre + bh2 * start.a[0], least = objective(V, q_pre, h, x.q[0]);
  EXPECT_LT(least, objective(V, q_pre, h, from) - 0.1);
  for (double d = 1e-3; d < 0.1; d *= 2)
    EXPECT_LT(least, std::min(objective(V, q_pre, h, x.q[0] + d), objective(V, q_pre, h, x.q[0] - d)));
}

// 1620 steps into combs of all depths: Newton's method fails in many, the minimum is always found.
TEST(MinimisingNewmark, solves_every_step_into_a_comb) {
  int newton_failed = 0;
  for (const double A : {0.3, 1.0, 3.0})
    for (const double k : {2.0, 5.0})
      for (const double h : {0.5, 1.0, 2.0})
        for (int i = 0; i < 10; ++i)
          for (int j = -4; j <= 4; ++j) {
            const system::Mechanical system(Comb{A, k});
            const Vector q(0.3 * i), v(1.0 * j);
            MinimisingNewmarkStepper minimising(system, MinimisingNewmark{});
            NewmarkStepper newmark(system, Newmark{});
            auto x = minimising.start(0, q, v);
            auto y = newmark.start(0, q, v);
            ASSERT_TRUE(minimising.step(x, h).converged) << A << " " << k << " " << h << " " << q[0] << " " << v[0];
            Vector g;
            Comb{A, k}.gradient(x.q, g);
            // an increment of 16 roundings of a1, or of q / (beta h^2), times the steepest Hessian
            const double bh2 = h * h / 4,
                         increment = 16 * 2.2e-16 * (std::abs(x.a[0]) + (std::abs(q[0]) + std::abs(x.q[0])) / bh2);
            ASSERT_LE(std::abs(x.a[0] + g[0]), increment * (1 + bh2 * (1 + A * k * k)));
            newton_failed += !newmark.step(y, h).converged;
          }
  EXPECT_GT(newton_failed, 50);
}

}  // namespace
}  // namespace actio::method
