#include <gtest/gtest.h>

#include <actio/method/minimising_newmark.hpp>
#include <actio/method/newmark.hpp>
#include <actio/method/two_step.hpp>
#include <actio/method/variational.hpp>
#include <cmath>
#include <method/count_allocations.hpp>
#include <method/rubbing.hpp>

// Friction by minimum principles: minimising Newmark (KMOW 3.6, 5.4) and the two-step method (KMOW 5.3).
namespace actio::method {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using namespace rubbing;

// 50 steps of h = 0.2 by a program of its own that works with 50 digits.
template <class Space>
void check_reference() {
  using Vector = typename Space::Vector;
  const Vector q0 = two<Vector>(1.2, 0), v0 = two<Vector>(0, 0.2);
  MinimisingNewmarkStepper minimising(damped_oscillator<Space>(), MinimisingNewmark{0.25, 0.5, 0.5});
  auto x = minimising.start(0, q0, v0);
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(minimising.step(x, 0.2).converged);
  EXPECT_LT((x.q - two<Vector>(-0.13645373094096465554, 0.39158743469886326054)).norm(), 1e-12);
  EXPECT_LT((x.v - two<Vector>(-0.64970762858494331466, 0.086361830665476264281)).norm(), 1e-12);

  // On Q x Q the first q1 is given: the discrete Lagrange-d'Alembert equations', and p1 = D2 Ld(q0, q1) of it (KMOW 2.8).
  VariationalStepper first(discrete::Quadrature(damped_oscillator<Space>(), discrete::Nodes::one(0.5)));
  auto z = first.start(0, q0, v0);
  ASSERT_TRUE(first.step(z, 0.2).converged);
  discrete::Quadrature conservative(Mechanical(Oscillator<Space>{}, {}, space_of_two<Space>()), discrete::Nodes::one(0.5));
  conservative.momentum_after(0, 0.2, q0, z.w, z.p);
  TwoStepStepper two_step(damped_oscillator<Space>(), discrete::Nodes::one(0.5));
  auto y = two_step.start(0.2, z.q, z.p);
  for (int k = 1; k < 50; ++k) ASSERT_TRUE(two_step.step(y, 0.2).converged);
  EXPECT_LT((y.q - two<Vector>(0.60861895141270999465, -0.029543455138093995508)).norm(), 1e-12);
  EXPECT_LT((y.w - two<Vector>(-0.32951791309045250688, 0.40758900311267168616)).norm(), 1e-12);  // the last difference quotient
}

TEST(MinimumPrinciples, agree_with_fifty_digits_after_fifty_steps_on_every_space) {
  check_reference<algebra::DenseSpace<2>>();
  check_reference<algebra::DenseSpace<Eigen::Dynamic>>();
  check_reference<algebra::SparseSpace>();
}

// The order between the last two of halved steps, of position and momentum at t = 1
template <class S>
double order(S stepper) {
  using M = Manufactured<Film>;
  double last = 0, order = 0;
  for (const int steps : {256, 512}) {
    auto x = stepper.start(0, M::q(0), momentum(M::v(0)));
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.step(x, 1.0 / steps).converged);
    Vector q, p;
    stepper.phase(x, q, p);
    const double error = (q - M::q(1)).norm() + (p - momentum(M::v(1))).norm();
    order = std::log2(last / error);
    last = error;
  }
  return order;
}

TEST(MinimisingNewmark, is_of_second_order_without_friction_and_of_first_with_it) {
  for (const double beta : {0.0, 0.25, 0.4}) {
    EXPECT_NEAR(order(MinimisingNewmarkStepper(manufactured(system::NoFriction{}), MinimisingNewmark{beta, 0.5, 0.5})), 2, 0.05);
    EXPECT_NEAR(order(MinimisingNewmarkStepper(manufactured(system::NoFriction{}), MinimisingNewmark{beta, 0.7, 0.5})), 1, 0.05);
    for (const double sigma : {0.0, 0.5, 1.0})
      EXPECT_NEAR(order(MinimisingNewmarkStepper(manufactured(Film{}), MinimisingNewmark{beta, 0.5, sigma})), 1, 0.05)
          << "beta " << beta << ", sigma " << sigma;
  }
}

