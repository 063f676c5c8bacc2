#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/callbacks.hpp>
#include <cmath>
#include <numbers>

// SPC/E water, configuration 1 of the NIST Standard Reference Simulation Website (Standard Reference Database 173): 100
// molecules, cutoff 10 angstrom, alpha = 5.6/L, waves with n^2 < 27. Energies in kelvin, to all digits given.
namespace {

using actio::io::Problem;

double energy_of(actio::system::Model model, const Problem& problem) {
  const auto integrator = actio::method::make_integrator(model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  return integrator->energy();
}

// Of the potential of one term alone.
double energy_of_term(const Problem& problem, std::string_view name) {
  actio::system::Model model = problem.model;
  model.callbacks = nullptr;
  std::erase_if(model.terms, [&](const actio::system::Term& term) { return term.name != name; });
  EXPECT_EQ(model.terms.size(), 1u) << name;
  return energy_of(std::move(model), problem);
}

TEST(NistWater, has_the_energies_of_configuration_1) {
  const Problem problem = actio::io::load("tests/data/nist-spce.toml");
  // Bonds of length 1: the file was copied without a slip.
  const auto place = [&](long i, long a) { return problem.q0[a * 300 + i]; };
  for (long i = 0; i < 300; ++i)
    if (const long oxygen = i - i % 3; i != oxygen) {
      const double length =
          std::hypot(place(i, 0) - place(oxygen, 0), place(i, 1) - place(oxygen, 1), place(i, 2) - place(oxygen, 2));
      EXPECT_NEAR(length, 1, 1e-9) << i;
    }
  const double dispersion = energy_of_term(problem, "dispersion");
  const double near = energy_of_term(problem, "charges"), excluded = energy_of_term(problem, "charges, excluded pairs");
  const double K = 167100.95, L = 20, alpha = 5.6 / L;
  const double self = -K * alpha / std::sqrt(std::numbers::pi) * 100 * (0.8476 * 0.8476 + 2 * 0.4238 * 0.4238);
  const double waves = problem.model.callbacks->energy(0, {problem.q0.data(), 900}) - self;
  EXPECT_NEAR(dispersion, 99538.7, 0.05);
  EXPECT_NEAR(near, -558889, 0.5);
  EXPECT_NEAR(waves, 6270.09, 0.005);
  EXPECT_NEAR(self, -2844690, 5);
  EXPECT_NEAR(excluded, 2809990, 5);
  // The correction for pairs beyond the cutoff is a constant, 8/3 pi N^2/V epsilon sigma^3 ((sigma/rc)^9/3 - (sigma/rc)^3).
  const double epsilon = 78.19743111, s = 3.16555789 / 10;
  const double beyond = 8 * std::numbers::pi / 3 * 1e4 / (L * L * L) * epsilon * 1e3 * (std::pow(s, 12) / 3 - std::pow(s, 6));
  EXPECT_NEAR(beyond, -823.715, 5e-4);
  // -488604 is the reference; the constant e^2/(4 pi epsilon_0 k_B), which is not given with it, moves the sixth digit.
  EXPECT_NEAR(energy_of(problem.model, problem) + beyond, -488604, 1);
}

}  // namespace
