#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <algorithm>
#include <cmath>

// A discrete gradient is made of differences of V: what is added to V, and is the same at both ends of a step, is nothing to it.
namespace actio::method {
namespace {

// The largest change of 1/2 (x'^2 + y'^2) + x^4 + x^2 y^2, and the last x.
std::pair<double, double> changes(const std::string& potential, double start = 0) {
  const io::Problem problem =
      io::load_text("[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { C = 1e12 }\nmass = 1\npotential = \"" + potential +
                        "\"\n[initial]\nposition = [1, 0.3]\nvelocity = [0, 0.5]\n[method]\nname = "
                        "\"energy-momentum\"\n[run]\nstep = 0.1\nsteps = 1\n",
                    "well.toml");
  const auto integrator = make_integrator(problem.model, problem.method);
  integrator->start(start, problem.q0, problem.v0);
  const auto energy = [](const Snapshot& s) {
    const double x = s.q[0], y = s.q[1];
    return s.v.squaredNorm() / 2 + x * x * x * x + x * x * y * y;
  };
  Snapshot s;
  integrator->snapshot(s);
  const double E0 = energy(s);
  double worst = 0;
  for (int k = 0; k < 500; ++k) {
    EXPECT_TRUE(integrator->advance(1, 0.1).ok);
    integrator->snapshot(s);
    worst = std::max(worst, std::abs(energy(s) - E0) / E0);
  }
  return {worst, s.q[0]};
}

TEST(EnergyMomentum, keeps_energy_beside_a_constant_that_is_a_million_million_times_as_large) {
  const auto [kept, x] = changes("x^4 + x^2*y^2");
  EXPECT_LT(kept, 2e-13);
  for (const char* V : {"x^4 + x^2*y^2 + 1e12", "C + x^4 - 2*C + x^2*y^2", "2*(C + (x^4 + x^2*y^2 - 3)/2)",
                        "-(1e12 - x^4 - x^2*y^2)", "x^4 + C*sin(t) + x^2*y^2"}) {
    const auto [change, last] = changes(V);
    EXPECT_LT(change, 2e-13) << V;
    EXPECT_NEAR(last, x, 1e-9) << V;
  }
}

}  // namespace
}  // namespace actio::method
