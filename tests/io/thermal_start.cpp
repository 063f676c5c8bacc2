#include <cmath>

#include <fmt/format.h>
#include <Eigen/LU>

#include "evaluate.hpp"
#include "wrong.hpp"

// initial.temperature: velocities of the Maxwell-Boltzmann distribution.
namespace actio::io::test {
namespace {

// N dumbbells of unequal masses: atoms 2k and 2k+1 at a fixed distance.
std::string dumbbells(int n, int seed = 1, const std::string& more = "") {
  return fmt::format(R"toml([system]
coordinates = ["x[2*N]", "y[2*N]", "z[2*N]"]
parameters = {{ N = {} }}
mass = {{ x = "1 + 4*mod(i, 2)", y = "1 + 4*mod(i, 2)", z = "1 + 4*mod(i, 2)" }}
[system.points]
atom = ["x", "y", "z"]
[[system.term]]
over = "k = 0..N-2"
potential = "distance(atom[2*k], atom[2*k+2])^2"
[[system.constraint]]
over = "k = 0..N-1"
expression = "distance(atom[2*k], atom[2*k+1])^2 - 1"
{}
[initial]
seed = {}
temperature = 0.6
position = {{ x = "floor(i/2) + 0.6*(mod(i, 2))", y = "0.8*mod(i, 2)", z = "i - mod(i, 2)" }}
[method]
name = "rattle"
[run]
step = 0.01
steps = 10
)toml",
                     n, more, seed);
}
const std::string translations =
    "[[symmetry]]\nname = \"Px\"\ntranslation = [1, 0, 0]\n[[symmetry]]\nname = \"Py\"\ntranslation = [0, 1, 0]\n"
    "[[symmetry]]\nname = \"twice Py\"\ntranslation = [0, 2, 0]\n[[symmetry]]\nname = \"Lz\"\nrotation = [0, 0, 1]";

double kinetic(const Problem& problem) { return 0.5 * problem.v0.dot(problem.model.mass.diagonal.cwiseProduct(problem.v0)); }

}  // namespace

// The kinetic energy over kT is a chi-square of f degrees of freedom, of mean f/2 and variance f/2; 4 sigma, both sides.
TEST(Temperature, gives_every_degree_of_freedom_half_of_kT) {
  const int n = ACTIO_TEST_SHORT ? 200 : 1500;
  for (const auto& [more, removed] : {std::pair{std::string(), 0}, {translations, 2}}) {
    const Problem problem = load_text(dumbbells(n, 1, more), "p.toml");
    ASSERT_TRUE(problem.drawn);
    EXPECT_EQ(problem.drawn->coordinates, 6 * n);
    EXPECT_EQ(problem.drawn->constraints, n);
    EXPECT_EQ(problem.drawn->momenta, removed);
    const auto f = static_cast<double>(problem.drawn->freedom());
    EXPECT_NEAR(kinetic(problem) / 0.6, f / 2, 4 * std::sqrt(f / 2));
  }
}

TEST(Temperature, velocities_are_normal_with_the_masses) {
  std::string text = with(dumbbells(3000), "expression = \"distance(atom[2*k], atom[2*k+1])^2 - 1\"", "expression = \"x[0]\"");
  text = with(text, "over = \"k = 0..N-1\"\nexpression", "over = \"k = 0..0\"\nexpression");
  const Problem problem = load_text(text, "p.toml");
  EXPECT_NEAR(problem.v0[0], 0, 1e-30);
  double light = 0, heavy = 0, fourth = 0, cross = 0;
  const int n = 6000;
  for (int k = 0; k < n; ++k) {
    const double u = problem.v0[n + 2 * (k / 2)] / std::sqrt(0.6), w = problem.v0[n + 2 * (k / 2) + 1] * std::sqrt(5 / 0.6),
                 z = problem.v0[2 * n + 2 * (k / 2)] / std::sqrt(0.6);
    if (k % 2) continue;
    light += u * u;
    heavy += w * w;
    fourth += u * u * u * u;
    cross += u * z;
  }
  const double m = n / 2;
  EXPECT_NEAR(light / m, 1, 4 * std::sqrt(2 / m));
  EXPECT_NEAR(heavy / m, 1, 4 * std::sqrt(2 / m));
  EXPECT_NEAR(fourth / m, 3, 4 * std::sqrt(96 / m));
  EXPECT_NEAR(cross / m, 0, 4 * std::sqrt(1 / m));
}

