#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/discrete/quadrature.hpp>
#include <actio/method/newmark.hpp>
#include <actio/method/variational.hpp>
#include <actio/system/forced.hpp>
#include <actio/system/mechanical.hpp>
#include <cmath>
#include <vector>

// KMOW Theorem 5.1 and the first remark of 5.2: forced Newmark with gamma = 1/2 as discrete Lagrange-d'Alembert equations.
// Newmark itself is solved here, by iteration, from (5.5)-(5.7) as printed.
namespace actio::discrete {
namespace {

using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;

const Matrix M = (Matrix() << 2, 0.3, -0.2, 0.3, 1, 0.4, -0.2, 0.4, 1.5).finished();
const Matrix inverse = M.inverse();
const double h = 0.2;

// V = 1/2 s^2 + 1/4 s^4 + 1 - cos(y - z) + exp(x - z), s = x - y
Vector slope(const Vector& q) {
  const double s = q[0] - q[1], a = s + s * s * s, b = std::sin(q[1] - q[2]), c = std::exp(q[0] - q[2]);
  return {a + c, b - a, -b - c};
}
Matrix curvature(const Vector& q) {
  const double s = q[0] - q[1], a = 1 + 3 * s * s, b = std::cos(q[1] - q[2]), c = std::exp(q[0] - q[2]);
  return (Matrix() << a + c, -a, -c, -a, a + b, -b, -c, -b, b + c).finished();
}
// Nonlinear in both, neither friction nor a gradient
Vector swirl(const Vector& q, const Vector& v) {
  return {0.4 * v[1] * q[2] - 0.3 * v[0] * v.norm(), 0.5 * std::sin(q[0]) - 0.2 * v[1], -0.3 * v[0] * v[2] + 0.1 * q[1]};
}
Vector viscous(const Vector&, const Vector& v) { return -0.4 * v; }

using Force = Vector (*)(const Vector&, const Vector&);
struct State {
  Vector q, v;
};
Vector acceleration(Force F, const State& x) { return inverse * (F(x.q, x.v) - slope(x.q)); }  // (5.7)

// (5.5), (5.6) with gamma = 1/2
State newmark(Force F, double beta, const State& x) {
  const Vector a0 = acceleration(F, x);
  State y = x;
  for (int k = 0; k < 200; ++k) {
    const Vector a1 = acceleration(F, y);
    y.q = x.q + h * x.v + h * h / 2 * ((1 - 2 * beta) * a0 + 2 * beta * a1);
    y.v = x.v + h / 2 * (a0 + a1);
  }
  return y;
}

std::vector<State> path(Force F, double beta, int steps) {
  std::vector<State> x{{{0.4, -0.3, 0.2}, {0.1, 0.5, -0.3}}};
  for (int k = 0; k < steps; ++k) x.push_back(newmark(F, beta, x.back()));
  return x;
}

// The mapping (q0, q1) -> (v0, v1) that Newmark's equations define; F_NM- and F_NM+ (5.8, 5.9) are F at its ends.
struct Ends {
  Vector minus, plus;
};
Ends forces(Force F, double beta, const Vector& q0, const Vector& q1) {
  State x{q0, (q1 - q0) / h}, y{q1, (q1 - q0) / h};
  for (int k = 0; k < 200; ++k) {
    const Vector a0 = acceleration(F, x), a1 = acceleration(F, y);
    x.v = (q1 - q0) / h - h / 2 * ((1 - 2 * beta) * a0 + 2 * beta * a1);
    y.v = x.v + h / 2 * (a0 + a1);
  }
  return {F(x.q, x.v), F(y.q, y.v)};
}

// The left side of (5.3) at q1, of (5.11)-(5.13) with eta(q) = q + sign beta h^2 M^-1 grad V(q). A discrete force is a covector
// and multiplies D eta from the left: as a column, D eta' F. D1 of h/2 w'Mw - h V~(eta(q0)), w = (eta(q1) - eta(q0))/h, is
// -D eta(q0)' (M w + h grad V(q0)).
Vector defect(Force F, double beta, double sign, const Vector& q0, const Vector& q1, const Vector& q2) {
  const auto eta = [&](const Vector& q) -> Vector { return q + sign * beta * h * h * inverse * slope(q); };
  const Matrix D = Matrix::Identity() + sign * beta * h * h * inverse * curvature(q1);
  const Vector d2 = D.transpose() * (M * (eta(q1) - eta(q0)) / h);
  const Vector d1 = -D.transpose() * (M * (eta(q2) - eta(q1)) / h + h * slope(q1));
  const Ends before = forces(F, beta, q0, q1), after = forces(F, beta, q1, q2);
  const Vector minus = h / 2 * D.transpose() * ((1 - 2 * beta) * after.minus + 2 * beta * after.plus);   // (5.12)
  const Vector plus = h / 2 * D.transpose() * (2 * beta * before.minus + (1 - 2 * beta) * before.plus);  // (5.13)
  return d1 + d2 + minus + plus;
}

double worst_defect(Force F, double beta, double sign) {
  const auto x = path(F, beta, 60);
  double worst = 0;
  for (std::size_t k = 1; k + 1 < x.size(); ++k)
    worst = std::max(worst, defect(F, beta, sign, x[k - 1].q, x[k].q, x[k + 1].q).norm());
  return worst;
}

// The printed (5.12), (5.13) hold as they stand; the printed minus in eta does not. Rounding: eps |q| |M|/h, twice.
TEST(KmowTheorem51, forced_newmark_is_the_forced_discrete_euler_lagrange_equations_of_eta_with_plus) {
  for (const double beta : {0.1, 0.25, 0.4}) {
    EXPECT_LT(worst_defect(swirl, beta, 1), 1e-13) << beta;
    EXPECT_GT(worst_defect(swirl, beta, -1), 1e-3) << beta;
  }
  EXPECT_LT(worst_defect(swirl, 0, 1), 1e-13);  // eta = q: velocity Verlet with F at both ends
}

// (5.10), the same as an update of positions.
TEST(KmowTheorem51, position_form_holds_as_printed) {
  for (const double beta : {0.0, 0.25, 0.4}) {
    const auto x = path(swirl, beta, 60);
    for (std::size_t k = 1; k + 1 < x.size(); ++k) {
      const Vector &q0 = x[k - 1].q, &q1 = x[k].q, &q2 = x[k + 1].q;
      const Ends before = forces(swirl, beta, q0, q1), after = forces(swirl, beta, q1, q2);
      const Vector left =
          (q2 - 2 * q1 + q0) / h + h * inverse *
                                       (beta * slope(q2) - (2 * beta - 1) * slope(q1) + beta * slope(q0) - beta * after.plus +
                                        (2 * beta - 1) / 2 * (after.minus + before.plus) - beta * before.minus);
      ASSERT_LT(left.norm(), 1e-13);
    }
  }
}

// 5.2: with q_k from (5.4) at alpha = 1/2, x_k = (q_k + q_{k+1})/2 is a path of Newmark 1/4, 1/2, and v_k = (q_{k+1} - q_k)/h its
// velocity. The paper has it for F = -c v; it holds for every F(x_k, v_k), the force at the middle of a step.
TEST(KmowSection52, forced_newmark_is_shadowed_by_the_lagrange_dalembert_integrator) {
  for (const Force F : {Force(viscous), Force(swirl)}) {
    const auto x = path(F, 0.25, 60);
    // q_0 and q_1 from x_0 = (q_0 + q_1)/2, v_0 = (q_1 - q_0)/h, then (5.4)
    Vector q0 = x[0].q - h / 2 * x[0].v, q1 = x[0].q + h / 2 * x[0].v;
    for (std::size_t k = 0; k < x.size(); ++k) {
      ASSERT_LT(((q0 + q1) / 2 - x[k].q).norm() + ((q1 - q0) / h - x[k].v).norm(), 1e-12) << "step " << k;
      const State before{(q0 + q1) / 2, (q1 - q0) / h};
      Vector q2 = 2 * q1 - q0;
      for (int i = 0; i < 200; ++i) {
        const State after{(q1 + q2) / 2, (q2 - q1) / h};
        q2 = 2 * q1 - q0 + h * h / 2 * (acceleration(F, before) + acceleration(F, after));
      }
      q0 = q1;
      q1 = q2;
    }
  }
}

using Space = algebra::DenseSpace<3>;
struct Potential {
  using Space = actio::discrete::Space;
  double value(const Vector& q) const {
    const double s = q[0] - q[1];
    return s * s / 2 + s * s * s * s / 4 + 1 - std::cos(q[1] - q[2]) + std::exp(q[0] - q[2]);
  }
  void gradient(const Vector& q, Vector& g) const { g = slope(q); }
  void hessian(const Vector& q, Matrix& H) const { H = curvature(q); }
};
struct Swirl {
  void value(double, const Space::Vector& q, const Space::Vector& v, Space::Vector& F) const { F = swirl(q, v); }
  void tangent(double, const Space::Vector& at_q, const Space::Vector& at_v, double wq, double wv, Space::Matrix& K) const {
    const Vector q = at_q, v = at_v;
    const double s = v.norm();
    const Matrix Fq = (Matrix() << 0, 0, 0.4 * v[1], 0.5 * std::cos(q[0]), 0, 0, 0, 0.1, 0).finished();
    const Matrix Fv = (Matrix() << -0.3 * (s + v[0] * v[0] / s), 0.4 * q[2] - 0.3 * v[0] * v[1] / s, -0.3 * v[0] * v[2] / s, 0,
                       -0.2, 0, -0.3 * v[2], 0, -0.3 * v[0])
                          .finished();
    K += Space::Matrix(Matrix(wq * Fq + wv * Fv));
  }
};

// Both of our steppers are those methods.
TEST(KmowSection52, newmark_and_variational_steppers_walk_these_paths) {
  const system::WithForces system(system::Mechanical(Potential{}, system::FullMass<3>(M)), system::NoFriction{}, Swirl{});
  for (const double beta : {0.0, 0.1, 0.25}) {
    const auto x = path(swirl, beta, 60);
    method::NewmarkStepper stepper(system, method::Newmark{beta, 0.5});
    auto y = stepper.start(0, x[0].q, Vector(M * x[0].v));
    for (std::size_t k = 1; k < x.size(); ++k) {
      ASSERT_TRUE(stepper.step(y, h).converged);
      ASSERT_LT((y.q.eigen() - x[k].q).norm() + (y.v.eigen() - x[k].v).norm(), 1e-12) << "beta " << beta << ", step " << k;
    }
  }
  const auto x = path(swirl, 0.25, 60);
  Quadrature Ld(system, Nodes::one(0.5));
  const Vector q0 = x[0].q - h / 2 * x[0].v;
  Space::Vector p0;
  Ld.momentum_before(0, h, q0, x[0].v, p0);
  method::VariationalStepper stepper(Ld);
  auto y = stepper.start(0, q0, p0);
  for (const State& shadow : x) {
    const Vector before = y.q;
    ASSERT_TRUE(stepper.step(y, h).converged);
    ASSERT_LT(((before + y.q.eigen()) / 2 - shadow.q).norm() + (y.w.eigen() - shadow.v).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace actio::discrete
