#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/spectral.hpp>
#include <algorithm>
#include <cmath>

namespace actio::method {
namespace {

constexpr const char* pendulum = R"toml(
[system]
coordinates = ["x"]
mass = 1
potential = "-cos(x)"
[initial]
position = [1.2]
velocity = [0.4]
[method]
name = "verlet"
[run]
step = 0.1
steps = 1
)toml";

struct State {
  double q, p;
};
double energy(const State& x) { return x.p * x.p / 2 - std::cos(x.q); }
// q + s M^-1 grad V, p - s V'' M^-1 p
State moved(const State& x, double s) { return {x.q + s * std::sin(x.q), x.p - s * std::cos(x.q) * x.p}; }

struct Run {
  State end;
  double energy_error = 0;  // the largest
};
Run run(const Spec& spec, double h, long steps, bool processed) {
  const io::Problem problem = io::load_text(pendulum, "pendulum.toml");
  const auto integrator = make_integrator(problem.model, spec);
  const double s = processed ? h * h / 12 : 0;
  const State start{problem.q0[0], problem.v0[0]}, from = moved(start, s);
  integrator->start(0, Eigen::VectorXd::Constant(1, from.q), Eigen::VectorXd::Constant(1, from.p));
  Run out{};
  Snapshot now;
  for (long k = 0; k < steps; ++k) {
    EXPECT_TRUE(integrator->advance(1, h).ok);
    integrator->snapshot(now);
    out.end = moved({now.q[0], now.p[0]}, -s);
    out.energy_error = std::max(out.energy_error, std::abs(energy(out.end) - energy(start)));
  }
  return out;
}

const Spec method{TakahashiImada{}, false, {}};

// The order of what falls from `coarse` to `fine` when h is halved.
double order(double coarse, double fine) { return std::log2(coarse / fine); }

TEST(TakahashiImada, has_a_frequency_of_order_four) {
  const auto slope = [](const AnyMethod& choice) {
    const Spec spec{choice, false, {}};
    return order(std::abs(spectrum(spec, 0.2).period_error), std::abs(spectrum(spec, 0.1).period_error));
  };
  EXPECT_NEAR(slope(TakahashiImada{}), 4, 0.05);
  EXPECT_NEAR(slope(Verlet{}), 2, 0.05);
}

TEST(TakahashiImada, is_of_order_four_in_other_variables_and_two_without) {
  const State truth = run({Verlet{}, true, {8, "kahan-li"}}, 0.025, 400, false).end;
  const auto error = [&](double h, bool processed) {
    const State end = run(method, h, std::lround(10 / h), processed).end;
    return std::hypot(end.q - truth.q, end.p - truth.p);
  };
  EXPECT_NEAR(order(error(0.1, true), error(0.05, true)), 4, 0.2);
  EXPECT_NEAR(order(error(0.1, false), error(0.05, false)), 2, 0.2);
}

TEST(TakahashiImada, has_an_energy_error_of_order_four_over_long_runs) {
  const auto error = [](double h, bool processed) { return run(method, h, std::lround(2000 / h), processed).energy_error; };
  EXPECT_NEAR(order(error(0.2, true), error(0.1, true)), 4, 0.2);
  EXPECT_NEAR(order(error(0.2, false), error(0.1, false)), 2, 0.2);
}

}  // namespace
}  // namespace actio::method
