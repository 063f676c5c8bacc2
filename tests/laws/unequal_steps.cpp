#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/run/steps.hpp>
#include <cmath>

#include "systems.hpp"

// Steps of h and 2h/3 in turn, and steps that swell and shrink with the time: the order of a method is that of its steps.
namespace actio::laws {
namespace {

using Eigen::VectorXd;

VectorXd state(const method::Integrator& integrator) {
  method::Snapshot s;
  integrator.snapshot(s);
  VectorXd z(2 * s.q.size());
  z << s.q, s.p;
  return z;
}

std::unique_ptr<method::Integrator> at_start(const io::Problem& problem, const method::Spec& spec) {
  auto integrator = method::make_integrator(problem.model, spec);
  integrator->start(0, problem.q0, problem.v0);
  return integrator;
}

// Every step of the cycle in turn.
void take(method::Integrator& integrator, const run::Steps& sizes, long steps) {
  for (long k = 0; k < steps; ++k) ASSERT_TRUE(integrator.advance(1, sizes[k]).ok);
}

// m steps of h and m of 2h/3 from t = 0 to 1.
run::Steps alternating(long m) {
  const double h = 0.6 / static_cast<double>(m);
  run::Steps steps = h;
  EXPECT_TRUE(steps.append(2 * h / 3));
  return steps;
}

// A driven pendulum that rubs: L = 1/2 v^2 + cos q, phi = 0.15 (1 + q^2) v^2, F = 0.4 sin(3 t) (1 + v/2).
io::Problem rubbing_pendulum() {
  io::Problem p = problem(R"toml(
[system]
coordinates = ["q"]
mass = 1.0
potential = "-cos(q)"
[initial]
position = [0.8]
velocity = [-0.2]
)toml");
  system::Term phi;
  auto& g = phi.graph;
  phi.value =
      g.mul(g.constant(0.15), g.mul(g.add(g.constant(1), g.mul(g.column(0), g.column(0))), g.mul(g.column(1), g.column(1))));
  phi.velocities = true;
  phi.locals = 1;
  phi.dofs = {0};
  p.model.dissipation.push_back(phi);
  system::Force F;
  auto& f = F.graph;
  F.value = f.mul(f.mul(f.constant(0.4), f.unary(expr::Op::sin, f.mul(f.constant(3), f.uniform(0)))),
                  f.add(f.constant(1), f.mul(f.constant(0.5), f.column(1))));
  F.locals = 1;
  F.rows = {0};
  F.dofs = {0};
  p.model.forces.push_back(F);
  return p;
}

double order_under_halving(const io::Problem& problem, const method::Spec& spec, const VectorXd& truth) {
  double last = 0, order = 0;
  for (long m = 8; m <= 128; m *= 2) {
    const auto integrator = at_start(problem, spec);
    take(*integrator, alternating(m), 2 * m);
    const double error = (state(*integrator) - truth).norm();
    if (error < 2e-12) break;  // rounding
    if (last > 0) order = std::log2(last / error);
    last = error;
  }
  return order;
}

TEST(UnequalSteps, have_the_stated_order_without_forces) {
  const io::Problem& problem = oscillator().problem;
  const auto exact = at_start(problem, {method::Verlet{}, true, {8, "kahan-li"}});
  ASSERT_TRUE(exact->advance(256, 1.0 / 256).ok);
  const VectorXd truth = state(*exact);
  for (const method::Spec& spec :
       {method::Spec{method::Verlet{}, false, {}}, method::Spec{method::Midpoint{}, false, {}},
        method::Spec{method::Variational{0.2, true}, false, {}}, method::Spec{method::Newmark{0.25, 0.5}, false, {}},
        method::Spec{method::SymplecticEuler{}, false, {}}, method::Spec{method::RungeKutta4{}, false, {}},
        method::Spec{method::Verlet{}, true, {4, "suzuki"}}})
    EXPECT_NEAR(order_under_halving(problem, spec, truth), spec.order(), 0.2) << label(spec);
}

TEST(UnequalSteps, have_the_stated_order_under_forces_and_friction) {
  const io::Problem problem = rubbing_pendulum();
  const auto exact = at_start(problem, {method::RungeKutta4{}, false, {}});
  ASSERT_TRUE(exact->advance(8192, 1.0 / 8192).ok);
  const VectorXd truth = state(*exact);
  for (const method::Spec& spec :
       {method::Spec{method::Midpoint{}, false, {}}, method::Spec{method::Variational{0.2, true}, false, {}},
        method::Spec{method::Variational{0.2, false}, false, {}}, method::Spec{method::RungeKutta4{}, false, {}}}) {
    ASSERT_EQ(method::why_incompatible(problem.model, spec), "");
    EXPECT_NEAR(order_under_halving(problem, spec, truth), spec.order(), 0.2) << label(spec);
  }
}

// A batch may end anywhere: also where the size changes, and within steps of one size.
TEST(UnequalSteps, are_the_same_to_the_bit_in_batches_of_any_length) {
  run::Steps sizes;
  ASSERT_TRUE(sizes.append(0.05, 3) && sizes.append(0.02, 2) && sizes.append(0.07, 5));
  for (const io::Problem& problem : {oscillator().problem, double_pendulum().problem, rubbing_pendulum()})
    for (const method::Spec& spec : methods()) {
      if (!method::why_incompatible(problem.model, spec).empty()) continue;
      const auto singly = at_start(problem, spec), whole = at_start(problem, spec), broken = at_start(problem, spec);
      take(*singly, sizes, 40);
      for (long k = 0; k < 40; k = sizes.change_after(k)) ASSERT_TRUE(whole->advance(sizes.change_after(k) - k, sizes[k]).ok);
      // Taken up by a copy in the middle of equal steps, and at a change of size.
      take(*broken, sizes, 7);
      auto resumed = broken->clone();
      for (long k = 7; k < 10; ++k) ASSERT_TRUE(resumed->advance(1, sizes[k]).ok);
      resumed = resumed->clone();
      for (long k = 10; k < 40; ++k) ASSERT_TRUE(resumed->advance(1, sizes[k]).ok);
      EXPECT_EQ(state(*singly), state(*whole)) << label(spec);
      EXPECT_EQ(state(*singly), state(*resumed)) << label(spec);
      method::Snapshot s;
      singly->snapshot(s);
      EXPECT_NEAR(s.t, sizes.time(0, 40), 1e-15 * s.t);
    }
}

// Many changes of size: the integrator's own time is no sum of roundings either.
TEST(UnequalSteps, tell_the_time_after_a_million_changes) {
  run::Steps sizes = 1e-3;
  ASSERT_TRUE(sizes.append(0.7e-3));
  const auto integrator = at_start(oscillator().problem, {method::Verlet{}, false, {}});
  for (long k = 0; k < 1'000'000; ++k) ASSERT_TRUE(integrator->advance(1, sizes[k]).ok);
  method::Snapshot s;
  integrator->snapshot(s);
  EXPECT_NEAR(s.t, 850, 2e-13);  // an eps of 850, and one of each size
  EXPECT_NEAR(s.t, sizes.time(0, 1'000'000), 2e-13);
}

}  // namespace
}  // namespace actio::laws
