#include <gtest/gtest.h>

#include <cmath>

#include <actio/discrete/quadrature.hpp>
#include <actio/method/acceleration_coefficients.hpp>
#include <actio/method/acceleration_stepper.hpp>
#include <actio/method/energy_momentum.hpp>
#include <actio/method/variational.hpp>
#include <actio/system/forced.hpp>
#include <actio/system/mechanical.hpp>
#include <actio/system/with_discrete_gradient.hpp>
#include <certificate/suite/suite.hpp>
#include <certificate/suite/systems.hpp>
#include <common.hpp>
#include <method/rubbing.hpp>

// What each line of the ledger counts, and with which sign.
namespace certificate {
namespace {

using actio::test::interpreted;

invariant::Certificate::Ledger ledger(const char* method, std::vector<std::string> overrides) {
  Run r{.problem = problem(ring, method, 0.05, 400), .overrides = std::move(overrides)};
  Opened o = open(r, interpreted);
  const auto c = run::integrate(*o.integrator, o.momentum, o.task);
  EXPECT_TRUE(c.ledger.has_value());
  return c.ledger.value_or(invariant::Certificate::Ledger{});
}

}  // namespace

// A force that does work and no friction: what it does is all that changes the energy, and nothing rubs.
TEST(Ledger, of_energy_momentum_counts_the_work_of_forces_once) {
  const auto pushed = ledger("energy-momentum", {"system.force.x=\"0.1*sin(t)\""});
  EXPECT_GT(std::abs(pushed.external), 0.01);
  EXPECT_NEAR(pushed.dissipated, 0, pushed.round_off);
  EXPECT_NEAR(pushed.external, pushed.change, pushed.round_off);
  const auto rubbed = ledger("energy-momentum", {"system.dissipation=\"0.01*(x'^2 + y'^2)\""});
  EXPECT_NEAR(rubbed.external, 0, rubbed.round_off);
  EXPECT_GT(rubbed.dissipated, 0.01);
  EXPECT_NEAR(-rubbed.dissipated, rubbed.change, rubbed.round_off);
  const auto both = ledger("energy-momentum", {"system.force.x=\"0.1*sin(t)\"", "system.dissipation=\"0.01*(x'^2 + y'^2)\""});
  EXPECT_NEAR(both.external - both.dissipated, both.change, both.round_off);
  EXPECT_GT(both.dissipated, 0.01);
}

// Others swing about that by O(h^2).
TEST(Ledger, of_every_method_counts_work_and_friction_apart) {
  for (const char* method :
       {"newmark", "midpoint", "variational", "generalized-alpha", "verlet", "two-step", "minimising-newmark"}) {
    const auto pushed = ledger(method, {"system.force.x=\"0.1*sin(t)\""});
    EXPECT_NEAR(pushed.dissipated, 0, 1e-12) << method;
    EXPECT_NEAR(pushed.external, pushed.change, 0.05 * std::abs(pushed.external) + 3e-3) << method;
  }
}

namespace {

using namespace actio;
using Space = algebra::DenseSpace<2>;
using Vector = Eigen::Vector2d;

struct Bowl {
  using Space = certificate::Space;
  using Vector = Eigen::Vector2d;
  using Matrix = Eigen::Matrix2d;
  double value(const Vector& q) const { return q[0] * q[0] + 0.3 * q[0] * q[1] + 0.5 * q[1] * q[1]; }
  void gradient(const Vector& q, Vector& g) const { g = {2 * q[0] + 0.3 * q[1], 0.3 * q[0] + q[1]}; }
  void hessian(const Vector&, Matrix& H) const { H << 2, 0.3, 0.3, 1; }
};
using Mechanical = system::Mechanical<Bowl>;
using Drag = method::rubbing::Viscous<Space>;
using Rubbed = system::WithForces<Mechanical, Drag>;
double energy(const Vector& q, const Vector& p) { return 0.5 * p.squaredNorm() + Bowl{}.value(q); }

}  // namespace

// A step of which something is left: E1 - E0 is the work of what is left, with its sign, for methods that lose nothing else.
TEST(Ledger, counts_what_a_solver_leaves_with_its_sign) {
  const Vector q0{0.7, -0.4}, p0{0.3, 0.9}, off{1e-3, -2e-3};
  constexpr double h = 0.2;
  {
    using System = system::WithDiscreteGradient<Mechanical>;
    method::EnergyMomentumStepper<System> stepper(System(Mechanical{Bowl{}}, {}));
    auto before = stepper.start(0, q0, p0);
    auto after = before;
    ASSERT_TRUE(stepper.step(after, h).converged);
    EXPECT_NEAR(stepper.work(before, after, h).residual, 0, 1e-15);
    before.p += off;  // M w - p0 = ... is off by that, and p1 = 2 M w - p0
    after.p -= off;
    const double change = energy(after.q, after.p) - energy(before.q, before.p);
    EXPECT_GT(std::abs(change), 1e-4);
    EXPECT_NEAR(stepper.work(before, after, h).residual, change, 1e-15);
  }
  {
    method::AccelerationStepper<Mechanical, true> stepper(Mechanical{Bowl{}}, method::Newmark{0.25, 0.5}.coefficients());
    const auto before = stepper.start(0, q0, p0);
    auto after = before;
    ASSERT_TRUE(stepper.step(after, h).converged);
    EXPECT_NEAR(stepper.work(before, after, h).residual, 0, 1e-15);
    after.a += off;
    after.q += h * h / 4 * off;
    after.v += h / 2 * off;
    const double change = energy(after.q, after.v) - energy(before.q, before.v);
    EXPECT_GT(std::abs(change), 1e-6);
    EXPECT_NEAR(stepper.work(before, after, h).residual, change, 1e-15);
  }
  const Rubbed rubbed(Mechanical{Bowl{}}, Drag{0.1});
  {
    method::VariationalStepper<discrete::Quadrature<Rubbed>> stepper(discrete::Quadrature(rubbed, discrete::Nodes::one(0.5)));
    auto before = stepper.start(0, q0, p0);
    auto after = before;
    ASSERT_TRUE(stepper.step(after, h).converged);
    EXPECT_NEAR(stepper.work(before, after, h).residual, 0, 1e-15);
    before.p += off;  // as above
    after.p -= off;
    const double change = energy(after.q, after.p) - energy(before.q, before.p);
    const method::Work work = stepper.work(before, after, h);
    EXPECT_GT(work.dissipated, 1e-3);
    EXPECT_NEAR(work.residual - work.dissipated, change, 1e-15);
  }
  {
    // p1 = D2 Ld does not know p0: E1 - E0 changes by -off . v0, and r . w by -off . w, the same but for O(h).
    method::VariationalStepper<discrete::Quadrature<Rubbed>> stepper(discrete::Quadrature(rubbed, discrete::Nodes::symmetric(0)));
    auto before = stepper.start(0, q0, p0);
    auto after = before;
    ASSERT_TRUE(stepper.step(after, 0.02).converged);
    EXPECT_NEAR(stepper.work(before, after, 0.02).residual, 0, 1e-15);
    before.p += off;
    const double expected = -off.dot(p0);
    EXPECT_NEAR(stepper.work(before, after, 0.02).residual, expected, 0.1 * std::abs(expected));
  }
}

}  // namespace certificate
