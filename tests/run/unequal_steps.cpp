#include <run/json.hpp>
#include <run/runs.hpp>

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

using namespace runs;

// Runs whose steps differ: where they are, what they claim, and with which step it is measured.
namespace {

run::Schedule schedule(std::initializer_list<double> sizes, long steps, long every = 1) {
  run::Schedule s{0, {}, steps, every};
  for (const double h : sizes) EXPECT_TRUE(s.step.append(h));
  return s;
}

}  // namespace

TEST(UnequalSteps, lead_where_the_flow_is_at_the_sums_of_their_sizes) {
  for (const long every : {1L, 2L, 7L, 1000L}) {
    auto system = fakes::rotation(2);
    Recorder r;
    const auto c = certify(system, task(method::Verlet{}, q2, v2, schedule({0.1, 0.1, 0.25, 0.05}, 403, every)), &r);
    EXPECT_EQ(c.verdict, Verdict::kept);
    ASSERT_EQ(r.steps.size(), static_cast<std::size_t>((403 + every - 1) / every + 1));
    for (std::size_t k = 0; k < r.steps.size(); ++k) {
      const long step = r.steps[k];
      const double within[] = {0, 0.1, 0.2, 0.45}, t = 0.5 * static_cast<double>(step / 4) + within[step % 4];
      EXPECT_NEAR(r.times[k], t, 1e-13);
      EXPECT_NEAR(r.first[k], 1.2 * std::cos(t), 1e-12) << step;
    }
    EXPECT_EQ(r.steps.back(), 403);
    EXPECT_NEAR(c.last.t, 50.45, 1e-13);
  }
}

TEST(UnequalSteps, leave_what_a_canonical_method_keeps_and_take_an_own_form) {
  const auto run = [](method::AnyMethod choice, run::Schedule s) {
    auto system = fakes::verlet();
    return certify(system, task(std::move(choice), q2, v2, std::move(s)));
  };
  const auto verlet = run(method::Verlet{}, schedule({0.02, 0.03}, 500));
  EXPECT_EQ(verlet.verdict, Verdict::kept);
  EXPECT_TRUE(verlet.claims.keeps == method::Keeps::canonical && verlet.momentum[0].claimed);
  EXPECT_FALSE(verlet.claims.energy || verlet.claims.conjugate_form_lost);
  EXPECT_LT(verlet.symplecticity.canonical.value, 1e-9);

  const auto newmark = run(method::Newmark{}, schedule({0.02, 0.03}, 500));
  EXPECT_TRUE(newmark.claims.keeps == method::Keeps::nothing && newmark.claims.conjugate_form_lost);
  EXPECT_FALSE(newmark.momentum[0].claimed);
  EXPECT_NE(text(newmark).find("it conserves none"), std::string::npos);
  const auto equal = run(method::Newmark{}, schedule({0.02, 0.02}, 500));
  EXPECT_TRUE(equal.claims.keeps == method::Keeps::conjugate_form && equal.claims.energy && !equal.claims.conjugate_form_lost);
}

// Steps in tune with the motion pump it: in (q, p) each is symplectic, and the energy is gone all the same. None is claimed.
TEST(UnequalSteps, of_a_symplectic_method_do_not_claim_the_energy) {
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
  run::Schedule s;
  double t = 0;
  for (s.steps = 0; s.steps < 20000; ++s.steps) {
    const double h = 0.4 * (1 + 0.9 * std::sin(2 * t));
    EXPECT_TRUE(s.step.append(h));
    t += h;
  }
  auto system = verlet();
  const auto c = certify(system, task(method::Verlet{}, q2, v2, s));
  EXPECT_GT(c.energy.max_error, 10 * c.energy.initial);
  // That nobody claims it does not make it right: no force has put this energy in.
  EXPECT_TRUE(invariant::energy_gained(c));
  ASSERT_EQ(c.broken.size(), 1u);
  EXPECT_EQ(c.verdict, Verdict::failed);
  EXPECT_NE(text(c).find("the steps differ in size: the method does not claim that it stays near its start"), std::string::npos);
}

