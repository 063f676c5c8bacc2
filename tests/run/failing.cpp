#include <run/runs.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <actio/core/error.hpp>

using namespace runs;

TEST(FailingRun, a_step_that_is_not_solved_ends_the_run_with_everything_before_it_observed) {
  for (long every : {1L, 10L, 100L}) {
    auto system = fakes::rotation(2);
    system.fails_at = 17;
    Recorder r;
    const auto c = certify(system, task(method::Midpoint{}, q2, v2, 0.1, 100, every), &r);
    EXPECT_EQ(c.verdict, Verdict::failed);
    ASSERT_TRUE(c.failure.has_value());
    EXPECT_EQ(c.failure->step, 17);
    EXPECT_NEAR(c.failure->t, 1.7, 1e-12);
    EXPECT_NE(c.failure->message.find("did not converge"), std::string::npos);
    EXPECT_NE(c.failure->message.find("2.50e-01"), std::string::npos);
    EXPECT_NE(c.failure->hint.find("halve run.step"), std::string::npos);
    EXPECT_EQ(r.steps.back(), 17);
    EXPECT_NEAR(r.first.back(), 1.2 * std::cos(1.7), 1e-13);
    EXPECT_EQ(c.steps, 17);
    EXPECT_NEAR(c.last.q[0], 1.2 * std::cos(1.7), 1e-13);
  }
}

// A map that overflows at a known step, the same when it is replayed.
TEST(FailingRun, finds_the_step_after_which_the_state_is_not_finite) {
  const auto squaring = fakes::Fake(
      2,
      [](VectorXd& q, VectorXd& v, double) {
        q = q.array().square();
        v.setZero();
      },
      [](const VectorXd& q, const VectorXd&) { return std::log(q[0]); });
  // 2^(2^k) overflows at k = 10: nine squarings of 2 are finite, the tenth is not.
  for (long every : {1L, 4L, 64L, 1000L}) {
    auto system = squaring;
    Recorder r;
    const auto c = certify(system, task(method::RungeKutta4{}, VectorXd{{2, 1}}, VectorXd{{0, 0}}, 0.5, 2000, every), &r);
    ASSERT_TRUE(c.failure.has_value()) << every;
    EXPECT_EQ(c.failure->step, 9) << every;
    EXPECT_DOUBLE_EQ(c.failure->t, 4.5);
    EXPECT_NE(c.failure->message.find("not finite"), std::string::npos);
    EXPECT_EQ(r.steps.back(), 9);
    EXPECT_EQ(r.first.back(), std::ldexp(1.0, 512));
    EXPECT_EQ(c.last.q[0], std::ldexp(1.0, 512));
  }
}

TEST(FailingRun, an_energy_that_is_not_finite_ends_the_run) {
  auto system = fakes::Fake(
      2, [](VectorXd& q, VectorXd&, double) { q[0] -= 0.3; }, [](const VectorXd& q, const VectorXd&) { return std::log(q[0]); });
  const auto c = certify(system, task(method::RungeKutta4{}, VectorXd{{1, 0}}, VectorXd{{0, 0}}, 1, 10));
  ASSERT_TRUE(c.failure.has_value());
  EXPECT_EQ(c.failure->step, 3);  // 1, 0.7, 0.4, 0.1 have a logarithm
  EXPECT_NEAR(c.last.q[0], 0.1, 1e-15);
  EXPECT_NE(c.failure->message.find("energy"), std::string::npos);
}

TEST(FailingRun, a_declared_bound_ends_the_run_where_it_is_left) {
  constexpr double h = 0.1;
  auto t = task(method::RungeKutta4{}, q2, v2, h, 1000);
  t.bounds.energy = 0.1;
  auto system = fakes::euler(2);
  const auto c = certify(system, t);
  // E0 ((1 + h^2)^k - 1) > 0.1 first at this k.
  const double k = std::ceil(std::log1p(0.1 / c.energy.initial) / std::log1p(h * h));
  ASSERT_TRUE(c.failure.has_value());
  EXPECT_EQ(c.failure->step, static_cast<long>(k));
  EXPECT_NE(c.failure->message.find("declared bound"), std::string::npos);

  t.bounds = {};
  t.bounds.momentum = 0.01;
  EXPECT_TRUE(certify(system, t).failure.has_value());
  t.bounds = {};
  t.bounds.residual = 1e-10;
  system.residual = 1e-9;
  ASSERT_TRUE(certify(system, t).failure.has_value());
  system.residual = 1e-11;
  EXPECT_FALSE(certify(system, t).failure.has_value());
}

TEST(FailingRun, an_observer_that_cannot_write_ends_the_run) {
  struct Full : run::Observer {
    void observe(const run::Observation& now) override {
      if (now.step == 5) throw core::RunError(5, now.state.t, "cannot write", "free some space");
    }
  } full;
  auto system = fakes::rotation(2);
  const auto c = certify(system, task(method::Verlet{}, q2, v2, 0.1, 100), &full);
  ASSERT_TRUE(c.failure.has_value());
  EXPECT_EQ(c.failure->step, 5);
}

TEST(FailingRun, an_initial_state_without_an_energy_fails_at_step_zero) {
  auto system = fakes::rotation(2);
  const auto c = certify(system, task(method::Verlet{}, VectorXd{{std::nan(""), 0}}, v2, 0.1, 100));
  ASSERT_TRUE(c.failure.has_value());
  EXPECT_EQ(c.failure->step, 0);
  EXPECT_EQ(c.steps, 0);
}

// A velocity that cannot be told from a momentum that is not finite ends the run where it happened.
TEST(FailingRun, state_of_which_no_velocity_can_be_told_ends_the_run_at_its_step) {
  struct Blind : fakes::Fake {
    Blind() : fakes::Fake(fakes::rotation(2)) {}
    void snapshot(method::Snapshot& out) const override {
      if (taken >= 1234) throw core::InputError("no acceleration at this state", "halve the step");
      fakes::Fake::snapshot(out);
    }
    std::unique_ptr<method::Integrator> clone() const override {
      auto copy = std::make_unique<Blind>(*this);
      copy->taken = std::lround(time() / 0.01);
      return copy;
    }
    double time() const {
      method::Snapshot s;
      fakes::Fake::snapshot(s);
      return s.t;
    }
    void start(double t, const VectorXd& q, const VectorXd& v) override {
      fakes::Fake::start(t, q, v);
      taken = std::lround(t / 0.01);
    }
  } system;
  Recorder seen;
  const auto c = certify(system, task(method::Verlet{}, q2, v2, 0.01, 5000, 100), &seen);
  EXPECT_EQ(c.verdict, Verdict::failed);
  ASSERT_TRUE(c.failure.has_value());
  EXPECT_EQ(c.failure->step, 1233);
  EXPECT_NE(c.failure->message.find("no acceleration at this state"), std::string::npos);
  EXPECT_EQ(c.failure->text().find("error: error"), std::string::npos);
  EXPECT_EQ(seen.steps.back(), 1233);
  EXPECT_NEAR(c.last.q[0], 1.2 * std::cos(12.33), 1e-11);
}