TEST(TwoStep, is_of_the_order_of_Ld_without_friction_and_of_first_with_it) {
  using discrete::Nodes;
  EXPECT_NEAR(order(TwoStepStepper(manufactured(system::NoFriction{}), Nodes::symmetric(0.3))), 2, 0.05);
  EXPECT_NEAR(order(TwoStepStepper(manufactured(system::NoFriction{}), Nodes::one(0.2))), 1, 0.05);
  for (const Nodes& nodes : {Nodes::one(0.5), Nodes::symmetric(0.2), Nodes::one(0.0), Nodes::one(0.8)})
    EXPECT_NEAR(order(TwoStepStepper(manufactured(Film{}), nodes)), 1, 0.05) << nodes.c[0];
}

// Remark 3 of 3.6, and Theorem 5.2's step 1 alone.
TEST(MinimumPrinciples, are_newmark_and_the_variational_integrator_where_nothing_rubs) {
  const Mechanical system(Coupled{}, mass());
  for (const Newmark& m : {Newmark{0.25, 0.5}, Newmark{0.1, 0.7}, Newmark{0, 0.5}}) {
    NewmarkStepper newmark(system, m);
    MinimisingNewmarkStepper minimising(system, MinimisingNewmark{m.beta, m.gamma, 0.3});
    auto x = newmark.start(0, q0, momentum(v0));
    auto y = minimising.start(0, q0, momentum(v0));
    for (int k = 0; k < 100; ++k) {
      ASSERT_TRUE(newmark.step(x, 0.2).converged && minimising.step(y, 0.2).converged);
      ASSERT_LT((x.q - y.q).norm() + (x.v - y.v).norm(), 1e-12);
    }
  }
  using discrete::Nodes;
  VariationalStepper variational(discrete::Quadrature(system, Nodes::symmetric(0.2)));
  TwoStepStepper two_step(system, Nodes::symmetric(0.2));
  auto x = variational.start(0, q0, momentum(v0));
  auto y = two_step.start(0, q0, momentum(v0));
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(variational.step(x, 0.2).converged && two_step.step(y, 0.2).converged);
    ASSERT_EQ((x.q - y.q).norm() + (x.p - y.p).norm(), 0);
  }
}

// The equations as they stand in the paper, at every step of a run with friction that depends on q.
TEST(MinimisingNewmark, satisfies_the_equations_of_the_paper) {
  const auto system = manufactured(Film{});
  for (const double sigma : {0.0, 0.3, 1.0}) {
    const double beta = 0.3, gamma = 0.6, h = 0.1;
    MinimisingNewmarkStepper stepper(system, MinimisingNewmark{beta, gamma, sigma});
    auto x = stepper.start(0, q0, momentum(v0));
    for (int k = 0; k < 50; ++k) {
      const auto before = x;
      ASSERT_TRUE(stepper.step(x, h).converged);
      const Vector w = (1 / h) * (x.q - before.q), at = (1 - sigma) * before.q + sigma * x.q;
      Vector g, phi_q, phi_v, f;
      Coupled{}.gradient(x.q, g);
      Film{}.gradient(0, at, w, phi_q, phi_v);
      Manufactured<Film>{}.value(x.t, q0, v0, f);
      const Vector internal = g + h * (sigma * phi_q + (1 / h) * phi_v);  // grad Vk by the chain rule (3.20)
      ASSERT_LT((momentum(x.a) + internal - f).norm(), 1e-13);            // (3.16)
      ASSERT_LT((x.q - (before.q + h * before.v + h * h / 2 * ((1 - 2 * beta) * before.a + 2 * beta * x.a))).norm(), 1e-15);
      ASSERT_LT((x.v - (before.v + h * ((1 - gamma) * before.a + gamma * x.a))).norm(), 1e-15);
      ASSERT_LT(stepper.residual(before, x, h), 1e-13);
    }
  }
}

