#include <fmt/format.h>
#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <cmath>

// N parallelograms of rods of 1 m and 1 kg side by side, which stand upright at first and fall over with 1 m/s of their tops (the
// N four-bar mechanism of the IFToMM benchmark). Where the cranks lie level all constraints lose rank: a dead point. As rigid
// bodies on hinges most constraints out of the plane are redundant as well.
namespace actio::method {
namespace {

// The angle of the cranks from upright: (N+1) 1/3 angle'^2/2 + N angle'^2/2 = E - ((N+1)/2 + N) 9.81 cos(angle)
double angle_of(int N, double t) {
  const double inertia = (N + 1) / 3.0 + N, moment = 9.81 * ((N + 1) / 2.0 + N);
  double a = 0, w = 1;
  const int steps = static_cast<int>(std::ceil(t / 1e-4));
  const double h = t / steps;
  const auto slope = [&](double x) { return moment / inertia * std::sin(x); };
  for (int k = 0; k < steps; ++k) {  // Runge-Kutta
    const double k1 = slope(a), w2 = w + h / 2 * k1, k2 = slope(a + h / 2 * w), w3 = w + h / 2 * k2, k3 = slope(a + h / 2 * w2),
                 w4 = w + h * k3, k4 = slope(a + h * w3);
    a += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return a;
}

void falls_over(int N, const std::string& method, double h, double end) {
  SCOPED_TRACE(fmt::format("{} of {}, h = {}", method, N, h));
  const io::Problem problem = io::load("tests/data/four-bars.toml", {{fmt::format("system.parameters.N={}", N)}, method});
  const auto integrator = make_integrator(problem.model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  const BatchReport report = integrator->advance(static_cast<long>(std::lround(end / h)), h);
  ASSERT_TRUE(report.ok) << "after " << report.steps << " steps: " << report.what;
  Snapshot s;
  integrator->snapshot(s);
  const double a = angle_of(N, s.t);
  for (int k = 0; k <= N; ++k) {  // every crank is where one alone would be
    const auto& crank = problem.model.bodies[static_cast<std::size_t>(k)];
    EXPECT_NEAR(s.q[crank.position], k + 0.5 * std::sin(a), 100 * h * h);
    EXPECT_NEAR(s.q[crank.position + 1], 0.5 * std::cos(a), 100 * h * h);
  }
}

TEST(FourBars, of_redundant_hinges_pass_their_dead_points) {
  for (const char* method : {"rattle", "lie-group", "energy-momentum"}) {
    falls_over(2, method, 2e-3, 3);
    falls_over(2, method, 1e-3, 1.5);
  }
}
TEST(FourBars, pass_them_side_by_side) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of the other test";
  for (const char* method : {"rattle", "lie-group", "energy-momentum"}) falls_over(10, method, 2e-3, 1);
}

}  // namespace
}  // namespace actio::method