// <v v'> = kT M^-1: over seeds, with a mass that is no diagonal and one coordinate that is fixed.
TEST(Temperature, velocities_have_the_covariance_of_a_full_mass) {
  const std::string text = R"toml([system]
coordinates = ["x", "y", "w", "z"]
mass = [[2, 0.6, 0.3, 0.1], [0.6, 1, 0, 0.2], [0.3, 0, 1, 0], [0.1, 0.2, 0, 3]]
fixed = ["w"]
potential = "x^2 + y^2 + w^2 + z^2"
[initial]
position = [0, 0, 0, 0]
temperature = 0.5
seed = 0
[method]
name = "verlet"
[run]
step = 0.1
steps = 1
)toml";
  Eigen::Matrix3d M, sum = Eigen::Matrix3d::Zero();
  M << 2, 0.6, 0.1, 0.6, 1, 0.2, 0.1, 0.2, 3;
  const int draws = 2000;
  for (int seed = 0; seed < draws; ++seed) {
    const Problem problem = load_text(with(text, "seed = 0", fmt::format("seed = {}", seed)), "p.toml");
    EXPECT_EQ(problem.v0[2], 0);
    const Eigen::Vector3d v(problem.v0[0], problem.v0[1], problem.v0[3]);
    sum += v * v.transpose() / draws;
  }
  const Eigen::Matrix3d exact = 0.5 * M.inverse();
  for (long i = 0; i < 3; ++i)
    for (long j = 0; j < 3; ++j)  // Isserlis: var(v_i v_j) = C_ii C_jj + C_ij^2
      EXPECT_NEAR(sum(i, j), exact(i, j), 4 * std::sqrt((exact(i, i) * exact(j, j) + exact(i, j) * exact(i, j)) / draws));
}

TEST(Temperature, velocities_are_tangent_and_without_momentum) {
  const int n = 40;
  const Problem problem = load_text(dumbbells(n, 7, translations), "p.toml");
  const long atoms = 2 * n;
  Eigen::Vector3d P = Eigen::Vector3d::Zero();
  double largest = 0;
  for (long k = 0; k < n; ++k) {
    double rate = 0;
    for (long axis = 0; axis < 3; ++axis) {
      const long a = axis * atoms + 2 * k;
      rate += (problem.q0[a + 1] - problem.q0[a]) * (problem.v0[a + 1] - problem.v0[a]);
      P[axis] += problem.v0[a] + 5 * problem.v0[a + 1];
      largest = std::max(largest, std::abs(problem.v0[a]));
    }
    EXPECT_NEAR(rate, 0, 1e-14);
  }
  EXPECT_GT(largest, 0.5);
  EXPECT_NEAR(P[0], 0, 1e-12);
  EXPECT_NEAR(P[1], 0, 1e-12);
  EXPECT_GT(std::abs(P[2]), 0.1);  // no translation along z is declared
}

TEST(Temperature, the_seed_decides) {
  const Problem a = load_text(dumbbells(5, 3), "p.toml"), b = load_text(dumbbells(5, 3), "p.toml"),
                c = load_text(dumbbells(5, 4), "p.toml");
  EXPECT_EQ(a.v0, b.v0);
  EXPECT_GT((a.v0 - c.v0).norm(), 0.1);
  // another temperature scales the same draw
  const Problem hot = load_text(with(dumbbells(5, 3), "temperature = 0.6", "temperature = 2.4"), "p.toml");
  EXPECT_NEAR((hot.v0 - 2 * a.v0).norm(), 0, 1e-13);
  EXPECT_EQ(load_text(with(dumbbells(5, 3), "temperature = 0.6", "temperature = 0"), "p.toml").v0.norm(), 0);
}

// 10 K in kcal/mol.
TEST(Temperature, may_be_given_in_kelvin) {
  const std::string text = with(dumbbells(2), "[system.points]",
                                "units = { length = \"angstrom\", mass = \"amu\", energy = \"kcal/mol\" }\n[system.points]");
  const Problem problem = load_text(with(text, "temperature = 0.6", "temperature = { value = 10, unit = \"K\" }"), "p.toml");
  EXPECT_NEAR(problem.drawn->kT, 10 * 1.380649e-23 * 6.02214076e23 / 4184, 1e-16);
}

TEST(Temperature, that_is_wrong_is_an_error) {
  const std::string text = dumbbells(2);
  expect_errors(
      text, {{"temperature = 0.6", "temperature = -5", "16:15", "initial.temperature is -5; a temperature is not negative", "-5"},
             {"temperature = 0.6", "temperature = 0.6\nvelocity = { x = 1 }", "16:15",
              "initial.temperature: velocities are given too", "0.6", "give initial.velocity or initial.temperature"},
             {"temperature = 0.6", "temperature = { value = 3, unit = \"m\" }", "16:35",
              "initial.temperature needs a unit of energy (kg m^2 s^-2); \"m\" is one of length (m)", "\"m\""},
             {"temperature = 0.6", "temperature = \"300 K\"", "16:15", "initial.temperature is a text with a unit", "\"300 K\"",
              "write { value = 300, unit = \"K\" }"},
             {"temperature = 0.6", "temperatur = 5", "16:1", "unknown key", "", "did you mean \"temperature\"?"}});
  expect_errors(with(oscillator, "velocity = [0.0, 0.2]", "temperature = 1"),
                {{"mass = [1.0, 1.0]\npotential = \"c*(x^2 + y^2)\"", "lagrangian = \"0.5*(1 + x^2)*(x'^2 + y'^2)\"", "8:15",
                  "velocities are drawn with a constant mass, and the kinetic energy is in the lagrangian", "1"}});
}

}  // namespace actio::io::test
