#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/system/forced.hpp>
#include <actio/system/implicit.hpp>
#include <actio/system/mechanical.hpp>
#include <cmath>

// Friction, external forces and implicit equations of C++ systems: forces and tangents against differences.
namespace actio::system {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Space = algebra::DenseSpace<2>;
using Vector = Space::Vector;
using Matrix = Space::Matrix;

struct Well {
  using Space = actio::system::Space;
  double value(const Vector& q) const { return 0.25 * q.squaredNorm() * q.squaredNorm(); }
  void gradient(const Vector& q, Vector& g) const { g = q.squaredNorm() * q; }
  void hessian(const Vector& q, Matrix& H) const {
    H = {3 * q[0] * q[0] + q[1] * q[1], 2 * q[0] * q[1], 2 * q[0] * q[1], q[0] * q[0] + 3 * q[1] * q[1]};
  }
};

struct Film {  // phi = 1/2 (1 + x^2 + t) (vx^2 + 2 vx vy + 3 vy^2)
  static Vector slide(const Vector& v) { return {v[0] + v[1], v[0] + 3 * v[1]}; }
  double value(double t, const Vector& q, const Vector& v) const { return 0.5 * (1 + q[0] * q[0] + t) * v.dot(slide(v)); }
  void gradient(double t, const Vector& q, const Vector& v, Vector& phi_q, Vector& phi_v) const {
    phi_q = {q[0] * v.dot(slide(v)), 0.0};
    phi_v = (1 + q[0] * q[0] + t) * slide(v);
  }
  void hessian(double t, const Vector& q, const Vector& v, Weights w, Matrix& K) const {
    const Vector s = slide(v);
    const double c = 1 + q[0] * q[0] + t;
    K(0, 0) += w.qq * v.dot(s) + 2 * q[0] * (w.qv + w.vq) * s[0] + w.vv * c;
    K(0, 1) += 2 * q[0] * w.qv * s[1] + w.vv * c;
    K(1, 0) += 2 * q[0] * w.vq * s[1] + w.vv * c;
    K(1, 1) += 3 * w.vv * c;
  }
};

struct Swirl {  // F = (t + x vy, -y vx)
  void value(double t, const Vector& q, const Vector& v, Vector& F) const { F = {t + q[0] * v[1], -q[1] * v[0]}; }
  void tangent(double, const Vector& q, const Vector& v, double wq, double wv, Matrix& K) const {
    K += Matrix{wq * v[1], wv * q[0], -wv * q[1], -wq * v[0]};
  }
};

struct Push {
  [[maybe_unused]] static constexpr bool needs_velocity = false, linear = true;
  void value(double t, const Vector&, const Vector&, Vector& F) const { F = {std::cos(3 * t), 0.0}; }
  void tangent(double, const Vector&, const Vector&, double, double, Matrix&) const {}
};

struct Balance {  // x: a + 0.1 a^3 + v y + sin x = 0,  y: b + a b + 0.3 w + t y = 0
  using Space = actio::system::Space;
  void value(double t, const Vector& q, const Vector& v, const Vector& a, Vector& r) const {
    r = {a[0] + 0.1 * a[0] * a[0] * a[0] + v[0] * q[1] + std::sin(q[0]), a[1] + a[0] * a[1] + 0.3 * v[1] + t * q[1]};
  }
  void tangent(double t, const Vector& q, const Vector& v, const Vector& a, double wq, double wv, double wa, Matrix& K) const {
    K = {wq * std::cos(q[0]) + wv * q[1] + wa * (1 + 0.3 * a[0] * a[0]), wq * v[0], wa * a[1],
         wq * t + 0.3 * wv + wa * (1 + a[0])};
  }
  double energy(double, const Vector& q, const Vector& v) const { return 0.5 * v.squaredNorm() + 1 - std::cos(q[0]); }
};

using Forceful = WithForces<Mechanical<Well>, Film, Swirl>;
using Pushed = WithForces<Mechanical<Well>, NoFriction, Push>;
static_assert(Forced<Forceful> && Separable<Forceful> && !Forced<Mechanical<Well>>);
static_assert(Forced<Pushed> && Implicit<Equations<Balance>> && !Implicit<Forceful>);

const double t = 0.7;
const Vector q{0.4, -0.9}, v{1.1, 0.3}, a{-0.5, 0.8};

// dg/dx by differences of fourth order: g is of degree 3 at most, or smooth, and the error then some 1e-12
template <class G>
MatrixXd slope(Vector x, G&& g) {
  MatrixXd J(g(x).size(), 2);
  const double width = 1e-3;
  for (int i = 0; i < 2; ++i) {
    const auto at = [&](double d) {
      Vector y = x;
      y[i] += d * width;
      return VectorXd(g(y));
    };
    J.col(i) = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * width);
  }
  return J;
}

