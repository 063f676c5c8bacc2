#include <gtest/gtest.h>

#include <actio/method/energy_momentum.hpp>
#include <actio/system/mechanical.hpp>
#include <actio/system/with_discrete_gradient.hpp>
#include <cmath>

namespace actio::method {
namespace {

// V = |q|^2 (|q|^2 - 1)^2
struct Oscillator {
  using Space = algebra::DenseSpace<2>;
  using Vector = Eigen::Vector2d;
  using Matrix = Eigen::Matrix2d;
  static double slope(double s) { return (s - 1) * (3 * s - 1); }  // dV/ds, s = |q|^2
  double value(const Vector& q) const {
    const double s = q.squaredNorm();
    return s * (s - 1) * (s - 1);
  }
  void gradient(const Vector& q, Vector& g) const { g = 2 * slope(q.squaredNorm()) * q; }
  void hessian(const Vector& q, Matrix& H) const {
    const double s = q.squaredNorm();
    H = 2 * slope(s) * Matrix::Identity() + 4 * (6 * s - 4) * q * q.transpose();
  }
};
using System = system::WithDiscreteGradient<system::Mechanical<Oscillator>>;

struct Lost {
  double energy, momentum;
};
Lost run(std::vector<system::AffineField> symmetries) {
  EnergyMomentumStepper<System> stepper(System(system::Mechanical{Oscillator{}}, std::move(symmetries)));
  auto x = stepper.start(0, {0.0, 1.4}, {0.3, 0.0});
  const auto energy = [&] { return 0.5 * x.p.squaredNorm() + Oscillator{}.value(x.q); };
  const auto momentum = [&] { return x.q[0] * x.p[1] - x.q[1] * x.p[0]; };
  const double E = energy(), J = momentum();
  Lost lost{0, 0};
  for (int k = 0; k < 2000; ++k) {
    EXPECT_TRUE(stepper.step(x, 0.1).converged);
    lost.energy = std::max(lost.energy, std::abs(energy() - E));
    lost.momentum = std::max(lost.momentum, std::abs(momentum() - J));
  }
  return lost;
}

}  // namespace

TEST(EnergyMomentum, keeps_the_energy_of_a_system_of_ones_own) {
  const Lost lost = run({});
  EXPECT_LT(lost.energy, 2000 * 2.2e-16 * 2);
  EXPECT_GT(lost.momentum, 1e-4);
}

TEST(EnergyMomentum, keeps_the_momentum_of_a_symmetry_that_is_given) {
  Eigen::Matrix2d turn;
  turn << 0, -1, 1, 0;
  const Lost lost = run({{turn, Eigen::Vector2d::Zero()}});
  EXPECT_LT(lost.energy, 2000 * 2.2e-16 * 2);
  EXPECT_LT(lost.momentum, 2000 * 2.2e-16);
}

}  // namespace actio::method
