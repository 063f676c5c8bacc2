#include <gtest/gtest.h>

#include <fmt/format.h>

#include <models/mesh.hpp>

#include <cmath>
#include <numbers>

#include <io/support.hpp>

#include <actio/method/frequencies.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/spectral.hpp>

// Frequencies of systems whose frequencies are known.
namespace actio {
namespace {

using io::test::Folder;
using std::numbers::pi;

method::Frequencies frequencies(const io::Problem& problem) {
  return method::frequencies(problem.model, problem.schedule.start, problem.q0);
}

// n masses m between springs c, the first and the last of which hold walls: w_k = 2 sqrt(c/m) sin(k pi / (2 n + 2)).
io::Problem chain(int n) {
  return io::load_text(fmt::format(R"toml([system]
coordinates = ["x[{0}]"]
parameters = {{ m = 0.5, c = 3, n = {0} }}
mass = {{ x = "m" }}
[[system.term]]
over = "i = 0..n-2"
potential = "c/2*(x[i+1] - x[i])^2"
[[system.term]]
potential = "c/2*(x[0]^2 + x[n-1]^2)"
[initial]
position = {{ x = "0.01*cos(3*i)" }}
[method]
name = "verlet"
[run]
step = 0.1
steps = 400
)toml",
                                   n),
                       "chain.toml");
}

TEST(Frequencies, of_a_chain_of_springs) {
  for (const int n : {30, 2000}) {
    const auto f = frequencies(chain(n));
    const auto exact = [&](int k) { return 2 * std::sqrt(3 / 0.5) * std::sin(k * pi / (2 * n + 2)); };
    ASSERT_TRUE(f.measured());
    EXPECT_NEAR(f.lowest, exact(1), (n < 200 ? 1e-10 : 1e-3) * exact(1));
    EXPECT_NEAR(f.highest, exact(n), (n < 200 ? 1e-12 : 1e-3) * exact(n));
    EXPECT_EQ(f.rigid, 0);
    EXPECT_EQ(f.growth, 0);
  }
}

// lambda = -exp(+-2 acosh(h w / 2)) beyond the limit, of size 1 below it.
TEST(Frequencies, name_the_step_at_which_verlet_becomes_unstable) {
  const io::Problem problem = chain(30);
  const double limit = method::stability_limit(problem.method) / frequencies(problem).highest;
  EXPECT_NEAR(limit * frequencies(problem).highest, 2, 1e-5);
  const auto growth = [&](double h) {
    const auto integrator = method::make_integrator(problem.model, problem.method);
    integrator->start(0, problem.q0, problem.v0);
    const double before = integrator->energy();
    EXPECT_TRUE(integrator->advance(400, h).ok);
    return integrator->energy() / before;
  };
  EXPECT_LT(growth(0.99 * limit), 100);   // the energy Verlet keeps is 1/(1 - 0.99^2) = 50 times as far away at most
  EXPECT_GT(growth(1.01 * limit), 1e20);  // 1.327 a step, squared, 400 steps: 1e98 times the part of the fastest
}

std::string beam(const Folder& folder, std::array<int, 3> elements, std::array<double, 3> size, const char* fixed) {
  models::write_msh(models::mesh_of({system::Cell::hexahedron20, elements, size}), folder / "beam.msh");
  return fmt::format(R"toml([system.solid]
mesh = "{}"
{}
material = {{ model = "neo-hookean", E = 3, nu = 0, density = 2 }}
[method]
name = "newmark"
[run]
step = 0.1
steps = 1
)toml",
                     folder / "beam.msh", fixed);
}

// 1.8751^2 sqrt(E I / (rho A L^4)); shear and rotary inertia take less than 0.4 % of its square at L/H = 20 (Dunkerley), and
// elements that bend add to it.
TEST(Frequencies, of_a_slender_cantilever_are_those_of_beam_theory) {
  const Folder folder;
  const io::Problem problem = io::load_text(beam(folder, {12, 1, 1}, {20, 1, 1}, "fixed = [\"x0\"]"), "beam.toml");
  const auto f = frequencies(problem);
  const double exact = std::pow(1.8751040687, 2) * std::sqrt(3.0 / 12 / (2 * std::pow(20.0, 4)));
  EXPECT_GT(f.lowest, 0.997 * exact);
  EXPECT_LT(f.lowest, 1.001 * exact);
  EXPECT_EQ(f.rigid, 0);
}

