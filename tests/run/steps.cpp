#include <actio/run/steps.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <actio/run/schedule.hpp>

using actio::run::Schedule;
using actio::run::Steps;

namespace {

Steps cycle(std::initializer_list<double> sizes) {
  Steps steps;
  for (const double h : sizes) EXPECT_TRUE(steps.append(h));
  return steps;
}

}  // namespace

TEST(Steps, of_one_size_are_a_product_to_the_bit) {
  const Steps steps = 0.1;
  EXPECT_TRUE(steps.equal());
  EXPECT_EQ(steps[123456789], 0.1);
  for (const long k : {0L, 1L, 3L, 1000003L}) EXPECT_EQ(steps.time(0.7, k), 0.7 + 0.1 * static_cast<double>(k));
  EXPECT_EQ(steps.change_after(5), std::numeric_limits<long>::max());
  EXPECT_EQ(steps.different(), 1);
}

TEST(Steps, of_a_list_go_round) {
  const Steps steps = cycle({0.1, 0.1, 0.3, 0.2});
  EXPECT_FALSE(steps.equal());
  EXPECT_EQ(steps.cycle(), 4);
  const double expected[] = {0.1, 0.1, 0.3, 0.2};
  const long change[] = {2, 2, 3, 4};
  for (long k = 0; k < 40; ++k) {
    EXPECT_EQ(steps[k], expected[k % 4]) << k;
    EXPECT_EQ(steps.change_after(k), k - k % 4 + change[k % 4]) << k;
  }
  EXPECT_EQ(steps.smallest(), 0.1);
  EXPECT_EQ(steps.largest(), 0.3);
  EXPECT_EQ(steps.different(), 3);
  EXPECT_TRUE(cycle({0.1, 0.1}).equal());
  EXPECT_FALSE(cycle({0.1, 0.2, 0.1}).equal());
}

// Against a product of 64 bits a cycle.
TEST(Steps, times_are_right_to_the_last_place_after_millions_of_steps) {
  const Steps steps = cycle({0.1, 0.1, 0.3, 0.7e-3, 1e-9});
  long double period = 0;
  for (long k = 0; k < 5; ++k) period += static_cast<long double>(steps[k]);
  const double start = 1.0 / 3;
  for (long k = 0; k < 3'000'000'000; k += 99'991'003) {
    long double t = static_cast<long double>(k / 5) * period + static_cast<long double>(start);
    for (long j = 0; j < k % 5; ++j) t += static_cast<long double>(steps[j]);
    const double expected = static_cast<double>(t);
    EXPECT_LE(std::abs(steps.time(start, k) - expected), std::nextafter(expected, 1e300) - expected) << k;
  }
}

TEST(Steps, may_be_cut_short) {
  Steps steps = cycle({0.1, 0.1, 0.3, 0.2});
  steps.truncate(3);
  EXPECT_EQ(steps, cycle({0.1, 0.1, 0.3}));
  EXPECT_EQ(steps.time(0, 3), 0.1 + 0.1 + 0.3);
  EXPECT_EQ(steps[3], 0.1);
  steps.truncate(2);
  EXPECT_EQ(steps, Steps(0.1));
}

TEST(Steps, of_the_last_state_are_those_that_led_there) {
  const Schedule schedule{0, cycle({0.1, 0.2, 0.3}), 2, 1};
  EXPECT_EQ(schedule.step_at(0), 0.1);
  EXPECT_EQ(schedule.step_at(1), 0.2);
  EXPECT_EQ(schedule.step_at(2), 0.2);
}
