#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <cmath>

// Newmark 1/4, 1/2 where h omega is 1e3 to 2e4. The energy of a linear system is kept to rounding of the energy itself, though
// h^2/4 a is (h omega)^2/4 times as large as q.
namespace actio::method {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

std::string text(const std::string& system) {
  return "[system]\n" + system +
         "[initial]\nposition = [1, 0.3, -0.2]\nvelocity = [0, 5, 0]\n[method]\nname = \"newmark\"\n[run]\nstep = 1\nsteps = 1\n";
}
MatrixXd stiffness() { return (MatrixXd(3, 3) << 2e6, -1e6, 0, -1e6, 2e6, -1e6, 0, -1e6, 1e6).finished(); }

// The largest relative change of the energy.
double lost(const std::string& system, double h, long steps) {
  const io::Problem problem = io::load_text(text(system), "frame.toml");
  const auto integrator = make_integrator(problem.model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  const auto energy = [](const VectorXd& q, const VectorXd& v) { return v.squaredNorm() / 2 + q.dot(stiffness() * q) / 2; };
  const double E0 = energy(problem.q0, problem.v0);
  double worst = 0;
  for (long k = 0; k < steps; k += 10) {
    EXPECT_TRUE(integrator->advance(10, h).ok);
    Snapshot s;
    integrator->snapshot(s);
    worst = std::max(worst, std::abs(energy(s.q, s.v) - E0) / E0);
  }
  return worst;
}

TEST(Newmark, keeps_the_energy_of_a_stiff_frame_in_steps_of_thousands_of_radians) {
  const std::string matrix =
      "coordinates = [\"x[3]\"]\nmass = 1\nstiffness = [[2e6, -1e6, 0], [-1e6, 2e6, -1e6], [0, -1e6, 1e6]]\n";
  for (const double h : {1.0, 10.0}) {
    EXPECT_LT(lost(matrix, h, 2000), 2e-13) << "h = " << h;
    // of forces that depend on velocities, which are 0 here
    EXPECT_LT(lost(matrix + "[system.force]\n\"x[0]\" = \"0*x'[0]^3\"\n", h, 2000), 2e-13) << "forced, h = " << h;
  }
}
TEST(Newmark, keeps_it_by_iterations_too) {
  const std::string springs =
      "coordinates = [\"x[3]\"]\nmass = 1\npotential = \"0.5e6*(x[0]^2 + (x[1] - x[0])^2 + (x[2] - x[1])^2) + 1e-12*x[0]^4\"\n";
  for (const double h : {1.0, 10.0}) EXPECT_LT(lost(springs, h, 2000), 2e-13) << "h = " << h;
}

// Down a hill, V = -1e6 x^2, in steps of 141 radians where it grows by 3 % each: rounding of T and V, which grow alike.
TEST(Newmark, keeps_the_energy_of_what_runs_down_a_hill) {
  const io::Problem problem = io::load_text(
      "[system]\ncoordinates = [\"x\"]\nmass = 1\npotential = \"-1e6*x^2\"\n[initial]\nposition = [1]\n"
      "[method]\nname = \"newmark\"\n[run]\nstep = 1\nsteps = 1\n",
      "hill.toml");
  const auto integrator = make_integrator(problem.model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  Snapshot s;
  for (int k = 0; k < 300; ++k) {
    ASSERT_TRUE(integrator->advance(1, 0.1).ok);
    integrator->snapshot(s);
    const double T = s.v[0] * s.v[0] / 2, V = -1e6 * s.q[0] * s.q[0];
    EXPECT_LT(std::abs(T + V + 1e6), 64 * 2.2e-16 * (T - V)) << "step " << k;
  }
}

}  // namespace
}  // namespace actio::method
