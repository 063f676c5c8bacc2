#include <actio/run/integrate.hpp>

#include <atomic>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <run/fakes.hpp>

#include <actio/core/error.hpp>

using namespace actio;
using Eigen::VectorXd;
using Verdict = invariant::Certificate::Verdict;

namespace {

const expr::CompileOptions interpreted{"none", {}};

method::Spec spec(method::Choice choice) { return {std::move(choice), false, {}}; }

run::Task task(method::Choice choice, VectorXd q, VectorXd v, double h, long steps, long every = 1) {
  run::Task t;
  t.method = spec(std::move(choice));
  t.q0 = std::move(q);
  t.v0 = std::move(v);
  t.schedule = {0, h, steps, every};
  return t;
}

struct Recorder : run::Observer {
  std::vector<long> steps;
  std::vector<double> times, energies, first;
  void observe(const run::Observation& now) override {
    steps.push_back(now.step);
    times.push_back(now.state.t);
    energies.push_back(now.energy);
    first.push_back(now.state.q[0]);
  }
};

invariant::Certificate certify(fakes::Fake& system, const run::Task& t, run::Observer* observer = nullptr,
                               const system::Model& model = fakes::plane()) {
  invariant::MomentumMap momentum(model, interpreted);
  run::Options options;
  if (observer != nullptr) options.observers.push_back(observer);
  return run::integrate(system, momentum, t, options);
}

const VectorXd q2{{1.2, 0}}, v2{{0, 0.2}};

}  // namespace

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

TEST(Integrate, a_momentum_the_method_claims_ends_the_run_when_it_is_lost) {
  auto system = fakes::euler(2);  // J grows by 1 + h^2 a step
  const auto c = certify(system, task(method::Midpoint{}, q2, v2, 0.01, 1000));
  EXPECT_EQ(c.verdict, Verdict::failed);
  ASSERT_TRUE(c.failure.has_value());
  EXPECT_EQ(c.failure->step, 1);
  EXPECT_NE(c.failure->message.find("angular momentum"), std::string::npos);
}

TEST(Integrate, measures_the_energy_that_explicit_euler_gains) {
  constexpr double h = 1e-3;
  auto system = fakes::euler(2);
  const auto c = certify(system, task(method::RungeKutta4{}, q2, v2, h, 2000));
  EXPECT_EQ(c.verdict, Verdict::unclaimed);
  const double gain = c.energy.initial * (std::pow(1 + h * h, 2000) - 1);
  EXPECT_NEAR(c.energy.max_error, gain, 1e-9 * gain);
  EXPECT_DOUBLE_EQ(c.energy.max_error_time, 2.0);
  EXPECT_GT(c.energy.drift_per_step, c.energy.drift_confidence);
  EXPECT_NEAR(c.energy.drift_per_step, gain / 2000, 1e-2 * gain / 2000);
  EXPECT_FALSE(c.momentum[0].claimed);
  EXPECT_GT(c.momentum[0].max_error, 1e-6);
}

// Energy that falls in the first tenth of the run and stays: a line through the whole run says little.
TEST(Integrate, energy_that_went_early_is_lost_and_energy_that_oscillates_is_not) {
  const auto falling = [](double amplitude) {
    return fakes::Fake(
        2, [](VectorXd& q, VectorXd&, double h) { q[0] += h; },
        [amplitude](const VectorXd& q, const VectorXd&) { return std::exp(-q[0]) + amplitude * std::sin(q[0]); });
  };
  auto fell = falling(0);
  const auto c = certify(fell, task(method::RungeKutta4{}, VectorXd{{0, 0}}, VectorXd{{0, 0}}, 0.1, 1000));
  EXPECT_NEAR(c.energy.lost, std::exp(-75.0) - 1, 1e-12);
  auto swings = falling(10);
  const auto d = certify(swings, task(method::RungeKutta4{}, VectorXd{{0, 0}}, VectorXd{{0, 0}}, 0.1, 1000));
  EXPECT_EQ(d.energy.lost, 0);
}

TEST(Integrate, drift_is_per_step_whatever_the_observations_are_apart) {
  constexpr double h = 1e-3;
  auto system = fakes::euler(2);
  const double dense = certify(system, task(method::RungeKutta4{}, q2, v2, h, 2003)).energy.drift_per_step;
  const double sparse = certify(system, task(method::RungeKutta4{}, q2, v2, h, 2003, 10)).energy.drift_per_step;
  EXPECT_NEAR(sparse, dense, 1e-2 * dense);
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

TEST(Integrate, a_step_that_is_not_solved_ends_the_run_with_everything_before_it_observed) {
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
    EXPECT_NE(c.failure->message.find("halve run.step"), std::string::npos);
    EXPECT_EQ(r.steps.back(), 17);
    EXPECT_NEAR(r.first.back(), 1.2 * std::cos(1.7), 1e-13);
    EXPECT_EQ(c.steps, 17);
    EXPECT_NEAR(c.last.q[0], 1.2 * std::cos(1.7), 1e-13);
  }
}

