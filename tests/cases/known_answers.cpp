#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <cmath>
#include <utility>

// Published and recomputed answers, from the problem files in examples/.
namespace actio {
namespace {

using Eigen::VectorXd;

struct Outcome {
  method::Snapshot end;
  double energy_before = 0, energy_after = 0;
};

Outcome run(const std::string& file, std::vector<std::string> overrides) {
  const io::Problem problem = io::load("examples/" + file, {std::move(overrides), ""});
  const auto integrator = method::make_integrator(problem.model, problem.method);
  integrator->start(problem.schedule.start, problem.q0, problem.v0);
  Outcome result;
  result.energy_before = integrator->energy();
  const auto report = integrator->advance(problem.schedule.steps, problem.schedule.step[0]);
  EXPECT_TRUE(report.ok) << report.what;
  result.energy_after = integrator->energy();
  integrator->snapshot(result.end);
  return result;
}

// IVP test set. The error of order 8 at this step is some 1e-9.
TEST(Pleiades, ends_where_the_test_set_says) {
  const Outcome r = run("pleiades.toml", {"run.step=0.0001", "run.end=3"});
  VectorXd expected(14);
  expected << .3706139143970502, 3.237284092057233, -3.222559032418324, .6597091455775310, .3425581707156584, 1.562172101400631,
      -.7003092922212495, -3.943437585517392, -3.271380973972550, 5.225081843456543, -2.590612434977470, 1.198213693392275,
      -.2429682344935824, 1.091449240428980;
  EXPECT_LT((r.end.q - expected).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_NEAR(r.energy_before, -45.952469497847126, 1e-12);
  EXPECT_NEAR(r.energy_after, -45.952469497847126, 1e-10);
}

// IFToMM A01, as a general Lagrangian in the angle: x = l sin(theta), y = -l cos(theta)
TEST(SimplePendulum, is_where_extended_precision_says) {
  const Outcome r = run("pendulum.toml", {"method.compose={ order = 8, scheme = \"kahan-li\" }", "run.step=0.01", "run.end=10"});
  EXPECT_NEAR(std::sin(r.end.q[0]), .275087462576117, 1e-11);
  EXPECT_NEAR(-std::cos(r.end.q[0]), -.961419205099125, 1e-11);
  const double period = 2.367841947576237;
  const Outcome turn = run(
      "pendulum.toml", {"method.compose={ order = 8, scheme = \"kahan-li\" }", "run.step=0.02367841947576237", "run.steps=100"});
  EXPECT_NEAR(turn.end.t, period, 1e-13);
  EXPECT_NEAR(turn.end.q[0], std::acos(0.0), 1e-10);
  EXPECT_NEAR(turn.end.v[0], 0, 1e-9);
}

// H - H0 at t = 50 by the same steps in quadruple precision; the nine digits that SUNDIALS' tests of its partitioned Runge-Kutta
// methods print agree, to within the rounding of either. Rounding of the steps walks: over 200 orbits, turned by random angles,
// its root mean square is some .35 eps sqrt(drifts).
struct KeplerCase {
  std::vector<std::string> method;
  const char* step;
  int drifts;  // a step
  double error;
};
class Kepler : public testing::TestWithParam<KeplerCase> {};

TEST_P(Kepler, energy_error_is_that_of_quadruple_precision) {
  KeplerCase c = GetParam();
  c.method.push_back(std::string("run.step=") + c.step);
  const Outcome r = run("kepler.toml", c.method);
  EXPECT_NEAR(r.energy_before, -0.5, 1e-15);
  const double walk = 0.35 * 2.2e-16 * std::sqrt(c.drifts * 50 / std::stod(c.step));
  EXPECT_NEAR(r.energy_after - r.energy_before, c.error, 4 * walk);
}

INSTANTIATE_TEST_SUITE_P(
    every, Kepler,
    testing::Values(
        KeplerCase{{}, "0.001", 2, -1.032118368582e-7}, KeplerCase{{}, "0.0005", 2, -2.583240455489e-8},
        KeplerCase{{"method.name=mclachlan-atela", "method.order=4"}, "0.1", 4, -5.372304998811e-6},
        KeplerCase{{"method.name=mclachlan-atela", "method.order=4"}, "0.05", 4, -2.776461624029e-7},
        KeplerCase{{"method.name=mclachlan-atela", "method.order=5"}, "0.1", 6, 7.573479392638e-6},
        KeplerCase{{"method.form=velocity", "method.compose={ order = 6, scheme = \"yoshida\" }"}, "0.1", 7, 1.268118227726e-4}));

TEST(FigureEight, closes_after_a_period) {
  const Outcome r = run("figure-eight.toml", {"method.name=verlet", "method.compose={ order = 8, scheme = \"kahan-li\" }"});
  const io::Problem problem = io::load("examples/figure-eight.toml");
  EXPECT_NEAR(r.energy_before, -1.28714199643, 5e-12);
  EXPECT_NEAR(r.end.t, 6.32591398, 5e-9);
  EXPECT_LT((r.end.q - problem.q0).norm(), 1e-9);
}

TEST(HenonHeiles, is_where_extended_precision_says) {
  const Outcome r = run("henon-heiles.toml", {});
  EXPECT_NEAR(r.energy_before, 0.13, 1e-16);
  EXPECT_NEAR(r.end.q[0], -.040194237876, 1e-10);
  EXPECT_NEAR(r.end.q[1], .679016921772, 1e-10);
}

// H = 2.00120008; the oscillatory energy I = sum (p1^2 + omega^2 x1^2)/2 starts at 1 and stays near it.
TEST(FermiPastaUlam, keeps_its_oscillatory_energy) {
  const Outcome r = run("fpu.toml", {});
  EXPECT_NEAR(r.energy_before, 2.00120008, 5e-13);
  const double omega = 50;
  const double I = 0.5 * (r.end.p.tail(3).squaredNorm() + omega * omega * r.end.q.tail(3).squaredNorm());
  EXPECT_NEAR(I, 1, 3 / omega);  // adiabatic invariant up to O(1/omega)
}

}  // namespace
}  // namespace actio
