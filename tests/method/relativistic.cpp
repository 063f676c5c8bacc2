#include <gtest/gtest.h>

#include <cmath>

#include "laws/systems.hpp"

// L = -sqrt(1 - v^2) - |q|^2/2: the momentum is not linear in the velocity, and no velocity reaches 1.
namespace actio::method {
namespace {

TEST(Relativistic, oscillator_runs_at_every_speed_below_one) {
  for (const double speed : {0.1, 0.5, 0.8, 0.95, 0.99}) {
    const io::Problem problem = laws::problem(R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "-sqrt(1 - x'^2 - y'^2) - 0.5*(x^2 + y^2)"
[initial]
position = [0.5, 0]
velocity = [0, )toml" + std::to_string(speed) +
                                              "]");
    for (const Spec& spec : {Spec{Midpoint{}, false, {}}, Spec{Variational{0.3, true}, false, {}}, Spec{RungeKutta4{}, false, {}},
                             Spec{CvodeAdams{}, false, {}}}) {
      const auto integrator = make_integrator(problem.model, spec);
      integrator->start(0, problem.q0, problem.v0);
      const double gamma = 1 / std::sqrt(1 - speed * speed), energy = gamma + 0.125;
      EXPECT_NEAR(integrator->energy(), energy, 1e-12 * energy);
      Snapshot s;
      integrator->snapshot(s);
      EXPECT_NEAR(s.v[1], speed, 1e-14);
      EXPECT_NEAR(s.p[1], gamma * speed, 1e-13 * gamma);
      for (int k = 0; k < 400; ++k) {
        ASSERT_TRUE(integrator->advance(1, 0.01).ok) << spec.name() << " " << speed << " step " << k;
        integrator->snapshot(s);
        ASSERT_LT(s.v.norm(), 1);
        ASSERT_NEAR(integrator->energy(), energy, 2e-3 * energy) << spec.name() << " " << speed << " step " << k;
      }
      EXPECT_NEAR(s.q[0] * s.p[1] - s.q[1] * s.p[0], 0.5 * gamma * speed, 1e-5 * gamma);
    }
  }
}

}  // namespace
}  // namespace actio::method
