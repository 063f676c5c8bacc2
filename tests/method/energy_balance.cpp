#include <gtest/gtest.h>

#include <actio/method/newmark.hpp>
#include <cmath>
#include <common.hpp>
#include <method/structure.hpp>

// Karow's balance of energy, (13) and (14): for Newmark 1/4, 1/2 on linear structures the energy changes by the work of the load,
// the work of friction and what the solver left of the equations, and by nothing else.
namespace actio::method {
namespace {

using actio::test::eps;
using tests::Structure;

struct Balance {
  double worst13 = 0, worst14 = 0;      // of (13) [J] and (14) [W], relative to their rounding
  double external = 0, dissipated = 0;  // summed [J]
  double loss = 0;                      // summed, of the method [J]
  double energy = 0;                    // largest seen [J]
};

template <class Space, bool at_end = true, class Method>
Balance balance(const Method& method, long n, int steps, bool linear = true) {
  using algebra::dot;
  Structure<Space> s = tests::rod<Space>(n, linear);
  AccelerationStepper<Structure<Space>, at_end> stepper(tests::rod<Space>(n, linear), method.coefficients());
  typename Space::Vector q = s.space().vector(), v = q, p = q, mean = q, F0 = q, F1 = q;
  for (long i = 0; i < n; ++i)
    q[i] = 0.5 * std::sin(0.3 * static_cast<double>(i + 1)), v[i] = 0.2 * std::cos(0.2 * static_cast<double>(i));
  s.momentum(v, p);
  auto x = stepper.start(0, q, p);
  Balance sum;
  double E0 = s.energy(x.q, x.v);
  for (int k = 0; k < steps; ++k) {
    const auto before = x;
    const double h = k % 3 == 2 ? 0.25 : 0.4;
    EXPECT_TRUE(stepper.step(x, h).converged);
    const Work work = stepper.work(before, x, h);
    const double E1 = s.energy(x.q, x.v);
    // what rounding of q, v and E makes: some eps of each product that cancels
    const double rounding = eps * (s.size(s.M, x.v) + s.size(s.S, x.q) + s.size(s.M, before.v) + s.size(s.S, before.q));
    const double loss = E0 + work.external - work.dissipated + work.residual - E1;
    sum.worst13 = std::max(sum.worst13, std::abs(loss) / rounding);
    // (14) from the velocities alone
    mean = 0.5 * before.v + 0.5 * x.v;
    s.external(before.t, q, v, F0);
    s.external(x.t, q, v, F1);
    const double power = 0.5 * dot(mean, F0) + 0.5 * dot(mean, F1) - s.form(s.D, mean, mean);
    sum.worst14 = std::max(sum.worst14, std::abs((E1 - E0 - work.residual) / h - power) * h / rounding);
    sum.external += work.external;
    sum.dissipated += work.dissipated;
    sum.loss += loss;
    sum.energy = std::max(sum.energy, E1);
    E0 = E1;
  }
  return sum;
}

void expect_closed(const Balance& sum, const char* what) {
  EXPECT_LT(sum.worst13, 8) << what;
  EXPECT_LT(sum.worst14, 8) << what;
  EXPECT_GT(std::abs(sum.external), 0.01 * sum.energy) << what;  // there is something to balance
  EXPECT_GT(sum.dissipated, 0.01 * sum.energy) << what;
}

TEST(KarowBalance, closes_to_rounding_for_newmark_quarter_half_from_1_to_100000_coordinates) {
  expect_closed(balance<algebra::DenseSpace<1>>(Newmark{0.25, 0.5}, 1, 300), "1, fixed");
  expect_closed(balance<algebra::DenseSpace<2>>(Newmark{0.25, 0.5}, 2, 300), "2, fixed");
  expect_closed(balance<algebra::DenseSpace<Eigen::Dynamic>>(Newmark{0.25, 0.5}, 2, 300), "2, dense");
  expect_closed(balance<algebra::SparseSpace>(Newmark{0.25, 0.5}, 2, 300), "2, sparse");
  expect_closed(balance<algebra::SparseSpace>(Newmark{0.25, 0.5}, 1000, 100), "1000");
  expect_closed(balance<algebra::SparseSpace>(Newmark{0.25, 0.5}, ACTIO_TEST_SHORT ? 10000 : 100000, 20), "100000");
}

TEST(KarowBalance, closes_when_the_equations_are_iterated_too) {
  expect_closed(balance<algebra::DenseSpace<2>>(Newmark{0.25, 0.5}, 2, 300, false), "2, fixed");
  expect_closed(balance<algebra::SparseSpace>(Newmark{0.25, 0.5}, 1000, 100, false), "1000");
}

// gamma = 0.6 loses energy of its own, and so does beta beside 1/4 over a step: the balance tells.
TEST(KarowBalance, leaves_the_loss_of_other_coefficients) {
  const Balance sum = balance<algebra::SparseSpace>(Newmark{0.3025, 0.6}, 100, 300);
  EXPECT_GT(sum.loss, 1e-3 * sum.energy);
  EXPECT_GT(balance<algebra::SparseSpace>(Newmark{0.2, 0.5}, 100, 30).worst13, 1e6);
}

// The midpoint rule, by the force at the midpoint; below rho = 1 there is a loss, and it is one.
TEST(KarowBalance, closes_for_generalised_alpha_at_spectral_radius_one) {
  EXPECT_LT((balance<algebra::DenseSpace<2>, false>(GeneralizedAlpha{1}, 2, 300).worst13), 8);
  EXPECT_LT((balance<algebra::SparseSpace, false>(GeneralizedAlpha{1}, 1000, 100).worst13), 8);
  const Balance sum = balance<algebra::SparseSpace, false>(GeneralizedAlpha{0.5}, 100, 300);
  EXPECT_GT(sum.loss, 1e-3 * sum.energy);
}

}  // namespace
}  // namespace actio::method
