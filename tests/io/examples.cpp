#include <gtest/gtest.h>

#include <cmath>
#include <common.hpp>

#include "evaluate.hpp"

// The problem files in examples/, against published numbers.
namespace actio::io::test {
namespace {

using actio::test::eps;

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
  EXPECT_EQ(problem.model.mass.diagonal, Eigen::VectorXd::Ones(1));  // its kinetic energy is 1/2 m l^2 theta'^2
  EXPECT_FALSE(problem.model.terms.at(0).lagrangian);
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

TEST(Example, dna_rests_at_both_of_its_angles) {
  for (const std::string angle : {"acos(0.7)", "2*pi - acos(0.7)"}) {
    const Problem problem =
        load("examples/dna.toml", {{"initial.position.theta='" + angle + "'", "initial.velocity.theta=0"}, ""});
    EXPECT_EQ(problem.model.size(), 200);
    EXPECT_NEAR(initial_energy(problem), 0, 200 * eps);
  }
  EXPECT_NEAR(initial_energy(load("examples/dna.toml", {{"initial.position.theta=0", "initial.velocity.theta=0"}, ""})),
              200 * std::pow(std::exp(7 * 0.3) - 1, 2) / 1400, 1e3 * eps);  // 1 - cos = 0: nothing but the wall of U
}

TEST(Example, fpu_has_the_published_energy) { EXPECT_NEAR(initial_energy(load("examples/fpu.toml")), 2.00120008, 10 * eps * 2); }

TEST(Example, damped_oscillator_loses_power_to_friction) {
  const Problem problem = load("examples/damped-oscillator.toml");
  EXPECT_NEAR(initial_energy(problem), 1.44 * 0.44 * 0.44 + 0.5 * 0.04, 10 * eps);
  EXPECT_NEAR(dissipation(problem.model, problem.q0, problem.v0), 0.5e-3 * 0.04, eps);
}

TEST(Example, forced_pendulum_is_driven) {
  const Problem problem = load("examples/forced-pendulum.toml");
  const Eigen::VectorXd q{{0.3}}, v{{2.0}};
  EXPECT_NEAR(force(problem.model, q, v, 1.5)[0], -0.5 * 2 + 1.15 * std::cos(1.0), 10 * eps);
}

TEST(Example, implicit_oscillator_balances_at_its_solution) {
  const Problem problem = load("examples/implicit-oscillator.toml");
  const Eigen::VectorXd q{{0.5}}, v{{-2.0}}, a{{-1.0}};
  EXPECT_NEAR(balance(problem.model, q, v, a, 0.3)[0], -1 + 0.2 * -2 * 1 + 4 * 0.5 - std::sin(0.3), 10 * eps);
}

// A rigid shift of the whole frame meets no stiffness, and has the mass of all members.
TEST(Example, frame_has_the_mass_of_its_members_and_a_free_shift) {
  const Problem problem = load("examples/frame.toml");
  Eigen::VectorXd shift = Eigen::VectorXd::Zero(problem.model.size());
  for (long k = 0; k < 10; ++k) shift[3 * k] = 1;
  const double mass = 7850 * (8 * 3 * 9.1e-3 + 4 * 5 * 5.4e-3) + 4 * 5 * 4000;
  EXPECT_NEAR(shift.dot(problem.model.mass.full * shift), mass, 1e-8 * mass);  // nine digits in the file
  const double stiffest = problem.model.stiffness.coeffs().cwiseAbs().maxCoeff();
  EXPECT_LE((problem.model.stiffness * shift).cwiseAbs().maxCoeff(), 1e-8 * stiffest);
  EXPECT_EQ(problem.model.fixed_dofs.size(), 6U);
  // at t = 1 the record has its 51st sample
  const double a = at(problem.model.signals.at(0), 1.0);
  EXPECT_NEAR(force(problem.model, shift, shift, 1.0).dot(shift), -mass * a, 1e-8 * mass * std::abs(a));
}

// 1100 kg/m^3 of 0.5 x 0.05 x 0.05 m, its middle at z = 0.025 m.
TEST(Example, cantilever_has_the_weight_of_its_mesh) {
  const Problem problem = load("examples/cantilever.toml");
  EXPECT_EQ(problem.model.size(), 3 * 128);
  EXPECT_EQ(problem.model.fixed_dofs.size(), 3U * 8);
  EXPECT_NEAR(problem.model.mass.full.sum(), 3 * 1.375, 1e-12);
  double weight = 0;
  for (const system::Term& term : problem.model.terms)
    if (!term.interpolation) weight += value_of(problem.model, term, problem.q0, problem.v0);
  EXPECT_NEAR(weight, 1.375 * 9.81 * 0.025, 1e-12);
  ASSERT_EQ(problem.probes.size(), 3U);
  EXPECT_EQ(problem.probes[0].coordinates.size(), 8U);
}

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