TEST(Friction, force_is_minus_the_velocity_gradient_of_its_potential) {
  Forceful system(Mechanical{Well{}}, Film{}, Swirl{});
  EXPECT_TRUE(system.forced() && system.dissipative() && system.force_needs_velocity() && !is_linear(system));
  Vector phi_q, phi_v, F, both;
  Matrix K;
  system.dissipation_tangent(t, q, v, {}, phi_q, phi_v, K);
  const auto phi = [&](const Vector& at_q, const Vector& at_v) {
    return VectorXd::Constant(1, system.dissipation(t, at_q, at_v));
  };
  EXPECT_LT((slope(q, [&](const Vector& x) { return phi(x, v); }).transpose() - phi_q.eigen()).norm(), 1e-11);
  EXPECT_LT((slope(v, [&](const Vector& x) { return phi(q, x); }).transpose() - phi_v.eigen()).norm(), 1e-11);
  system.external(t, q, v, F);
  system.applied(t, q, v, both);
  EXPECT_LT((both - (F - phi_v)).norm(), 1e-15);
}

TEST(Friction, tangents_are_the_derivatives_of_the_forces) {
  Forceful system(Mechanical{Well{}}, Film{}, Swirl{});
  const auto gradients = [&](const Vector& at_q, const Vector& at_v) {
    Vector phi_q, phi_v;
    Matrix K;
    system.dissipation_tangent(t, at_q, at_v, {}, phi_q, phi_v, K);
    return (VectorXd(4) << phi_q.eigen(), phi_v.eigen()).finished();
  };
  const MatrixXd by_q = slope(q, [&](const Vector& x) { return gradients(x, v); });
  const MatrixXd by_v = slope(v, [&](const Vector& x) { return gradients(q, x); });
  const double qq = 0.3, qv = -1.2, vq = 0.7, vv = 2;
  Matrix K = Matrix::Identity();
  Vector out, phi_v;
  system.dissipation_tangent(t, q, v, {qq, qv, vq, vv}, out, phi_v, K);
  const MatrixXd expected =
      MatrixXd::Identity(2, 2) + qq * by_q.topRows(2) + qv * by_v.topRows(2) + vq * by_q.bottomRows(2) + vv * by_v.bottomRows(2);
  EXPECT_LT((K.eigen() - expected).norm(), 1e-10);

  const auto check = [&](auto&& force, auto&& tangent) {
    const auto at = [&](const Vector& at_q, const Vector& at_v) {
      Vector F;
      force(at_q, at_v, F);
      return VectorXd(F.eigen());
    };
    Matrix T = Matrix::Identity();
    tangent(0.4, -1.3, T);
    const MatrixXd difference = MatrixXd::Identity(2, 2) + 0.4 * slope(q, [&](const Vector& x) { return at(x, v); }) -
                                1.3 * slope(v, [&](const Vector& x) { return at(q, x); });
    EXPECT_LT((T.eigen() - difference).norm(), 1e-10);
  };
  check([&](const Vector& x, const Vector& y, Vector& F) { system.applied(t, x, y, F); },
        [&](double wq, double wv, Matrix& T) { system.applied_tangent(t, q, v, wq, wv, out, T); });
  check([&](const Vector& x, const Vector& y, Vector& F) { system.external(t, x, y, F); },
        [&](double wq, double wv, Matrix& T) { system.external_tangent(t, q, v, wq, wv, out, T); });
}

TEST(ExternalForce, without_friction_says_so) {
  Pushed system(Mechanical{Well{}}, {}, Push{});
  EXPECT_TRUE(system.forced() && !system.dissipative() && !system.force_needs_velocity());
  Vector F;
  system.applied(t, q, v, F);
  EXPECT_EQ(F[0], std::cos(3 * t));
  EXPECT_EQ(system.dissipation(t, q, v), 0);
  EXPECT_FALSE((WithForces(Mechanical{Well{}}).forced()));
}

TEST(Equations, tangent_is_the_derivative_of_the_balance) {
  Equations system{Balance{}};
  const auto balance = [&](const Vector& at_q, const Vector& at_v, const Vector& at_a) {
    Vector r;
    system.balance(t, at_q, at_v, at_a, r);
    return VectorXd(r.eigen());
  };
  Vector r;
  Matrix K;
  system.balance_tangent(t, q, v, a, 0.3, -0.8, 1.7, r, K);
  const MatrixXd expected = 0.3 * slope(q, [&](const Vector& x) { return balance(x, v, a); }) -
                            0.8 * slope(v, [&](const Vector& x) { return balance(q, x, a); }) +
                            1.7 * slope(a, [&](const Vector& x) { return balance(q, v, x); });
  EXPECT_LT((K.eigen() - expected).norm(), 1e-10);
  EXPECT_LT((r.eigen() - balance(q, v, a)).norm(), 1e-15);
  EXPECT_NEAR(v.dot(v) - system.lagrangian(t, q, v), Balance{}.energy(t, q, v), 1e-15);
}

}  // namespace
}  // namespace actio::system
