#include <run/runs.hpp>

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

using namespace runs;

TEST(Integrate, certifies_a_run_that_keeps_everything) {
  auto system = fakes::rotation(2);
  const auto c = certify(system, task(method::Verlet{}, q2, v2, 0.1, 1000));
  EXPECT_EQ(c.verdict, Verdict::kept);
  EXPECT_EQ(c.steps, 1000);
  EXPECT_DOUBLE_EQ(c.last.t, 100);
  EXPECT_NEAR(c.last.q[0], 1.2 * std::cos(100), 1e-11);
  EXPECT_NEAR(c.energy.initial, 0.5 * (1.44 + 0.04), 1e-15);
  EXPECT_LT(c.energy.max_error, 1e-12);
  ASSERT_EQ(c.momentum.size(), 1u);
  EXPECT_TRUE(c.momentum[0].claimed);
  EXPECT_NEAR(c.momentum[0].initial, 0.24, 1e-15);
  EXPECT_LT(c.momentum[0].max_error, 1e-12);
  EXPECT_LT(c.symplecticity.canonical.value, 1e-10);
  EXPECT_LT(c.reversibility, 1e-13);
  EXPECT_FALSE(c.failure.has_value());
}

TEST(Integrate, a_method_that_claims_to_be_symplectic_and_is_not_fails) {
  auto system = fakes::euler(2);
  const auto c = certify(system, task(method::Verlet{}, q2, v2, 0.1, 20));
  EXPECT_EQ(c.verdict, Verdict::failed);
  EXPECT_NEAR(c.symplecticity.canonical.value, 0.01, 1e-8);
  EXPECT_GE(c.broken.size(), 2u);  // symplectic, reversible
}

TEST(Integrate, observes_the_start_every_so_many_steps_and_the_last_one) {
  auto system = fakes::rotation(2);
  Recorder r;
  const auto c = certify(system, task(method::Verlet{}, q2, v2, 0.1, 25, 10), &r);
  EXPECT_EQ(r.steps, (std::vector<long>{0, 10, 20, 25}));
  EXPECT_EQ(c.observations, 4);
  EXPECT_DOUBLE_EQ(r.times[1], 1.0);
  EXPECT_NEAR(r.first[2], 1.2 * std::cos(2.0), 1e-13);
}

TEST(Integrate, stops_when_it_is_told_to_and_says_so) {
  std::atomic<bool> stop = false;
  struct Stopper : run::Observer {
    std::atomic<bool>* flag = nullptr;
    void observe(const run::Observation& now) override {
      if (now.step == 30) *flag = true;
    }
  } stopper;
  stopper.flag = &stop;
  auto system = fakes::rotation(2);
  invariant::MomentumMap momentum(fakes::plane(), interpreted);
  run::Options options;
  options.observers.push_back(&stopper);
  options.stop = &stop;
  const auto c = run::integrate(system, momentum, task(method::Verlet{}, q2, v2, 0.1, 1000, 10), options);
  EXPECT_EQ(c.verdict, Verdict::stopped);
  EXPECT_EQ(c.steps, 30);
  EXPECT_LT(c.symplecticity.canonical.value, 1e-10);
}

TEST(Integrate, zero_steps_are_a_run) {
  auto system = fakes::rotation(2);
  const auto c = certify(system, task(method::Verlet{}, q2, v2, 0.1, 0));
  EXPECT_EQ(c.verdict, Verdict::kept);
  EXPECT_EQ(c.last.q, q2);
}

TEST(Integrate, batches_stay_short_when_observations_are_far_apart) {
  auto system = fakes::rotation(2);
  const auto c = certify(system, task(method::Verlet{}, q2, v2, 1e-3, 1000000, 1000000));
  EXPECT_EQ(c.verdict, Verdict::kept);
  EXPECT_LE(system.longest_batch, 2000);
}

TEST(Integrate, a_residual_and_iterations_reach_the_certificate) {
  auto system = fakes::rotation(2);
  system.residual = 3e-14;
  system.iterations_a_step = 2;
  const auto c = certify(system, task(method::Midpoint{}, q2, v2, 0.1, 100));
  EXPECT_EQ(c.solver.iterations, 200);
  EXPECT_EQ(c.solver.worst_residual, 3e-14);
}

TEST(Integrate, an_adaptive_method_is_not_asked_for_the_laws_of_a_step) {
  auto system = fakes::rotation(2);
  const auto c = certify(system, task(method::CvodeAdams{}, q2, v2, 0.1, 100));
  EXPECT_EQ(c.verdict, Verdict::no_claims);
  EXPECT_TRUE(std::isnan(c.symplecticity.canonical.value));
  EXPECT_TRUE(std::isnan(c.reversibility));
}