// A map that overflows at a known step, the same when it is replayed.
TEST(Integrate, finds_the_step_after_which_the_state_is_not_finite) {
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

TEST(Integrate, an_energy_that_is_not_finite_ends_the_run) {
  auto system = fakes::Fake(
      2, [](VectorXd& q, VectorXd&, double) { q[0] -= 0.3; }, [](const VectorXd& q, const VectorXd&) { return std::log(q[0]); });
  const auto c = certify(system, task(method::RungeKutta4{}, VectorXd{{1, 0}}, VectorXd{{0, 0}}, 1, 10));
  ASSERT_TRUE(c.failure.has_value());
  EXPECT_EQ(c.failure->step, 3);  // 1, 0.7, 0.4, 0.1 have a logarithm
  EXPECT_NEAR(c.last.q[0], 0.1, 1e-15);
  EXPECT_NE(c.failure->message.find("energy"), std::string::npos);
}

TEST(Integrate, a_declared_bound_ends_the_run_where_it_is_left) {
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

TEST(Integrate, an_observer_that_cannot_write_ends_the_run) {
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

TEST(Integrate, an_initial_state_without_an_energy_fails_at_step_zero) {
  auto system = fakes::rotation(2);
  const auto c = certify(system, task(method::Verlet{}, VectorXd{{std::nan(""), 0}}, v2, 0.1, 100));
  ASSERT_TRUE(c.failure.has_value());
  EXPECT_EQ(c.failure->step, 0);
  EXPECT_EQ(c.steps, 0);
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

TEST(Integrate, a_generator_that_is_no_symmetry_is_reported_and_not_expected_to_hold) {
  auto model = fakes::plane();
  fakes::declare_shift(model);
  auto system = fakes::rotation(2);
  const auto c = certify(system, task(method::Verlet{}, q2, v2, 0.1, 100), nullptr, model);
  EXPECT_EQ(c.verdict, Verdict::kept);
  EXPECT_TRUE(c.momentum[0].symmetry && c.momentum[0].claimed);
  EXPECT_FALSE(c.momentum[1].symmetry || c.momentum[1].claimed);
  EXPECT_GT(c.momentum[1].max_error, 0.1);
}

TEST(Integrate, momentum_of_an_own_form_method_is_judged_in_its_own_coordinates) {
  constexpr double h = 0.2;
  auto system = fakes::verlet();
  system.own = [](VectorXd& x, VectorXd&, double) { x *= 2; };  // J(x, p) = 2 J(q, p)
  const auto c = certify(system, task(method::Newmark{}, q2, v2, h, 50));
  EXPECT_NEAR(c.momentum[0].own_max_error, 2 * c.momentum[0].max_error, 1e-15);
  EXPECT_EQ(c.verdict, Verdict::kept);
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
  EXPECT_EQ(c.verdict, Verdict::unclaimed);
  EXPECT_TRUE(std::isnan(c.symplecticity.canonical.value));
  EXPECT_TRUE(std::isnan(c.reversibility));
}

// Velocities of a chain at rest are round-off, so is what becomes of its energy of 1e-25 J.
TEST(Integrate, energy_of_a_system_at_rest_is_not_lost_to_round_off) {
  auto system = fakes::Fake(
      2,
      [](VectorXd& q, VectorXd& v, double h) {
        q += h * v;
        v[0] += 1e-16;
        v[1] -= 1e-16;
      },
      [](const VectorXd&, const VectorXd& v) { return 0.5 * v.squaredNorm(); });
  auto t = task(method::Verlet{}, VectorXd{{1.0, 1.1}}, VectorXd{{0.0, 0.0}}, 0.01, 1000);
  auto model = fakes::plane();
  model.symmetries.clear();
  const auto c = certify(system, t, nullptr, model);
  ASSERT_GT(c.energy.lost, 0.5 * c.energy.max_error);
  EXPECT_FALSE(invariant::energy_gone(c.energy));
}

// Verlet of V = |q|^2 / 2 beyond h = 2: the energy grows by a factor a step, so its last quarter's least is nothing beside its
// most.
TEST(Integrate, energy_that_grows_exponentially_is_no_bounded_oscillation) {
  const auto verlet = [] {
    return fakes::Fake(
        2,
        [](VectorXd& q, VectorXd& v, double h) {
          v -= 0.5 * h * q;
          q += h * v;
          v -= 0.5 * h * q;
        },
        fakes::oscillator_energy);
  };
  auto unstable = verlet();
  const auto c = certify(unstable, task(method::Verlet{}, q2, v2, 2.01, 1000));
  EXPECT_EQ(c.verdict, Verdict::failed);
  ASSERT_EQ(c.broken.size(), 1u);
  EXPECT_NE(c.broken[0].find("energy"), std::string::npos);
  auto stable = verlet();
  EXPECT_EQ(certify(stable, task(method::Verlet{}, q2, v2, 1.99, 1000)).verdict, Verdict::kept);
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

TEST(Integrate, momentum_lost_where_the_generator_is_no_symmetry_is_not_the_fault_of_the_method) {
  for (long every : {1, 500}) {
    auto system = bumpy(1e-3);
    const auto c = certify(system, task(method::Verlet{}, VectorXd{{1.0, 0.0}}, VectorXd{{0.0, 0.001}}, 0.01, 2000, every));
    EXPECT_EQ(c.verdict, Verdict::kept) << every;
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
TEST(Integrate, momentum_lost_where_the_generator_is_a_symmetry_is_the_fault_of_the_method) {
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
TEST(Integrate, momentum_of_a_symmetry_that_is_a_little_off_may_change_as_fast) {
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

// A velocity that cannot be told from a momentum that is not finite ends the run where it happened.
TEST(Integrate, state_of_which_no_velocity_can_be_told_ends_the_run_at_its_step) {
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
  EXPECT_EQ(c.failure->message.find("error: error"), std::string::npos);
  EXPECT_EQ(seen.steps.back(), 1233);
  EXPECT_NEAR(c.last.q[0], 1.2 * std::cos(12.33), 1e-11);
}

// What a momentum may lose to round-off comes from what momenta do, not from where the energy is zero.
TEST(Integrate, allowance_of_a_momentum_does_not_depend_on_the_zero_of_energy) {
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
    EXPECT_EQ(c.verdict, Verdict::kept) << zero;
    if (zero == 0) bound = c.momentum[0].bound;
    EXPECT_LT(c.momentum[0].bound, 3 * bound) << zero;
  }
}