// Free-free: 4.7300^2 sqrt(E I / (rho A L^4)), softer by shear and rotary inertia of half waves of about L/1.5.
TEST(Frequencies, of_a_free_beam_leave_six_rigid_motions_out) {
  for (const int elements : {2, 12}) {
    const Folder folder;
    const io::Problem problem = io::load_text(beam(folder, {elements, 1, 1}, {20, 1, 1}, ""), "beam.toml");
    const auto f = frequencies(problem);
    EXPECT_EQ(f.rigid, 6);
    EXPECT_EQ(f.unstable, 0);
    EXPECT_FALSE(f.at_least);
    if (elements == 2) continue;  // too coarse to bend well
    const double exact = std::pow(4.7300407449, 2) * std::sqrt(3.0 / 12 / (2 * std::pow(20.0, 4)));
    EXPECT_GT(f.lowest, 0.97 * exact);
    EXPECT_LT(f.lowest, 1.002 * exact);
  }
}

TEST(Frequencies, of_a_pendulum_hanging_and_upright) {
  const auto at = [](const char* angle) {
    return frequencies(io::load_text(fmt::format(R"toml([system]
coordinates = ["theta", "x"]
mass = [2, 1]
potential = "2*9.81*cos(theta)"
[initial]
position = ["{}", 0]
[method]
name = "verlet"
[run]
step = 0.1
steps = 1
)toml",
                                                 angle),
                                     "pendulum.toml"));
  };
  const auto hanging = at("pi"), upright = at("0");
  EXPECT_NEAR(hanging.lowest, std::sqrt(9.81), 1e-12);
  EXPECT_NEAR(hanging.highest, std::sqrt(9.81), 1e-12);
  EXPECT_EQ(hanging.rigid, 1);
  EXPECT_EQ(hanging.unstable, 0);
  EXPECT_NEAR(upright.growth, std::sqrt(9.81), 1e-12);
  EXPECT_EQ(upright.unstable, 1);
  EXPECT_TRUE(std::isnan(upright.lowest));
  EXPECT_TRUE(std::isnan(upright.highest));
}

// What is driven has no part in them, nor its mass: w^2 M - K of the others.
TEST(Frequencies, of_what_is_shaken_are_those_of_what_stands_on_it) {
  const io::Problem p = io::load_text(R"toml([system]
coordinates = ["b", "x", "y"]
mass = [[1.5, 0.4, 0.1], [0.4, 1.2, 0.3], [0.1, 0.3, 2.0]]
potential = "(x - b)^2 + 0.5*(y - x)^2"
constraints = ["b - 0.1*sin(t)"]
[initial]
position = [0, 0, 0]
velocity = [0.1, 0, 0]
[method]
name = "newmark"
[run]
step = 0.1
steps = 1
)toml",
                                      "p.toml");
  const auto f = frequencies(p);
  ASSERT_TRUE(f.measured()) << f.why_not;
  // (1.2 s - 3)(2 s - 1) - (0.3 s + 1)^2 = 2.31 s^2 - 7.8 s + 2 = 0, s = w^2
  const double root = std::sqrt(7.8 * 7.8 - 4 * 2.31 * 2);
  EXPECT_NEAR(f.lowest, std::sqrt((7.8 - root) / 4.62), 1e-12);
  EXPECT_NEAR(f.highest, std::sqrt((7.8 + root) / 4.62), 1e-12);
}

TEST(Frequencies, are_not_measured_with_constraints_bodies_or_equations) {
  for (const auto& [file, why] : {std::pair{"examples/heavy-top.toml", "the system has rigid bodies"},
                                  {"examples/car-axis.toml", "the system has constraints"},
                                  {"examples/implicit-oscillator.toml", "the system has equations in place of a Lagrangian"}})
    EXPECT_EQ(frequencies(io::load(file)).why_not, why) << file;
  const io::LoadOptions curved{{"system.lagrangian=(1 + theta^2)*theta'^2"}, {}};
  EXPECT_EQ(frequencies(io::load("examples/pendulum.toml", curved)).why_not, "the Lagrangian is not 1/2 v'Mv - V(q)");
}

// The kinetic energy of a Lagrangian is a mass where it is quadratic with constant coefficients: w = sqrt(g/l) at the bottom.
TEST(Frequencies, of_a_pendulum_by_its_lagrangian) {
  const auto f = frequencies(io::load("examples/pendulum.toml", {{"initial.position=[0]"}, {}}));
  ASSERT_TRUE(f.measured()) << f.why_not;
  EXPECT_NEAR(f.highest, std::sqrt(9.81), 1e-12);
}

}  // namespace
}  // namespace actio
