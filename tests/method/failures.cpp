#include <gtest/gtest.h>

#include <actio/method/acceleration_coefficients.hpp>
#include <cmath>

#include "laws/systems.hpp"

// What the steppers themselves do when a step cannot be solved, and when h changes.
namespace actio::method {
namespace {

Snapshot snapshot(const Integrator& integrator) {
  Snapshot s;
  integrator.snapshot(s);
  return s;
}

// V = -exp(4x) from a fast start to the right: an implicit step of h = 2 has no solution.
io::Problem runaway() {
  return laws::problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = 1
potential = "0.5*y^2 - exp(4*x)"
[initial]
position = [0.5, 0.1]
velocity = [1, 0]
)toml");
}

TEST(FailedStep, is_reported_and_leaves_the_state_before_it) {
  const io::Problem problem = runaway();
  for (const Spec& spec :
       {Spec{Midpoint{}, false, {}}, Spec{Newmark{0.25, 0.5}, false, {}}, Spec{Variational{0.2, true}, false, {}},
        Spec{Midpoint{}, true, {4, "suzuki"}}, Spec{PushForwardNewmark{}, false, {}}}) {
    const auto integrator = make_integrator(problem.model, spec);
    integrator->start(0, problem.q0, problem.v0);
    const Snapshot before = snapshot(*integrator);
    const BatchReport report = integrator->advance(5, 2.0);
    EXPECT_FALSE(report.ok) << spec.name();
    EXPECT_EQ(report.steps, 0) << spec.name();
    EXPECT_FALSE(report.what.empty());
    EXPECT_GT(report.failed_residual, 0);
    const Snapshot after = snapshot(*integrator);
    EXPECT_EQ(after.t, 0);
    EXPECT_EQ((after.q - before.q).norm() + (after.p - before.p).norm(), 0) << spec.name();
    const BatchReport smaller = integrator->advance(1, 1e-3);  // and it can go on from there
    EXPECT_TRUE(smaller.ok) << spec.name();
  }
}

// Methods that lose fast motions keep an acceleration that does not follow from q and p: a new start is not their continuation.
bool keeps_an_acceleration(const Spec& spec) {
  const Properties properties = spec.properties();
  if (!properties.solved) return true;  // nor does one that is left where it was told to stop
  return spec.traits().constraints == Constraints::imposed && !properties.at_end && spec.keeps() == Keeps::nothing;
}

// A run in two parts with steps of different length ends where two runs end, the second started at the first one's end.
TEST(ChangedStep, keeps_time_and_state) {
  for (const Spec& spec : laws::methods()) {
    if (keeps_an_acceleration(spec)) continue;
    for (const laws::System* system : {&laws::driven(), &laws::driven_pendulum()}) {
      if (!why_incompatible(system->problem.model, spec).empty()) continue;
      const auto once = make_integrator(system->problem.model, spec), again = make_integrator(system->problem.model, spec);
      once->start(0, system->problem.q0, system->problem.v0);
      ASSERT_TRUE(once->advance(10, 0.05).ok);
      const Snapshot middle = snapshot(*once);
      ASSERT_TRUE(once->advance(7, 0.03).ok);
      again->start_momentum(middle.t, middle.q, middle.p);
      ASSERT_TRUE(again->advance(7, 0.03).ok);
      const Snapshot a = snapshot(*once), b = snapshot(*again);
      EXPECT_NEAR(a.t, 0.71, 1e-14);
      EXPECT_NEAR(b.t, 0.71, 1e-14);
      EXPECT_LT((a.q - b.q).norm() + (a.p - b.p).norm(), 1e-13) << laws::label(spec) << " on " << system->name;
    }
  }
}

// The same forces at many places: terms over more elements than one kernel call takes, with gaps, against their sum by hand.
TEST(ManyElements, pull_like_their_sum) {
  const io::Problem terms = laws::problem(R"toml(
[system]
coordinates = ["x[700]"]
mass = 1
[[system.term]]
over = "i = 0..299"
potential = "0.01*(i + 1)*(x[2*i] - x[699 - i])^2 + 0.1*x[2*i]^4"
[initial]
position = { x = "sin(i)" }
velocity = { x = 0 }
)toml");
  Eigen::VectorXd f = Eigen::VectorXd::Zero(700);
  for (int i = 0; i < 300; ++i) {
    const double a = terms.q0[2 * i], b = terms.q0[699 - i], spring = 0.02 * (i + 1) * (a - b);
    f[2 * i] -= spring + 0.4 * a * a * a;
    f[699 - i] += spring;
  }
  const double h = 1e-3;
  for (const AnyMethod& choice : std::initializer_list<AnyMethod>{SymplecticEuler{}, Midpoint{}}) {
    const auto integrator = make_integrator(terms.model, {choice, false, {}});
    integrator->start(0, terms.q0, terms.v0);
    ASSERT_TRUE(integrator->advance(1, h).ok);
    // symplectic Euler: p1 = h f(q0); midpoint: the same up to h^3 |V''| |f| / 4, |V''| below 13
    EXPECT_LT((snapshot(*integrator).p - h * f).lpNorm<Eigen::Infinity>(),
              std::holds_alternative<Midpoint>(choice) ? 1e-7 : 1e-15);
  }
  // Newton converges at second order only with the right Hessian: a stiff step in few iterations
  const auto stiff = make_integrator(terms.model, {Midpoint{}, false, {}});
  stiff->start(0, terms.q0, terms.v0);
  const BatchReport report = stiff->advance(1, 1.0);
  ASSERT_TRUE(report.ok);
  EXPECT_LE(report.iterations, 9);
}

TEST(Compatibility, lets_a_driven_lagrangian_pass_whose_momentum_is_free_of_time) {
  const auto model = [](const std::string& lagrangian) {
    return laws::problem("[system]\ncoordinates = [\"x\"]\nlagrangian = \"" + lagrangian +
                         "\"\n[initial]\nposition = [0.1]\nvelocity = [0]\n")
        .model;
  };
  EXPECT_EQ(why_incompatible(model("0.5*x'^2 - 0.5*x^2 + x*cos(t)"), {RungeKutta4{}, false, {}}), "");
  EXPECT_NE(why_incompatible(model("0.5*x'^2 + x'*cos(t)"), {RungeKutta4{}, false, {}}), "");
}

}  // namespace
}  // namespace actio::method