TEST(MinimumPrinciples, every_coefficient_changes_the_trajectory) {
  const auto run = [](auto stepper) {
    auto x = stepper.start(0, q0, momentum(v0));
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(stepper.step(x, 0.1).converged);
    return x.q;
  };
  const auto minimising = [&](MinimisingNewmark m) { return run(MinimisingNewmarkStepper(manufactured(Film{}), m)); };
  const Vector base = minimising({0.25, 0.5, 0.5});
  EXPECT_GT((minimising({0.3, 0.5, 0.5}) - base).norm(), 1e-5);
  EXPECT_GT((minimising({0.25, 0.6, 0.5}) - base).norm(), 1e-5);
  EXPECT_GT((minimising({0.25, 0.5, 0.6}) - base).norm(), 1e-5);
  const auto viscous = [&](double sigma) {
    return run(MinimisingNewmarkStepper(WithForces(Mechanical(Coupled{}, mass()), Viscous<Plane>{0.3}),
                                        MinimisingNewmark{0.25, 0.5, sigma}));
  };
  EXPECT_LT((viscous(0) - viscous(1)).norm(), 1e-14);  // q matters only where phi depends on it
  const auto two_step = [&](discrete::Nodes nodes) { return run(TwoStepStepper(manufactured(Film{}), nodes)); };
  using discrete::Nodes;
  EXPECT_GT((two_step(Nodes::one(0.3)) - two_step(Nodes::one(0.5))).norm(), 1e-5);
  EXPECT_GT((two_step(Nodes::one(0.3)) - two_step(Nodes::symmetric(0.3))).norm(), 1e-5);
}

template <class S, class V>
void expect_no_allocation(S stepper, const V& q, const V& v) {
  auto x = stepper.start(0, q, v);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(stepper.step(x, 0.1).converged);
  const long before = tests::allocations();
  bool converged = true;
  for (int k = 0; k < 20; ++k) converged = stepper.step(x, 0.1).converged && converged;
  EXPECT_EQ(tests::allocations() - before, 0);
  EXPECT_TRUE(converged);
}
template <class Space>
void expect_no_allocation_on() {
  using V = typename Space::Vector;
  const V q = two<V>(1.2, 0), v = two<V>(0, 0.2);
  expect_no_allocation(MinimisingNewmarkStepper(damped_oscillator<Space>(), MinimisingNewmark{}), q, v);
  expect_no_allocation(MinimisingNewmarkStepper(damped_oscillator<Space>(), MinimisingNewmark{0, 0.5, 0.5}), q, v);
  expect_no_allocation(TwoStepStepper(damped_oscillator<Space>(), discrete::Nodes::symmetric(0.2)), q, v);
}
TEST(MinimumPrinciples, allocate_nothing_in_a_step) {
  expect_no_allocation_on<algebra::DenseSpace<2>>();
  expect_no_allocation_on<algebra::DenseSpace<Eigen::Dynamic>>();
  expect_no_allocation_on<algebra::SparseSpace>();
}

// V = 1/2 q'Sq
struct Springs {
  using Space = Plane;
  static Vector pull(const Vector& q) { return {3 * q[0] - q[1], 2 * q[1] - q[0]}; }
  double value(const Vector& q) const { return q.dot(pull(q)) / 2; }
  void gradient(const Vector& q, Vector& g) const { g = pull(q); }
  void hessian(const Vector&, Matrix& H) const { H = {3, -1, -1, 2}; }
};
struct Sway {
  [[maybe_unused]] static constexpr bool needs_velocity = false, linear = true;
  void value(double t, const Vector&, const Vector&, Vector& F) const { F = {std::sin(2 * t), 1.0}; }
  void tangent(double, const Vector&, const Vector&, double, double, Matrix&) const {}
};

// (5.14) and (5.16), and (5.17) between two steps: V' at the middle of a step whose end is corrected.
TEST(TwoStep, satisfies_the_equations_of_the_paper) {
  const double h = 0.1;
  TwoStepStepper stepper(manufactured(Film{}), discrete::Nodes::one(0.5));
  auto x = stepper.start(0, q0, momentum(v0));
  const auto pull = [](double t, const Vector& q) {  // V' - F
    Vector g, F;
    Coupled{}.gradient(q, g);
    Manufactured<Film>{}.value(t, q, q, F);
    return g - F;
  };
  ASSERT_TRUE(stepper.step(x, h).converged);
  for (int k = 1; k < 50; ++k) {
    const auto before = x;
    ASSERT_TRUE(stepper.step(x, h).converged);
    const Vector pull0 = pull(before.t - h / 2, before.q - (h / 2) * before.w);
    const Vector pull1 = pull(before.t + h / 2, before.q + (h / 2) * x.w_pred);
    Vector phi_q, phi_v;
    Film{}.gradient(before.t, before.q, x.w, phi_q, phi_v);
    ASSERT_LT((momentum(x.w_pred - before.w) + (h / 2) * (pull0 + pull1)).norm(), 1e-14);         // h times (5.14)
    ASSERT_LT((momentum(x.w - x.w_pred) + h * phi_v).norm(), 1e-14);                              // h times (5.16)
    ASSERT_LT((momentum(x.w - before.w) + (h / 2) * (pull0 + pull1) + h * phi_v).norm(), 2e-14);  // h times (5.17)
    ASSERT_LT((x.q - before.q - h * x.w).norm(), 1e-15);
    ASSERT_LT(stepper.residual(before, x, h), 1e-13);
  }
}

