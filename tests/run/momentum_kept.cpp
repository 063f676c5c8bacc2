#include <run/runs.hpp>

#include <cmath>

#include <gtest/gtest.h>

using namespace runs;

TEST(MomentumOfARun, a_momentum_the_method_claims_ends_the_run_when_it_is_lost) {
  auto system = fakes::euler(2);  // J grows by 1 + h^2 a step
  const auto c = certify(system, task(method::Midpoint{}, q2, v2, 0.01, 1000));
  EXPECT_EQ(c.verdict, Verdict::failed);
  ASSERT_TRUE(c.failure.has_value());
  EXPECT_EQ(c.failure->step, 1);
  EXPECT_NE(c.failure->message.find("angular momentum"), std::string::npos);
}

TEST(MomentumOfARun, a_generator_that_is_no_symmetry_is_reported_and_not_expected_to_hold) {
  auto model = fakes::plane();
  fakes::declare_shift(model);
  auto system = fakes::rotation(2);
  const auto c = certify(system, task(method::Verlet{}, q2, v2, 0.1, 100), nullptr, model);
  EXPECT_EQ(c.verdict, Verdict::unresolved);
  EXPECT_TRUE(c.momentum[0].symmetry && c.momentum[0].claimed);
  EXPECT_FALSE(c.momentum[1].symmetry || c.momentum[1].claimed);
  EXPECT_GT(c.momentum[1].max_error, 0.1);
}

TEST(MomentumOfARun, momentum_of_an_own_form_method_is_judged_in_its_own_coordinates) {
  constexpr double h = 0.2;
  auto system = fakes::verlet();
  system.own = [](VectorXd& x, VectorXd&, double) { x *= 2; };  // J(x, p) = 2 J(q, p)
  const auto c = certify(system, task(method::Newmark{}, q2, v2, h, 50));
  EXPECT_NEAR(c.momentum[0].own_max_error, 2 * c.momentum[0].max_error, 1e-15);
  EXPECT_EQ(c.verdict, Verdict::kept);
}

namespace {

// Verlet of V = |q|^2 / 2 + bump(x) y, with a bump that the start does not see.
fakes::Fake bumpy(double height) {
  const auto bump = [height](double x) { return height * std::exp(-50 * (x + 0.5) * (x + 0.5)); };
  const auto force = [bump](const VectorXd& q) {
    VectorXd f = -q;
    f[0] += 100 * (q[0] + 0.5) * bump(q[0]) * q[1];
    f[1] -= bump(q[0]);
    return f;
  };
  return {2,
          [force](VectorXd& q, VectorXd& v, double h) {
            v += 0.5 * h * force(q);
            q += h * v;
            v += 0.5 * h * force(q);
          },
          [bump](const VectorXd& q, const VectorXd& v) { return fakes::oscillator_energy(q, v) + bump(q[0]) * q[1]; }};
}

}  // namespace

TEST(MomentumOfARun, momentum_lost_where_the_generator_is_no_symmetry_is_not_the_fault_of_the_method) {
  for (long every : {1, 500}) {
    auto system = bumpy(1e-3);
    const auto c = certify(system, task(method::Verlet{}, VectorXd{{1.0, 0.0}}, VectorXd{{0.0, 0.001}}, 0.01, 2000, every));
    EXPECT_EQ(c.verdict, Verdict::unresolved) << every;
    EXPECT_FALSE(c.failure.has_value()) << every;
    ASSERT_EQ(c.momentum.size(), 1u);
    EXPECT_FALSE(c.momentum[0].claimed);
    EXPECT_FALSE(c.momentum[0].symmetry);
    EXPECT_GT(c.momentum[0].withdrawn, 1.0);  // cos t = -0.3 at 1.9 s
    EXPECT_LT(c.momentum[0].withdrawn, every == 1 ? 2.5 : 20);
    EXPECT_NE(text(c).find("not a symmetry at t = "), std::string::npos);
  }
}

// The same symmetry, lost by the method: rotation is one of both, and the blame stays.
TEST(MomentumOfARun, momentum_lost_where_the_generator_is_a_symmetry_is_the_fault_of_the_method) {
  auto system = fakes::Fake(
      2,
      [](VectorXd& q, VectorXd& v, double h) {
        v -= h * q;
        v[0] += 1e-9 * h;
        q += h * v;
      },
      fakes::oscillator_energy);
  const auto c = certify(system, task(method::Verlet{}, q2, v2, 0.01, 2000));
  EXPECT_EQ(c.verdict, Verdict::failed);
  ASSERT_TRUE(c.failure.has_value());
  EXPECT_NE(c.failure->message.find("angular momentum"), std::string::npos);
}

// A shift of a chain with a force of 1e-9 on its end: a symmetry to nine digits, and J changes by what the force brings.
TEST(MomentumOfARun, momentum_of_a_symmetry_that_is_a_little_off_may_change_as_fast) {
  constexpr double weak = 1e-9;
  auto model = fakes::plane();
  model.symmetries = {{"total",
                       {fakes::component(0, {}, [](auto& g) { return g.constant(1); }),
                        fakes::component(1, {}, [](auto& g) { return g.constant(1); })}}};
  const auto force = [](const VectorXd& q) { return VectorXd{{q[1] - q[0] - weak, q[0] - q[1]}}; };
  auto system = fakes::Fake(
      2,
      [force](VectorXd& q, VectorXd& v, double h) {
        v += 0.5 * h * force(q);
        q += h * v;
        v += 0.5 * h * force(q);
      },
      [](const VectorXd& q, const VectorXd& v) {
        return 0.5 * v.squaredNorm() + 0.5 * (q[1] - q[0]) * (q[1] - q[0]) + weak * q[0];
      });
  const auto c = certify(system, task(method::Verlet{}, VectorXd{{0.0, 1.0}}, VectorXd{{0.1, 0.1}}, 0.05, 1000), nullptr, model);
  EXPECT_EQ(c.verdict, Verdict::kept);
  EXPECT_NEAR(c.momentum[0].max_error, weak * 50, 1e-11);
  EXPECT_LT(c.momentum[0].bound, 10 * weak * 50);
}

// What a momentum may lose to round-off comes from what momenta do, not from where the energy is zero.
TEST(MomentumOfARun, allowance_of_a_momentum_does_not_depend_on_the_zero_of_energy) {
  double bound = 0;
  for (double zero : {0.0, 1e6, 1e13}) {
    auto system = fakes::Fake(
        2,
        [](VectorXd& q, VectorXd& v, double h) {
          v += 0.5 * h * fakes::ring_force(q);
          q += h * v;
          v += 0.5 * h * fakes::ring_force(q);
        },
        [zero](const VectorXd& q, const VectorXd& v) { return zero + fakes::ring_energy(q, v); });
    const auto c = certify(system, task(method::Verlet{}, q2, v2, 0.1, 1000));
    EXPECT_TRUE(c.momentum[0].claimed) << zero;
    EXPECT_TRUE(c.broken.empty()) << zero;
    EXPECT_EQ(c.verdict, zero < 1e13 ? Verdict::kept : Verdict::unresolved) << zero;  // there the energy is hidden
    if (zero == 0) bound = c.momentum[0].bound;
    EXPECT_LT(c.momentum[0].bound, 3 * bound) << zero;
  }
}
