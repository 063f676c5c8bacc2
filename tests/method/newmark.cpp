#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/discrete/quadrature.hpp>
#include <actio/method/newmark.hpp>
#include <actio/method/variational.hpp>
#include <actio/method/verlet.hpp>
#include <actio/system/mechanical.hpp>
#include <cmath>
#include <vector>

// KMOW's theorems, on a nonlinear system of three degrees of freedom with a full mass matrix.
namespace actio::method {
namespace {

using Space = algebra::DenseSpace<Eigen::Dynamic>;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// V = 1/2 (x-y)^2 + 1/4 (x-y)^4 + 1 - cos(y-z) + exp(x-z): depends on differences, so (1, 1, 1) is a symmetry
struct Chain {
  using Space = actio::method::Space;
  double value(const Vector& q) const {
    const double s = q[0] - q[1];
    return s * s / 2 + s * s * s * s / 4 + 1 - std::cos(q[1] - q[2]) + std::exp(q[0] - q[2]);
  }
  void gradient(const Vector& q, Vector& g) const {
    const double s = q[0] - q[1], a = s + s * s * s, b = std::sin(q[1] - q[2]), c = std::exp(q[0] - q[2]);
    g << a + c, b - a, -b - c;
  }
  void hessian(const Vector& q, Matrix& H) const {
    const double s = q[0] - q[1], a = 1 + 3 * s * s, b = std::cos(q[1] - q[2]), c = std::exp(q[0] - q[2]);
    H << a + c, -a, -c, -a, a + b, -b, -c, -b, b + c;
  }
};

// V = 1/2 q'Sq + b'q: affine forces
struct Linear {
  using Space = actio::method::Space;
  Matrix S = (Matrix(3, 3) << 3, -1, 0.2, -1, 2, -0.5, 0.2, -0.5, 1).finished();
  Vector b = (Vector(3) << 0.3, -0.1, 0.2).finished();
  double value(const Vector& q) const { return 0.5 * q.dot(S * q) + b.dot(q); }
  void gradient(const Vector& q, Vector& g) const { g = S * q + b; }
  void hessian(const Vector&, Matrix& H) const { H = S; }
};

Matrix mass() { return (Matrix(3, 3) << 2, 0.3, -0.2, 0.3, 1, 0.4, -0.2, 0.4, 1.5).finished(); }

template <class P>
auto system_of(P potential) {
  return system::Mechanical(potential, system::FullMass<Eigen::Dynamic>(mass()), Space{3});
}
template <class P>
auto variational(P potential, discrete::Nodes nodes) {
  return VariationalStepper(discrete::Quadrature(system_of(potential), nodes));
}

const Vector q0 = (Vector(3) << 0.4, -0.3, 0.2).finished(), v0 = (Vector(3) << 0.1, 0.5, -0.3).finished();
Vector momentum(const Vector& v) { return mass() * v; }
Vector acceleration(const Vector& q) {
  Vector g(3);
  Chain{}.gradient(q, g);
  return mass().llt().solve(-g);
}

template <class A, class B>
void expect_same_path(A a, B b, double h, double tolerance) {
  auto x = a.start(0, q0, momentum(v0));
  auto y = b.start(0, q0, momentum(v0));
  Vector q, p, r, s;
  for (int k = 0; k < 200; ++k) {
    ASSERT_TRUE(a.step(x, h).converged && b.step(y, h).converged);
    a.phase(x, q, p);
    b.phase(y, r, s);
    ASSERT_LT((q - r).norm() + (p - s).norm(), tolerance) << "step " << k;
  }
}

// The classical midpoint rule on (q, p), solved by fixed-point iteration to rounding.
TEST(KmowTheorem21, midpoint_rule_is_variational_with_alpha_one_half) {
  auto stepper = variational(Chain{}, discrete::Nodes::symmetric(0.5));
  auto state = stepper.start(0, q0, momentum(v0));
  Vector q = q0, v = v0;
  const double h = 0.1;
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(stepper.step(state, h).converged);
    Vector q1 = q, v1 = v;
    for (int i = 0; i < 200; ++i) {
      const Vector a = acceleration((q + q1) / 2);
      q1 = q + h / 2 * (v + v1);
      v1 = v + h * a;
    }
    q = q1;
    v = v1;
    ASSERT_LT((state.q - q).norm() + (state.p - momentum(v)).norm(), 1e-12);
  }
}

TEST(KmowTheorem31, central_differences_are_variational_with_alpha_zero_or_one) {
  const auto newmark = NewmarkStepper(system_of(Chain{}), Newmark{0, 0.5});
  expect_same_path(newmark, variational(Chain{}, discrete::Nodes::symmetric(0)), 0.1, 1e-11);
  expect_same_path(newmark, variational(Chain{}, discrete::Nodes::symmetric(1)), 0.1, 1e-11);
  expect_same_path(newmark, VerletStepper(system_of(Chain{})), 0.1, 1e-11);
}

TEST(KmowTheorem32, newmark_is_variational_where_forces_are_affine_and_only_there) {
  for (const double alpha : {0.0, 0.1, 0.3, 0.5}) {
    const auto newmark = [&](auto potential) { return NewmarkStepper(system_of(potential), Newmark{alpha * (1 - alpha), 0.5}); };
    expect_same_path(newmark(Linear{}), variational(Linear{}, discrete::Nodes::symmetric(alpha)), 0.3, 1e-11);
  }
  auto a = NewmarkStepper(system_of(Chain{}), Newmark{0.25, 0.5});
  auto b = variational(Chain{}, discrete::Nodes::symmetric(0.5));
  auto x = a.start(0, q0, momentum(v0));
  auto y = b.start(0, q0, momentum(v0));
  ASSERT_TRUE(a.step(x, 0.3).converged && b.step(y, 0.3).converged);
  EXPECT_GT((x.q - y.q).norm(), 1e-6);
}

// A variational path q_k gives a Newmark path x_k = (1 - alpha) q_k + alpha q_{k+1} ...
TEST(KmowTheorem34, interpolated_variational_path_is_a_newmark_path) {
  const double h = 0.2;
  for (const double alpha : {0.1, 0.3, 0.5, 0.8}) {
    const double beta = alpha * (1 - alpha);
    auto stepper = variational(Chain{}, discrete::Nodes::one(alpha));
    auto state = stepper.start(0, q0, momentum(v0));
    std::vector<Vector> q{q0}, x;
    for (int k = 0; k < 60; ++k) {
      ASSERT_TRUE(stepper.step(state, h).converged);
      q.push_back(state.q);
      x.push_back((1 - alpha) * q[k] + alpha * q[k + 1]);
    }
    // v_0 from (3.3), as in the paper's proof
    const Vector v = (x[1] - x[0]) / h - h / 2 * ((1 - 2 * beta) * acceleration(x[0]) + 2 * beta * acceleration(x[1]));
    auto newmark = NewmarkStepper(system_of(Chain{}), Newmark{beta, 0.5});
    auto y = newmark.start(0, x[0], momentum(v));
    for (std::size_t k = 1; k < x.size(); ++k) {
      ASSERT_TRUE(newmark.step(y, h).converged);
      ASSERT_LT((y.q - x[k]).norm(), 1e-11) << "alpha " << alpha << ", step " << k;
    }
  }
}

// ... and every Newmark path has such a shadow: q0, q1, q2 from x0, x1 by Newton's method on the three equations of the proof.
TEST(KmowTheorem34, newmark_path_has_a_variational_shadow) {
  const double h = 0.1;
  for (const double alpha : {0.2, 0.5, 0.7}) {
    const double beta = alpha * (1 - alpha);
    auto newmark = NewmarkStepper(system_of(Chain{}), Newmark{beta, 0.5});
    auto y = newmark.start(0, q0, momentum(v0));
    std::vector<Vector> x{q0};
    for (int k = 0; k < 40; ++k) {
      ASSERT_TRUE(newmark.step(y, h).converged);
      x.push_back(y.q);
    }
    // unknown q1; q0 = (x0 - alpha q1)/(1 - alpha) and q2 = (x1 - (1 - alpha) q1)/alpha make the last two equations true
    const auto defect = [&](const Vector& q1) -> Vector {
      const Vector before = (x[0] - alpha * q1) / (1 - alpha), after = (x[1] - (1 - alpha) * q1) / alpha;
      return (after - 2 * q1 + before) / (h * h) - (1 - alpha) * acceleration(x[1]) - alpha * acceleration(x[0]);
    };
    // the accelerations are those of x0 and x1, so the equation is linear in q1
    const Vector r = defect(Vector::Zero(3));
    const double slope = (-(1 - alpha) / alpha - 2 - alpha / (1 - alpha)) / (h * h);
    const Vector q1 = -r / slope, first = (x[0] - alpha * q1) / (1 - alpha);
    ASSERT_LT(defect(q1).norm(), 1e-10);
    auto stepper = variational(Chain{}, discrete::Nodes::one(alpha));
    Vector p1;
    stepper.discrete_lagrangian().momentum_after(0, h, first, (q1 - first) / h, p1);
    auto state = stepper.start(h, q1, p1);
    Vector before = q1;
    for (std::size_t k = 1; k < x.size(); ++k) {
      ASSERT_TRUE(stepper.step(state, h).converged);
      ASSERT_LT(((1 - alpha) * before + alpha * state.q - x[k]).norm(), 1e-10) << "alpha " << alpha << ", step " << k;
      before = state.q;
    }
  }
}

// eta(q) = q + beta h^2 M^-1 grad V(q), with the sign corrected: x = eta(q) steps by velocity Verlet in the potential whose
// gradient at x is grad V(q). The printed minus fails.
TEST(KmowTheorem35, newmark_is_verlet_in_eta_of_q_with_plus) {
  const double h = 0.3;
  for (const double beta : {0.1, 0.25, 0.4}) {
    for (const double sign : {1.0, -1.0}) {
      auto newmark = NewmarkStepper(system_of(Chain{}), Newmark{beta, 0.5});
      auto s = newmark.start(0, q0, momentum(v0));
      const auto eta = [&](const auto& at) -> Vector { return at.q - sign * beta * h * h * at.a; };
      std::vector<Vector> x{eta(s)}, a{s.a};
      for (int k = 0; k < 50; ++k) {
        ASSERT_TRUE(newmark.step(s, h).converged);
        x.push_back(eta(s));
        a.push_back(s.a);
      }
      double worst = 0;
      for (std::size_t k = 1; k + 1 < x.size(); ++k)
        worst = std::max(worst, (x[k + 1] - 2 * x[k] + x[k - 1] - h * h * a[k]).norm());
      if (sign > 0) {
        EXPECT_LT(worst, 1e-13);
      } else {
        EXPECT_GT(worst, 1e-3);
      }
    }
  }
}

// X(x) = grad V(eta^-1(x)) is a gradient: its Jacobian, V'' (1 + beta h^2 M^-1 V'')^-1, is symmetric (3.11).
TEST(KmowTheorem35, modified_potential_exists) {
  const double beta = 0.25, h = 0.5;
  Matrix H(3, 3);
  Chain{}.hessian(q0, H);
  const Matrix X = H * (Matrix::Identity(3, 3) + beta * h * h * mass().llt().solve(H)).inverse();
  EXPECT_LT((X - X.transpose()).norm(), 1e-14);
}

// The momentum of (1, 1, 1) that Newmark keeps exactly, and the true one's bounded error, which vanishes with h (Theorem 3.6).
TEST(KmowTheorem36, momentum_error_is_bounded_and_vanishes_with_h) {
  struct Rotor {  // V = |q|^4 / 4 in the plane: angular momentum
    using Space = algebra::DenseSpace<Eigen::Dynamic>;
    double value(const Vector& q) const { return q.squaredNorm() * q.squaredNorm() / 4; }
    void gradient(const Vector& q, Vector& g) const { g = q.squaredNorm() * q; }
    void hessian(const Vector& q, Matrix& H) const { H = q.squaredNorm() * Matrix::Identity(2, 2) + 2 * q * q.transpose(); }
  };
  const auto errors = [](double h, long steps) {
    auto newmark = NewmarkStepper(system::Mechanical(Rotor{}, system::UnitMass{}, Space{2}), Newmark{0.25, 0.5});
    auto s = newmark.start(0, (Vector(2) << 1, 0).finished(), (Vector(2) << 0.1, 0.6).finished());
    const double before = s.q[0] * s.v[1] - s.q[1] * s.v[0];
    double first = 0, last = 0, own = 0, own_before = 0;
    Vector x, p;
    for (long k = 0; k <= steps; ++k) {
      newmark.conjugate_coordinates(s, h, x, p);
      const double J = x[0] * p[1] - x[1] * p[0];
      if (k == 0) own_before = J;
      own = std::max(own, std::abs(J - own_before));
      const double error = std::abs(s.q[0] * s.v[1] - s.q[1] * s.v[0] - before);
      (k < steps / 10 ? first : last) = std::max(k < steps / 10 ? first : last, error);
      EXPECT_TRUE(newmark.step(s, h).converged);
    }
    EXPECT_LT(own, 1e-12);
    EXPECT_LT(last, 1.01 * first);
    return last;
  };
  constexpr long steps = ACTIO_TEST_SHORT ? 10000 : 100000;
  const double coarse = errors(0.1, steps), fine = errors(0.05, steps);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
}

// The misprint of KMOW 3.3: it is gamma > 1/2 that dissipates.
TEST(Newmark, dissipates_above_gamma_one_half_and_grows_below) {
  const auto energy_after = [](double gamma) {
    auto newmark = NewmarkStepper(system_of(Linear{}), Newmark{0.3025, gamma});
    auto s = newmark.start(0, q0, momentum(v0));
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(newmark.step(s, 0.2).converged);
    return 0.5 * s.v.dot(momentum(s.v)) + Linear{}.value(s.q) - Linear{}.value(-Linear{}.S.llt().solve(Linear{}.b));
  };
  const double before = 0.5 * v0.dot(momentum(v0)) + Linear{}.value(q0) - Linear{}.value(-Linear{}.S.llt().solve(Linear{}.b));
  EXPECT_LT(energy_after(0.6), 0.9 * before);
  EXPECT_GT(energy_after(0.4), 1.1 * before);
}

TEST(Newmark, conserves_energy_of_a_linear_oscillator_at_quarter_half) {
  auto newmark = NewmarkStepper(system_of(Linear{}), Newmark{0.25, 0.5});
  auto s = newmark.start(0, q0, momentum(v0));
  const auto energy = [](const auto& at) { return 0.5 * at.v.dot(momentum(at.v)) + Linear{}.value(at.q); };
  const double before = energy(s);
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(newmark.step(s, 0.7).converged);
    ASSERT_NEAR(energy(s), before, 1e-12);
  }
}

}  // namespace
}  // namespace actio::method
