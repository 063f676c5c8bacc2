#include <gtest/gtest.h>

#include <cmath>

#include "evaluate.hpp"

// The problem files in examples/, against published numbers.
namespace actio::io::test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

double initial_energy(const Problem& problem) { return energy(problem.model, problem.q0, problem.v0, problem.schedule.start); }

// J = xi(q) . M v
double momentum(const Problem& problem, std::size_t k) {
  return generator(problem.model, problem.model.symmetries[k], problem.q0)
      .dot(problem.model.mass.diagonal.cwiseProduct(problem.v0));
}

TEST(Example, oscillator_has_its_energy) {
  const Problem problem = load("examples/oscillator.toml");
  EXPECT_NEAR(initial_energy(problem), 1.44 * 0.44 * 0.44 + 0.5 * 0.04, 10 * eps);
  EXPECT_NEAR(momentum(problem, 0), 1.2 * 0.2, 10 * eps);
  EXPECT_EQ(problem.schedule.steps, 50);
}

TEST(Example, pleiades_has_the_published_energy_and_momenta) {
  const Problem problem = load("examples/pleiades.toml");
  EXPECT_EQ(problem.model.size(), 14);
  EXPECT_EQ(problem.model.terms.at(0).elements, 21);  // pairs
  EXPECT_EQ(problem.model.terms.at(0).locals, 4);
  EXPECT_NEAR(initial_energy(problem), -45.952469497847126, 100 * eps * 46);
  EXPECT_NEAR(momentum(problem, 0), 109, 100 * eps * 109);
  EXPECT_EQ(momentum(problem, 1), 0);
  EXPECT_EQ(momentum(problem, 2), 0);
}

TEST(Example, pendulum_starts_at_rest_from_the_horizontal) {
  const Problem problem = load("examples/pendulum.toml");
  EXPECT_EQ(problem.model.mass.kind, system::MassMatrix::Kind::none);
  EXPECT_TRUE(problem.model.terms.at(0).lagrangian);
  EXPECT_EQ(problem.q0[0], std::acos(-1.0) / 2);
  EXPECT_NEAR(initial_energy(problem), 0, 10 * eps);
  Eigen::VectorXd q(1), v(1);  // E = 1/2 m l^2 theta'^2 - m g l cos(theta)
  q << 0.3;
  v << 2.0;
  EXPECT_NEAR(energy(problem.model, q, v), 2 - 9.81 * std::cos(0.3), 10 * 9.81 * eps);
}

TEST(Example, kepler_has_energy_minus_one_half) {
  const Problem problem = load("examples/kepler.toml");
  EXPECT_NEAR(initial_energy(problem), -0.5, 10 * eps);
  EXPECT_NEAR(momentum(problem, 0), 0.8, 10 * eps);
}

TEST(Example, figure_eight_has_the_published_energy_and_no_momentum) {
  const Problem problem = load("examples/figure-eight.toml");
  EXPECT_NEAR(initial_energy(problem), -1.28714199643, 1e-11);  // digits given
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(momentum(problem, k), 0, 10 * eps) << k;
}

TEST(Example, henon_heiles_has_the_published_energy) {
  EXPECT_NEAR(initial_energy(load("examples/henon-heiles.toml")), 0.13, 10 * eps);
}

TEST(Example, fpu_has_the_published_energy) { EXPECT_NEAR(initial_energy(load("examples/fpu.toml")), 2.00120008, 10 * eps * 2); }

TEST(Example, chain_grows_with_its_parameter) {
  LoadOptions options;
  options.overrides = {"system.parameters.N=50000"};
  const Problem problem = load("examples/chain.toml", options);
  EXPECT_EQ(problem.model.size(), 50000);
  const system::Term& springs = problem.model.terms.at(0);
  EXPECT_EQ(springs.elements, 50000);
  EXPECT_EQ(springs.dofs.at(50000 - 1), 0);  // theta[N] is theta[0]
  EXPECT_TRUE(problem.model.terms.at(1).data.empty());
}

}  // namespace
}  // namespace actio::io::test
