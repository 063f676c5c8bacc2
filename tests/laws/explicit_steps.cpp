#include <gtest/gtest.h>

#include <cmath>

#include <actio/io/problem.hpp>
#include <actio/method/explicit_steps.hpp>
#include <actio/method/integrator.hpp>

#include "steps.hpp"

// Whole steps that are generated for a small system are those of the stepper, and of one another.
namespace actio::laws {
namespace {

using method::BuildOptions;
using method::Snapshot;

// Pairs, a potential that moves, unequal masses, parameters, a fixed coordinate; with a force, whose work is added up step by
// step, and without, when many steps are made at once.
io::Problem everything(const std::string& method, bool forced) {
  const std::string force = forced ? "z = \"0.2*cos(3*t)*where(x[0] > 0, 1, 0.5)\"" : "";
  return io::load_text(R"toml([system]
coordinates = ["x[4]", "z"]
parameters = { G = 0.7, d = 1.3 }
tables = { m = [1, 2.5, 0.4, 3] }
mass = { x = "m[i]", z = "1.7" }
potential = "d*cos(x[0] - z) + 0.3*x[1]*sin(2*t)"
fixed = ["x[3]"]
[system.force]
)toml" + force + R"toml(
[[system.term]]
over = "i = 0..3, j = i+1..3"
potential = "-G*m[i]*m[j]/sqrt(1 + (x[i]-x[j])^2)"
[initial]
position = { x = [0.4, -0.3, 0.9, 2], z = 0.1 }
velocity = { x = [0.2, 0.5, -0.7, 0], z = 0.3 }
[method]
)toml" + method + R"toml(
[run]
step = 0.05
end = 1
)toml",
                       "everything.toml");
}

class ExplicitSteps : public testing::TestWithParam<std::tuple<const char*, bool>> {
 protected:
  io::Problem problem() const { return everything(std::get<0>(GetParam()), std::get<1>(GetParam())); }
};
INSTANTIATE_TEST_SUITE_P(methods, ExplicitSteps,
                         testing::Combine(testing::Values("name = \"verlet\"", "name = \"verlet\"\nform = \"position\"",
                                                          "name = \"symplectic-euler\"", "name = \"mclachlan-atela\"\norder = 3",
                                                          "name = \"mclachlan-atela\"\norder = 5",
                                                          "name = \"verlet\"\ncompose = { order = 6 }",
                                                          "name = \"verlet\"\nform = \"position\"\ncompose = { order = 4 }"),
                                          testing::Bool()));

Snapshot after(method::Integrator& integrator, std::initializer_list<long> batches) {
  for (const long steps : batches) EXPECT_TRUE(integrator.advance(steps, 0.05).ok);
  Snapshot s;
  integrator.snapshot(s);
  return s;
}

TEST_P(ExplicitSteps, are_those_of_the_stepper) {
  const io::Problem problem = this->problem();
  BuildOptions stepper;
  stepper.space = BuildOptions::Space::dense;
  const auto one = make_integrator(problem.model, problem.method),
             other = make_integrator(problem.model, problem.method, stepper);
  one->start(0.3, problem.q0, problem.v0);
  other->start(0.3, problem.q0, problem.v0);
  Snapshot a = after(*one, {100}), b = after(*other, {100});
  for (const double h : {0.03, -0.02, 0.01}) {  // other steps, and back
    EXPECT_TRUE(one->advance(20, h).ok && other->advance(20, h).ok);
    one->snapshot(a);
    other->snapshot(b);
  }
  EXPECT_EQ(a.t, b.t);
  EXPECT_LT((a.q - b.q).norm(), 1e-12);
  EXPECT_LT((a.p - b.p).norm(), 1e-12);
  EXPECT_LT((a.v - b.v).norm(), 1e-12);
  EXPECT_NE(a.q, Eigen::VectorXd(problem.q0));
}

TEST_P(ExplicitSteps, are_the_same_in_any_batches_and_after_reading) {
  const io::Problem problem = this->problem();
  const auto one = make_integrator(problem.model, problem.method), other = one->clone(), third = one->clone();
  one->start(0, problem.q0, problem.v0);
  other->start(0, problem.q0, problem.v0);
  const Snapshot a = after(*one, {60}), b = after(*other, {1, 1, 7, 31});
  core::Archive written;
  other->archive(written);
  core::Archive read(written.bytes());
  third->archive(read);
  const Snapshot c = after(*third, {20});
  EXPECT_NE(a.q, b.q);
  EXPECT_TRUE((a.q.array() == c.q.array()).all() && (a.p.array() == c.p.array()).all());
  EXPECT_EQ(a.t, c.t);

  // The stepper goes on from what they have archived.
  BuildOptions stepper;
  stepper.space = BuildOptions::Space::dense;
  const auto fourth = make_integrator(problem.model, problem.method, stepper);
  core::Archive again(written.bytes());
  fourth->archive(again);
  EXPECT_TRUE(again.finished());
  EXPECT_LT((after(*fourth, {20}).q - a.q).norm(), 1e-12);
}

TEST(ExplicitStepsOf, what_they_cannot_have_goes_to_the_stepper) {
  io::Problem problem = everything("name = \"verlet\"", true);
  const auto made = [&](const expr::CompileOptions& options = {}) {
    return method::ExplicitSteps::make(problem.model, {}, {}, options).has_value();
  };
  BuildOptions interpreted;
  interpreted.compile.compiler = "none";
  EXPECT_TRUE(made());
  EXPECT_FALSE(made(interpreted.compile));
  const auto one = make_integrator(problem.model, problem.method),
             other = make_integrator(problem.model, problem.method, interpreted);
  one->start(0, problem.q0, problem.v0);
  other->start(0, problem.q0, problem.v0);
  EXPECT_LT((after(*one, {100}).q - after(*other, {100}).q).norm(), 1e-12);
  problem.model.mass.kind = system::MassMatrix::Kind::full;
  EXPECT_FALSE(made());
}

}  // namespace
}  // namespace actio::laws
