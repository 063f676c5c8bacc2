#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <cmath>

// KMOW 6.1: the oscillator of 4.1 with phi = 1e-3/2 |v|^2, its loss of energy against a benchmark of relative tolerance 1e-12.
namespace actio {
namespace {

// Energy lost in a unit of time between t in (0, 20) and t in (180, 200), from the means of E over both: E itself swings by
// O(h^2) within a period.
double loss_rate(const method::AnyMethod& choice, double h) {
  const io::Problem problem = io::load("examples/damped-oscillator.toml");
  const auto integrator = method::make_integrator(problem.model, {choice, false, {}});
  integrator->start(0, problem.q0, problem.v0);
  const long steps = std::lround(20 / h);
  const auto mean = [&] {
    double sum = 0;
    for (long k = 0; k < steps; ++k) {
      const auto report = integrator->advance(1, h);
      EXPECT_TRUE(report.ok) << report.what;
      sum += integrator->energy();
    }
    return sum / static_cast<double>(steps);
  };
  const double first = mean();
  EXPECT_TRUE(integrator->advance(8 * steps, h).ok);
  return (first - mean()) / 180;
}

double benchmark() {
  static const double rate = loss_rate(method::CvodeAdams{1e-12, 1e-14}, 0.025);
  return rate;
}

// The error of the rate is of second order for all, though friction makes two of them of first order in position: what they
// lose by taking the friction of half a step ago or ahead they gain half a period later.
TEST(KmowSection6, minimum_principles_lose_energy_at_the_rate_of_the_benchmark) {
  using namespace method;
  for (const AnyMethod& choice :
       std::initializer_list<AnyMethod>{MinimisingNewmark{0.25, 0.5, 0.5}, MinimisingNewmark{0, 0.5, 0.5}, TwoStep{0.5, true},
                                        TwoStep{0, true}, Variational{0.5, true}, Variational{0.25, true}}) {
    const double coarse = loss_rate(choice, 0.05) / benchmark() - 1, fine = loss_rate(choice, 0.025) / benchmark() - 1;
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2) << Spec{choice, false, {}}.name();
    EXPECT_LT(std::abs(loss_rate(choice, 0.2) / benchmark() - 1), 0.25) << Spec{choice, false, {}}.name();  // the paper's step
  }
}

// The loss is friction's, not the method's: without it E swings and does not fall. Runge-Kutta's own loss is twice the
// friction's.
TEST(KmowSection6, runge_kutta_loses_more_than_friction_takes) {
  EXPECT_GT(loss_rate(method::RungeKutta4{}, 0.2), 2.5 * benchmark());
}

}  // namespace
}  // namespace actio