// A system that says it is linear takes one solve a step and one factorisation for each h, along the same path.
TEST(MinimumPrinciples, factor_once_for_each_step_of_a_linear_system) {
  struct Linear : Mechanical<Springs, system::FullMass<2>> {
    using Mechanical::Mechanical;
    bool linear() const { return true; }
  };
  const auto check = [](auto known, auto found) {
    auto x = known.start(0, q0, momentum(v0));
    auto y = found.start(0, q0, momentum(v0));
    for (int k = 0; k < 60; ++k) {
      const double h = k / 20 == 1 ? 0.1 : 0.3;
      const auto before = x;
      ASSERT_TRUE(known.step(x, h).converged && found.step(y, h).converged);
      ASSERT_LT((x.q - y.q).norm(), 1e-13);
      ASSERT_LT(known.residual(before, x, h), 1e-14);
    }
    EXPECT_EQ(found.factorisations(), 0);
    EXPECT_GE(known.factorisations(), 2);
    EXPECT_LE(known.factorisations(), 4);  // the two-step method has two matrices
  };
  const WithForces linear(Linear(Springs{}, mass()), Viscous<Plane>{0.4}, Sway{});
  const WithForces same(Mechanical(Springs{}, mass()), Viscous<Plane>{0.4}, Sway{});
  check(MinimisingNewmarkStepper(linear, MinimisingNewmark{}), MinimisingNewmarkStepper(same, MinimisingNewmark{}));
  check(TwoStepStepper(linear, discrete::Nodes::symmetric(0.2)), TwoStepStepper(same, discrete::Nodes::symmetric(0.2)));
}

// Karow's balance (13), with the friction that (3.20) counts.
TEST(MinimisingNewmark, balances_the_energy_of_a_linear_system_at_quarter_half) {
  MinimisingNewmarkStepper stepper(WithForces(Mechanical(Springs{}, mass()), Viscous<Plane>{0.4}, Sway{}), MinimisingNewmark{});
  const auto energy = [](const auto& x) { return 0.5 * x.v.dot(momentum(x.v)) + Springs{}.value(x.q); };
  auto x = stepper.start(0, q0, momentum(v0));
  double lost = 0, gained = 0;
  for (int k = 0; k < 200; ++k) {
    const auto before = x;
    ASSERT_TRUE(stepper.step(x, 0.3).converged);
    const Work work = stepper.work(before, x, 0.3);
    ASSERT_NEAR(energy(x) - energy(before), work.external - work.dissipated + work.residual, 1e-14);
    ASSERT_LT(std::abs(work.residual), 1e-14);
    lost += work.dissipated;
    gained += std::abs(work.external);
  }
  EXPECT_GT(lost, 0.1);
  EXPECT_GT(gained, 0.1);
}

// What the balance leaves out is the method's own, of first order.
TEST(TwoStep, balances_the_energy_but_for_its_first_order) {
  const auto unexplained = [](double h, int steps) {
    TwoStepStepper stepper(WithForces(Mechanical(Springs{}, mass()), Viscous<Plane>{1}, Sway{}), discrete::Nodes::one(0.5));
    const auto energy = [](const auto& x) {
      Vector v;
      mass().velocity(x.p, v);
      return 0.5 * v.dot(x.p) + Springs{}.value(x.q);
    };
    auto x = stepper.start(0, q0, momentum(v0));
    const double start = energy(x);
    Work sum;
    for (int k = 0; k < steps; ++k) {
      const auto before = x;
      EXPECT_TRUE(stepper.step(x, h).converged);
      sum += stepper.work(before, x, h);
    }
    EXPECT_GT(sum.dissipated, 0.1);
    EXPECT_GT(std::abs(sum.external), 0.1);
    EXPECT_LT(std::abs(sum.residual), 1e-12);
    return energy(x) - start - (sum.external - sum.dissipated + sum.residual);
  };
  EXPECT_NEAR(std::log2(unexplained(0.00125, 3200) / unexplained(0.000625, 6400)), 1, 0.05);
}

}  // namespace
}  // namespace actio::method
