#include <gtest/gtest.h>

#include <actio/core/error.hpp>
#include <actio/method/composition.hpp>
#include <actio/method/splitting.hpp>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <numeric>

// Orders of the coefficients on Kepler's problem with 50 digits, where the asymptotic range of order 8 can be seen.
namespace actio::method {
namespace {

using Real = boost::multiprecision::cpp_bin_float_50;
struct State {
  std::array<Real, 2> q{Real("0.8"), 0}, p{0, Real("1.2")};
};

void kick(State& z, const Real& h) {
  const Real r2 = z.q[0] * z.q[0] + z.q[1] * z.q[1], r3 = r2 * sqrt(r2);
  for (int i = 0; i < 2; ++i) z.p[i] -= h * z.q[i] / r3;
}
void drift(State& z, const Real& h) {
  for (int i = 0; i < 2; ++i) z.q[i] += h * z.p[i];
}

template <class Step>
State run(Step&& step, int steps) {
  State z;
  for (int k = 0; k < steps; ++k) step(z, Real(1) / 4 / steps);
  return z;
}

double distance(const State& a, const State& b) {
  Real sum = 0;
  for (int i = 0; i < 2; ++i) sum += abs(a.q[i] - b.q[i]) + abs(a.p[i] - b.p[i]);
  return sum.convert_to<double>();
}

auto composed(const Composition& c) {
  return [gamma = composition_coefficients(c)](State& z, const Real& h) {
    for (const double g : gamma) {
      kick(z, g * h / 2);
      drift(z, g * h);
      kick(z, g * h / 2);
    }
  };
}

const State& truth() {
  static const State z = run(composed({8, "kahan-li"}), 256);
  return z;
}

// Under halving, until the error reaches 5e-15: coefficients are doubles.
template <class Step>
double observed_order(Step&& step) {
  double order = 0, last = distance(run(step, 1), truth());
  for (int steps = 2; steps <= 64; steps *= 2) {
    const double error = distance(run(step, steps), truth());
    if (error < 5e-15) break;
    order = std::log2(last / error);
    last = error;
  }
  return order;
}

class CompositionOrder : public testing::TestWithParam<std::tuple<int, const char*>> {};

TEST_P(CompositionOrder, is_the_stated_one) {
  const auto [order, scheme] = GetParam();
  EXPECT_NEAR(observed_order(composed({order, scheme})), order, 0.2);
}

TEST_P(CompositionOrder, comes_from_a_symmetric_sequence_that_sums_to_one) {
  const auto [order, scheme] = GetParam();
  const auto gamma = composition_coefficients({order, scheme});
  double sum = 0;
  for (std::size_t k = 0; k < gamma.size(); ++k) {
    EXPECT_EQ(gamma[k], gamma[gamma.size() - 1 - k]);
    sum += gamma[k];
  }
  EXPECT_NEAR(sum, 1, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(every, CompositionOrder,
                         testing::Combine(testing::Values(4, 6, 8), testing::Values("yoshida", "suzuki", "kahan-li")));

// After one period, 2 pi a^(3/2) with 1/a = 2/|q| - |p|^2, the orbit is where it began.
TEST(Composition, of_sofroniou_and_spaletta_has_order_ten) {
  const auto step = composed({10, "sofroniou-spaletta"});
  const Real a = 1 / Real("1.06"), period = 2 * boost::math::constants::pi<Real>() * a * sqrt(a);
  const auto missed = [&](int steps) {
    State z;
    for (int k = 0; k < steps; ++k) step(z, period / steps);
    return distance(z, State());
  };
  EXPECT_NEAR(std::log2(missed(20) / missed(40)), 10, 0.2);
  EXPECT_LT(missed(40), 1e-12);
  const auto gamma = composition_coefficients({10, "sofroniou-spaletta"});
  EXPECT_EQ(gamma.size(), 35U);
  EXPECT_NEAR(std::accumulate(gamma.begin(), gamma.end(), 0.0), 1, 1e-14);
  for (std::size_t k = 0; k < gamma.size(); ++k) EXPECT_EQ(gamma[k], gamma[gamma.size() - 1 - k]);
  EXPECT_THROW((void)composition_coefficients({10, "kahan-li"}), core::InputError);
  EXPECT_THROW((void)composition_coefficients({8, "sofroniou-spaletta"}), core::InputError);
}

class SplittingOrder : public testing::TestWithParam<int> {};

TEST_P(SplittingOrder, is_the_stated_one) {
  const auto c = mclachlan_atela(GetParam());
  const auto step = [&](State& z, const Real& h) {
    for (int i = 0; i < c.stages; ++i) {
      kick(z, c.kick[i] * h);
      drift(z, c.drift[i] * h);
    }
  };
  EXPECT_NEAR(observed_order(step), GetParam(), 0.2);
}

INSTANTIATE_TEST_SUITE_P(every, SplittingOrder, testing::Values(2, 3, 4, 5));

}  // namespace
}  // namespace actio::method
