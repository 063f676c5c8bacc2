#include <gtest/gtest.h>

#include <fmt/format.h>
#include <actio/invariant/constraints.hpp>
#include <actio/invariant/defects.hpp>
#include <algorithm>
#include <cmath>
#include <laws/bodies.hpp>
#include <laws/steps.hpp>

// What the Lie-group methods must do on every system of rigid bodies.
namespace actio::laws {
namespace {

using Eigen::VectorXd;
using method::Integrator;
using method::LieGroup;

struct BodyCase {
  const BodySystem* system;
  method::Spec spec;
  friend std::ostream& operator<<(std::ostream& out, const BodyCase& c) {
    return out << c.spec.name() << " on " << c.system->name;
  }
};
std::vector<BodyCase> body_cases() {
  std::vector<BodyCase> all;
  for (const BodySystem& system : body_systems())
    for (const method::Spec& spec : lie_group_methods()) all.push_back({&system, spec});
  return all;
}
std::string body_name(const BodyCase& c) {
  const auto& m = std::get<LieGroup>(c.spec.choice);
  return fmt::format("{}_{}_{}_{}{}", c.system->name, m.retraction, m.rule, static_cast<int>(10 * m.alpha),
                     c.spec.composed ? "_composed" : "");
}

class Bodies : public testing::TestWithParam<BodyCase> {
 protected:
  const BodySystem& system() const { return *GetParam().system; }
  const method::Spec& spec() const { return GetParam().spec; }
  bool symmetric() const { return spec().symmetric(); }
  std::unique_ptr<Integrator> make() const {
    auto integrator = method::make_integrator(system().problem.model, spec());
    integrator->start(0, system().problem.q0, system().problem.v0);
    return integrator;
  }
};

// Rotations are orthogonal to a few roundings, joints to what Newton's last increment leaves, velocities are tangent.
TEST_P(Bodies, keep_rotations_and_joints_at_round_off) {
  const auto integrator = make();
  invariant::ConstraintMap constraints(system().problem.model);
  method::Snapshot s;
  VectorXd g, rate, slope;
  double worst = 0, worst_rate = 0, speed = 1;
  for (int k = 0; k < (ACTIO_TEST_SHORT ? 100 : 1000); ++k) {
    ASSERT_TRUE(integrator->advance(1, 0.02).ok);
    integrator->snapshot(s);
    constraints(s.t, s.q, s.v, g, rate, slope);
    worst = std::max(worst, g.cwiseAbs().maxCoeff());
    worst_rate = std::max(worst_rate, rate.cwiseAbs().maxCoeff());
    speed = std::max(speed, s.v.norm());
  }
  EXPECT_LT(worst, 3e-15 * (1 + s.q.norm()));
  EXPECT_LT(worst_rate, 1e-14 * speed);
}

// The truth is the constrained midpoint rule in the entries of R, at order 8: another program.
TEST_P(Bodies, have_the_stated_order) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of the other laws";
  auto reference = method::make_integrator(system().problem.model, {method::Midpoint{}, true, {8, "kahan-li"}});
  reference->start(0, system().problem.q0, system().problem.v0);
  ASSERT_TRUE(reference->advance(128, 1.0 / 128).ok);
  const VectorXd truth = state(*reference), start = state(*make());
  const auto integrator = make();
  std::vector<double> orders;
  double last = 0;
  for (int k = 3; k <= (spec().order() == 1 ? 12 : 9); ++k) {
    const long steps = 1L << k;
    const double error = (flow(*integrator, start, 1.0 / static_cast<double>(steps), steps) - truth).norm();
    if (error < 2e-11) break;
    if (last > 0 && last < 0.1) orders.push_back(std::log2(last / error));
    last = error;
  }
  ASSERT_GE(orders.size(), 1U);
  EXPECT_NEAR(orders.back(), spec().order(), 0.2) << "orders: " << testing::PrintToString(orders);
}

TEST_P(Bodies, run_backwards_when_symmetric) {
  if (!system().conservative()) return;
  const auto integrator = make();
  const VectorXd z = state(*integrator);
  const double back = (flow(*integrator, flow(*integrator, z, 0.1), -0.1) - z).norm();
  if (symmetric())
    EXPECT_LT(back, 2e-14 * (1 + z.norm()));
  else
    EXPECT_GT(back, 1e-5);
}

TEST_P(Bodies, are_symplectic_on_their_rotations_and_joints) {
  if (system().name == "driven_top") return;  // friction
  const auto integrator = make();
  std::vector<method::Snapshot> states(2);
  integrator->snapshot(states[0]);
  ASSERT_TRUE(integrator->advance(7, 0.1).ok);
  integrator->snapshot(states[1]);
  const std::vector<double> h{0.1};
  const auto defect = invariant::symplecticity(*integrator, states, h, false).canonical;
  EXPECT_LT(defect.value, 3e-11) << "measured to " << defect.floor;
  EXPECT_LT(defect.floor, 3e-11);
}

TEST_P(Bodies, keep_the_angular_momentum_of_space) {
  if (!system().conservative()) return;
  const auto integrator = make();
  method::Snapshot s;
  integrator->snapshot(s);
  const Eigen::Vector3d before = angular_momentum(system().problem.model, s.q, s.p);
  double worst = 0;
  for (int k = 0; k < (ACTIO_TEST_SHORT ? 200 : 2000); ++k) {
    ASSERT_TRUE(integrator->advance(1, 0.05).ok);
    integrator->snapshot(s);
    const Eigen::Vector3d change = angular_momentum(system().problem.model, s.q, s.p) - before;
    worst = std::max(worst, system().motion == Motion::free_of_space ? change.norm() : std::abs(change[2]));
  }
  EXPECT_LT(worst, 2e-13);
}

// Its error squared, summed over both halves of a chaotic motion: one that grew in proportion to the time would make 7 of it.
TEST_P(Bodies, have_bounded_energy) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of the other laws";
  if (!system().conservative()) return;
  const auto integrator = make();
  const double energy = integrator->energy();
  double first = 0, last = 0;
  for (int k = 0; k < 8000; ++k) {
    ASSERT_TRUE(integrator->advance(1, 0.05).ok);
    const double error = integrator->energy() - energy;
    (k < 4000 ? first : last) += error * error;
  }
  EXPECT_GT(first, 4000 * 1e-18);
  EXPECT_LT(last, 4 * first);
}