// The defect of explicit Euler is h^2, and the states are at steps of 0.1 but for the last, of 0.3.
TEST(UnequalSteps, defects_are_those_of_the_step_each_state_takes) {
  run::Schedule s = schedule({0.1}, 8);
  EXPECT_TRUE(s.step.append(0.1, 6) && s.step.append(0.3));
  auto system = fakes::euler(2);
  const auto c = certify(system, task(method::RungeKutta4{}, q2, v2, s));
  EXPECT_NEAR(c.symplecticity.canonical.value, 0.09, 1e-7);
  s.steps = 7;
  EXPECT_NEAR(certify(system, task(method::RungeKutta4{}, q2, v2, s)).symplecticity.canonical.value, 0.01, 1e-8);
}

TEST(UnequalSteps, that_fail_are_found_with_their_time) {
  for (const long every : {1L, 5L, 100L}) {
    auto system = fakes::rotation(2);
    system.fails_at = 17;
    Recorder r;
    const auto c = certify(system, task(method::Midpoint{}, q2, v2, schedule({0.1, 0.3, 0.2}, 100, every)), &r);
    ASSERT_TRUE(c.failure.has_value());
    EXPECT_EQ(c.failure->step, 17);
    EXPECT_NEAR(c.failure->t, 5 * 0.6 + 0.4, 1e-13);
    EXPECT_NEAR(r.first.back(), 1.2 * std::cos(3.4), 1e-13);

    auto grows = fakes::Fake(
        2, [](VectorXd& q, VectorXd&, double h) { q *= std::exp2(100 * h); },
        [](const VectorXd&, const VectorXd&) { return 1.0; });
    Recorder seen;  // 2^(100 t) overflows beyond t = 10.24
    const auto d = certify(
        grows, task(method::RungeKutta4{}, VectorXd{{1, 0}}, VectorXd{{0, 0}}, schedule({0.1, 0.3, 0.2}, 100, every)), &seen);
    ASSERT_TRUE(d.failure.has_value());
    EXPECT_EQ(d.failure->step, 51);  // t = 17 x 0.6 = 10.2
    EXPECT_NEAR(d.failure->t, 10.2, 1e-13);
    EXPECT_EQ(seen.steps.back(), 51);
  }
}

TEST(UnequalSteps, reach_the_certificate_as_a_range) {
  struct Factoring : fakes::Fake {
    Factoring() : fakes::Fake(fakes::rotation(2)) {}
    method::BatchReport advance(long steps, double h, const method::BatchOptions& how) override {
      auto report = fakes::Fake::advance(steps, h, how);
      report.factorisations = h == last ? 0 : 1;
      last = h;
      return report;
    }
    double last = 0;
  } system;
  system.iterations_a_step = 1;
  const auto c = certify(system, task(method::Midpoint{}, q2, v2, schedule({0.01, 0.03, 0.02}, 30)));
  EXPECT_EQ(c.solver.factorisations, 30);
  EXPECT_EQ(c.solver.iterations, 30);
  const std::string words = text(c);
  EXPECT_NE(words.find("30 of 30 steps of 0.01 to 0.03, 3 different"), std::string::npos) << words;
  EXPECT_NE(words.find("1.00 iterations a step, 30 factorisations, worst residual"), std::string::npos) << words;
  const auto j = test::Json::parse(json(c));
  EXPECT_TRUE(j["step"].is_null());
  EXPECT_EQ(j["smallest_step"].number(), 0.01);
  EXPECT_EQ(j["largest_step"].number(), 0.03);
  EXPECT_EQ(j["different_steps"].number(), 3);
  EXPECT_EQ(j["solver"]["factorisations"].number(), 30);
  const auto one = certify(system, task(method::Midpoint{}, q2, v2, 0.01, 30));
  EXPECT_EQ(test::Json::parse(json(one))["step"].number(), 0.01);
  EXPECT_EQ(one.solver.factorisations, 1);
}