TEST_P(Bodies, go_the_same_way_on_every_space) {
  using Space = method::BuildOptions::Space;
  VectorXd first;
  for (const Space space : {Space::dense, Space::sparse})
    for (const char* compiler : {"", "none"}) {
      const auto integrator = method::make_integrator(system().problem.model, spec(), {{compiler, ""}, space});
      integrator->start(0, system().problem.q0, system().problem.v0);
      ASSERT_TRUE(integrator->advance(100, 0.02).ok);
      const VectorXd z = state(*integrator);
      if (first.size() == 0) first = z;
      EXPECT_LT((z - first).norm(), 1e-13 * (1 + first.norm())) << static_cast<int>(space) << compiler;
    }
}

// The unknown is solved for quadratically: with the exact Jacobian three iterations or four from a guess of second order.
TEST_P(Bodies, take_few_iterations_of_newton) {
  const auto integrator = make();
  ASSERT_TRUE(integrator->advance(10, 0.02).ok);
  const auto report = integrator->advance(100, 0.02);
  ASSERT_TRUE(report.ok);
  const double stages = spec().composed ? 3 : 1;
  EXPECT_LE(static_cast<double>(report.iterations), 3.2 * stages * 100);
  EXPECT_LT(report.worst_residual, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(every, Bodies, testing::ValuesIn(body_cases()),
                         [](const auto& which) { return body_name(which.param); });

}  // namespace
}  // namespace actio::laws
