#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/session/session.hpp>
#include <atomic>
#include <cmath>
#include <common.hpp>
#include <functional>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "../../src/method/around.hpp"

// Steps that follow the motion: the reversible controller, the logarithmic Hamiltonian, Poincare's transformation, and steps that
// keep a discrete energy.
namespace actio::method {
namespace {

using Eigen::VectorXd;
constexpr double pi = std::numbers::pi;

// An orbit of half axis 1 from its pericentre.
std::string kepler(double e, const std::string& method, const std::string& run) {
  return fmt::format(R"toml(
[system]
coordinates = ["x", "y"]
mass = 1
potential = "-1/sqrt(x^2 + y^2)"
[initial]
position = [{}, 0]
velocity = [0, {}]
[method]
{}
[run]
{}
)toml",
                     1 - e, std::sqrt((1 + e) / (1 - e)), method, run);
}

// As a run has it: with the reference set at the start.
struct Opened {
  std::atomic<bool> stop = false;
  session::OneProcess execution{stop};
  session::Session s;
  explicit Opened(const std::string& text)
      : s(session::open(io::load_text(text, "following.toml"), session::choices("auto", "automatic"), execution)) {
    s.integrator->start(s.task.schedule.start, s.task.q0, s.task.v0);
    s.integrator->set_reference();
  }
  Integrator& steps() { return *s.integrator; }
  double h() const { return s.task.schedule.step[0]; }
  invariant::Certificate run(invariant::Level level = invariant::Level::full) {
    run::Options options;
    options.level = level;
    return run::integrate(*s.integrator, s.momentum, s.task, options);
  }
};

struct Errors {
  long steps = 0;
  double first = 0, last = 0;  // the largest of E of the first and of the last orbit
};
Errors energy_over(Integrator& steps, double h, long orbits, const std::function<double(const Snapshot&)>& step = {}) {
  const double E0 = steps.energy();
  Errors out;
  Snapshot s;
  steps.snapshot(s);
  while (s.t < 2 * pi * static_cast<double>(orbits)) {
    EXPECT_TRUE(steps.advance(1, step ? step(s) : h).ok);
    steps.snapshot(s);
    ++out.steps;
    const double off = std::abs(steps.energy() - E0);
    if (s.t < 2 * pi) out.first = std::max(out.first, off);
    if (s.t > 2 * pi * static_cast<double>(orbits - 1)) out.last = std::max(out.last, off);
  }
  return out;
}

constexpr const char* by_distance = "step = { reversible = \"(x^2 + y^2)^0.75\", eps = 0.05 }\nend = 628.3";

TEST(ReversibleSteps, do_not_drift_in_a_hundred_orbits_of_high_eccentricity) {
  Opened of(kepler(0.99, "name = \"verlet\"", by_distance));
  EXPECT_NEAR(of.h(), 0.05 * std::pow(0.01, 1.5), 1e-15);
  const Errors errors = energy_over(of.steps(), of.h(), 100);
  EXPECT_NEAR(static_cast<double>(errors.steps), 26400, 100);  // 264 an orbit
  EXPECT_NEAR(errors.first, 0.0556, 1e-4);
  EXPECT_NEAR(errors.last, 0.0556, 1e-4);
}

TEST(ReversibleSteps, are_better_than_steps_chosen_from_the_state) {
  const io::Problem problem = io::load_text(kepler(0.99, "name = \"verlet\"", "step = 1\nend = 2"), "naive.toml");
  const auto verlet = make_integrator(problem.model, problem.method);
  verlet->start(0, problem.q0, problem.v0);
  const Errors errors = energy_over(*verlet, 0, 100, [](const Snapshot& s) { return 0.05 * std::pow(s.q.norm(), 1.5); });
  EXPECT_GT(errors.last, 0.3);
  EXPECT_GT(errors.last, 4 * errors.first);
}

// The errors at one time, by what is left when eps is halved.
TEST(ReversibleSteps, have_the_order_of_their_method) {
  const auto at = [](const std::string& method, double eps) {
    Opened of(
        kepler(0.5, method, fmt::format("step = {{ reversible = \"(x^2 + y^2)^0.75\", eps = {} }}\nend = 5\nat = [5]", eps)));
    struct Last : run::Observer {
      Snapshot s;
      void observe(const run::Observation& now) override { s = now.state; }
    } last;
    session::observe(of.s);
    run::Options options;
    options.observers.push_back(&last);
    options.dense = of.s.dense.get();
    options.level = invariant::Level::off;
    const auto c = run::integrate(of.steps(), of.s.momentum, of.s.task, options);
    EXPECT_FALSE(c.failure);
    EXPECT_EQ(last.s.t, 5);
    return last.s.q;
  };
  for (const auto& [method, order] : {std::pair{"name = \"verlet\"", 2},
                                      {"name = \"verlet\"\ncompose = { order = 4, scheme = \"suzuki\" }", 4},
                                      {"name = \"midpoint\"", 2},
                                      {"name = \"gauss\"\nstages = 2", 4}}) {
    const VectorXd one = at(method, 0.08), two = at(method, 0.04), four = at(method, 0.02);
    EXPECT_NEAR(std::log2((one - two).norm() / (two - four).norm()), order, 0.25) << method;
  }
}

TEST(ReversibleSteps, are_undone_by_steps_back) {
  for (const char* sigma : {"reversible = \"(x^2 + y^2)^0.75\"", "reversible = \"energy\"", "reversible = \"force\""})
    for (const char* method : {"name = \"verlet\"", "name = \"midpoint\"", "name = \"newmark\"", "name = \"lobatto\""}) {
      Opened of(kepler(0.6, method, fmt::format("step = {{ {}, eps = 0.05 }}\nend = 20", sigma)));
      Snapshot start, end;
      of.steps().snapshot(start);
      ASSERT_TRUE(of.steps().advance(40, of.h()).ok);
      ASSERT_TRUE(of.steps().advance(40, -of.h()).ok);
      of.steps().snapshot(end);
      EXPECT_LT((end.q - start.q).norm(), 1e-11) << sigma << method;
      EXPECT_NEAR(end.t, start.t, 1e-12);
    }
}

TEST(ReversibleSteps, are_certified_without_a_symplectic_form) {
  Opened of(kepler(0.9, "name = \"verlet\"", by_distance));
  const auto c = of.run();
  EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::kept) << invariant::text(c);
  EXPECT_TRUE(c.follows);
  EXPECT_EQ(c.claims.keeps, Keeps::nothing);
  EXPECT_GT(c.symplecticity.canonical.value, 1e-6);
  EXPECT_NEAR(c.accuracy.order, 2, 0.1);
  EXPECT_LT(c.shortest, 0.1 * c.longest);
  EXPECT_GE(c.last.t, 628.3);
  EXPECT_LT(c.last.t, 628.3 + c.longest);
}

// Steps chosen from the state they leave, which say that they are those of the controller.
class ChosenSteps final : public IntegratorAround {
 public:
  explicit ChosenSteps(std::unique_ptr<Integrator> steps) : IntegratorAround(std::move(steps)) {}
  BatchReport advance(long steps, double h, const BatchOptions& how) override {
    BatchReport all;
    Snapshot s;
    for (steps_->snapshot(s); all.steps < steps && !(s.t >= how.until); ++all.steps) {
      const double step = std::copysign(0.05 * std::pow(s.q.norm(), 1.5), h);
      EXPECT_TRUE(steps_->advance(1, step).ok);
      all.took(step);
      steps_->snapshot(s);
    }
    return all;
  }
  const Integrator& of_equal_steps() const override { return *steps_; }
  std::unique_ptr<Integrator> clone() const override { return std::make_unique<ChosenSteps>(steps_->clone()); }
  void archive(core::Archive& a) override { steps_->archive(a); }
};

TEST(ReversibleSteps, fail_their_claim_where_they_are_not_reversible) {
  Opened of(kepler(0.9, "name = \"verlet\"", by_distance));
  ChosenSteps chosen(make_integrator(of.s.problem.model, {Verlet{}, false, {}}));
  const auto c = run::integrate(chosen, of.s.momentum, of.s.task);
  EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::failed) << invariant::text(c);
  ASSERT_FALSE(c.broken.empty());
  EXPECT_NE(c.broken[0].find("reversible"), std::string::npos) << c.broken[0];
}

constexpr const char* log_hamiltonian = "name = \"log-hamiltonian\"";

TEST(LogHamiltonian, follows_an_ellipse_exactly) {
  Opened of(kepler(0.99, log_hamiltonian, "step = { eps = 0.05 }\nend = 628.3"));
  const double E0 = of.steps().energy();
  Snapshot s;
  double worst = 0, off_ellipse = 0;
  long steps = 0;
  for (double t = 0; t < 628.3; t = s.t, ++steps) {
    ASSERT_TRUE(of.steps().advance(1, of.h()).ok);
    of.steps().snapshot(s);
    worst = std::max(worst, std::abs(of.steps().energy() - E0));
    const double x = s.q[0] + 0.99, y = s.q[1] / std::sqrt(1 - 0.99 * 0.99);
    off_ellipse = std::max(off_ellipse, std::abs(x * x + y * y - 1));
    if (steps == 0) { EXPECT_NEAR(std::atan2(y, x), 2 * std::atan(0.025), 1e-12); }
  }
  EXPECT_NEAR(static_cast<double>(steps), 12566, 70);  // 125.7 an orbit
  EXPECT_LT(worst, 5e-12);
  EXPECT_LT(off_ellipse, 1e-10);
}

TEST(LogHamiltonian, has_an_error_of_the_period_of_d_squared_over_12) {
  for (const double d : {0.1, 0.05}) {
    Opened of(kepler(0.9, log_hamiltonian, fmt::format("step = {{ eps = {} }}\nend = 628.3", d)));
    Snapshot s;
    // of the time since the pericentre less what the eccentric anomaly says, over ten turns
    double before = 0, turns = 0;
    while (turns < 10) {
      ASSERT_TRUE(of.steps().advance(1, of.h()).ok);
      of.steps().snapshot(s);
      const double E = std::atan2(s.q[1] / std::sqrt(1 - 0.81), s.q[0] + 0.9);
      if (before < 0 && E >= 0) ++turns;
      before = E;
    }
    const double mean_anomaly = before - 0.9 * std::sin(before);
    EXPECT_NEAR((s.t - mean_anomaly) / (20 * pi) - 1, d * d / 12, 0.05 * d * d / 12) << d;
  }
}

// Three bodies of masses 3, 4 and 5 at the corners of a right triangle, from rest (Burrau 1913).
std::string pythagorean(const std::string& method, const std::string& run) {
  return fmt::format(R"toml(
[system]
coordinates = ["x[3]", "y[3]"]
tables = {{ m = [3, 4, 5] }}
mass = {{ x = "m[i]", y = "m[i]" }}
points = {{ body = ["x", "y"] }}
[[system.term]]
over = "i = 0..2, j = i+1..2"
potential = "-m[i]*m[j]/distance(body[i], body[j])"
[initial.position]
x = [1, -2, 1]
y = [3, -1, -1]
[initial.velocity]
x = 0
y = 0
[method]
{}
[run]
{}
)toml",
                     method, run);
}

struct Ends : run::Observer {
  std::vector<Snapshot> s;
  void observe(const run::Observation& now) override { s.push_back(now.state); }
};
std::vector<Snapshot> states_at(Opened& of) {
  Ends ends;
  session::observe(of.s);
  run::Options options;
  options.observers.push_back(&ends);
  options.dense = of.s.dense.get();
  options.level = invariant::Level::off;
  const auto c = run::integrate(of.steps(), of.s.momentum, of.s.task, options);
  EXPECT_FALSE(c.failure) << invariant::text(c);
  EXPECT_LT(c.energy.max_error, 1e-6);
  return ends.s;
}

TEST(LogHamiltonian, follows_the_pythagorean_problem_to_its_end) {
  Opened of(pythagorean("name = \"log-hamiltonian\"\ncompose = { order = 8, scheme = \"kahan-li\" }",
                        "step = { eps = 0.1 }\nend = 70\nat = [10, 70]"));
  EXPECT_NEAR(of.steps().energy(), -769.0 / 60, 1e-13);
  const std::vector<Snapshot> at = states_at(of);
  ASSERT_EQ(at.size(), 2u);
  EXPECT_NEAR(at[0].q[0], 0.7784804101380855, 1e-9);
  EXPECT_NEAR(at[0].q[3], 0.1413923002900862, 1e-9);
  // Encounters make 1e-3 of rounding: four runs with other steps are between 7e-5 and 1.1e-3 off.
  EXPECT_NEAR(at[1].q[0], 6.933463599011887, 5e-3);
  EXPECT_NEAR(at[1].q[3], 20.26180430595171, 5e-3);
}

TEST(LogHamiltonian, is_symplectic_and_has_its_orders) {
  struct Case {
    std::string compose;
    int order;
    double eps;
  };
  for (const auto& [compose, order, eps] : {Case{"", 2, 0.05}, Case{"\ncompose = { order = 4, scheme = \"suzuki\" }", 4, 0.4},
                                            Case{"\ncompose = { order = 6, scheme = \"kahan-li\" }", 6, 1.6}}) {
    Opened of(pythagorean(std::string(log_hamiltonian) + compose, fmt::format("step = {{ eps = {} }}\nend = 5", eps)));
    const auto c = of.run();
    EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::kept) << invariant::text(c);
    EXPECT_LT(c.symplecticity.canonical.value, 1e-8);
    EXPECT_NEAR(c.accuracy.order, order, 0.2) << invariant::text(c);
  }
}

TEST(LogHamiltonian, says_that_a_potential_must_be_below_zero) {
  const io::Problem problem = io::load_text(R"toml(system = { coordinates = ["x"], mass = 1, potential = "0.5*x^2 - 0.4" }
initial = { position = [0.1], velocity = [1] }
method = { name = "log-hamiltonian" }
run = { step = 0.05, end = 10 })toml",
                                            "above.toml");
  const auto steps = make_integrator(problem.model, problem.method);
  steps->start(0, problem.q0, problem.v0);
  const BatchReport report = steps->advance(1000, 0.05);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.what.find("not below 0"), std::string::npos) << report.what;
}

TEST(Poincare, is_symplectic_for_any_sigma_with_the_orders_of_its_methods) {
  for (const auto& [method, order] : {std::pair{"name = \"midpoint\"", 2},
                                      {"name = \"gauss\"\nstages = 2", 4},
                                      {"name = \"gauss\"\nstages = 3", 6},
                                      {"name = \"lobatto\"\ndegree = 2", 4}}) {
    Opened of(kepler(0.7, method, "step = { poincare = \"(0.01 + x^2 + 1.3*y^2)^0.6\", eps = 0.2 }\nend = 30"));
    const auto c = of.run();
    EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::kept) << invariant::text(c);
    EXPECT_LT(c.symplecticity.canonical.value, 1e-8) << method;
    EXPECT_NEAR(c.accuracy.order, order, 0.25) << method;
  }
}

// sigma = r: the eccentric anomaly is the fictitious time, and a turn takes 2 pi of both.
TEST(Poincare, has_the_time_of_its_own_quadrature) {
  double off[2];
  int k = 0;
  for (const double eps : {2 * pi / 40, 2 * pi / 80}) {
    Opened of(kepler(0.6, "name = \"gauss\"\nstages = 3",
                     fmt::format("step = {{ poincare = \"sqrt(x^2 + y^2)\", eps = {} }}\nend = 7", eps)));
    ASSERT_TRUE(of.steps().advance(std::lround(2 * pi / eps), of.h()).ok);
    Snapshot s;
    of.steps().snapshot(s);
    EXPECT_NEAR(s.t, 2 * pi, 1e-4);
    EXPECT_LT((s.q - of.s.task.q0).norm(), 1e-4);
    off[k++] = std::abs(s.t - 2 * pi) + (s.q - of.s.task.q0).norm();
  }
  EXPECT_NEAR(std::log2(off[0] / off[1]), 6, 0.3);
}

// Within a step the path of the stages is taken, in the time that it takes itself.
TEST(Poincare, is_observed_within_steps_as_well_as_at_their_ends) {
  std::string text =
      kepler(0.6, "name = \"gauss\"\nstages = 6", "step = { poincare = \"sqrt(x^2 + y^2)\", eps = 0.4 }\nend = 7\nat = [");
  const auto exact = [](double t) {  // by the eccentric anomaly E - e sin E = t
    double E = t;
    for (int k = 0; k < 50; ++k) E -= (E - 0.6 * std::sin(E) - t) / (1 - 0.6 * std::cos(E));
    return Eigen::Vector2d(std::cos(E) - 0.6, 0.8 * std::sin(E));
  };
  for (int k = 1; k < 14; ++k) text += fmt::format("{}{}", k > 1 ? ", " : "", 0.5 * k);
  Opened of(text + "]");
  struct : run::Observer {
    std::vector<Snapshot> seen;
    void observe(const run::Observation& now) override { seen.push_back(now.state); }
  } watch;
  run::Options options;
  options.observers = {&watch};
  session::observe(of.s);
  options.dense = of.s.dense.get();
  (void)run::integrate(*of.s.integrator, of.s.momentum, of.s.task, options);
  ASSERT_EQ(watch.seen.size(), 13u);
  for (const Snapshot& s : watch.seen) EXPECT_LT((s.q - exact(s.t)).norm(), 1e-8) << s.t;
}

constexpr const char* quartic = R"toml(system = { coordinates = ["q"], mass = 1, potential = "q^4/4" }
initial = { position = [1], velocity = [0.3] }
method = { name = "symplectic-energy-momentum" }
run = { step = 0.1, steps = 400 })toml";

TEST(SymplecticEnergyMomentum, keeps_its_discrete_energy_until_no_step_has_it) {
  Opened of(quartic);
  Snapshot s, before;
  double E = 0, shortest = 1, longest = 0;
  long steps = 0;
  BatchReport report;
  for (;; ++steps) {
    of.steps().snapshot(before);
    report = of.steps().advance(1, 0.1);
    if (!report.ok) break;
    of.steps().snapshot(s);
    const double h = s.t - before.t, w = (s.q[0] - before.q[0]) / h, q = (s.q[0] + before.q[0]) / 2;
    const double now = w * w / 2 + std::pow(q, 4) / 4;
    if (steps == 0) E = now;
    EXPECT_NEAR(now, E, 1e-13) << steps;
    shortest = std::min(shortest, h);
    longest = std::max(longest, h);
    ASSERT_LT(steps, 1000);
  }
  // D is 0 where q and so the force is: the step that leads across is longer than those around by a factor that grows from one
  // crossing to the next, .17, .40, then .86.
  EXPECT_NEAR(before.t, 8.7387, 1e-3);
  EXPECT_NEAR(shortest, 0.0999, 1e-4);
  EXPECT_NEAR(longest, 0.8639, 1e-3);
  EXPECT_NE(report.what.find("discrete energy"), std::string::npos) << report.what;
}

// h D^(1/3) stays while h moves by a fifth.
TEST(SymplecticEnergyMomentum, has_steps_like_the_cube_root_of_D) {
  Opened of(R"toml(system = { coordinates = ["q"], mass = 1, potential = "cosh(q)" }
initial = { position = [1.5], velocity = [0.5] }
method = { name = "symplectic-energy-momentum" }
run = { step = 0.02, steps = 2000 })toml");
  double least = 1e9, most = 0, shortest = 1e9, longest = 0;
  Snapshot before, s;
  for (int k = 0; k < 2000; ++k) {
    of.steps().snapshot(before);
    ASSERT_TRUE(of.steps().advance(1, 0.02).ok) << k;
    of.steps().snapshot(s);
    const double h = s.t - before.t, q = (s.q[0] + before.q[0]) / 2, p = (s.p[0] + before.p[0]) / 2;
    const double law = h * std::cbrt(p * p * std::cosh(q) + std::sinh(q) * std::sinh(q));
    least = std::min(least, law);
    most = std::max(most, law);
    shortest = std::min(shortest, h);
    longest = std::max(longest, h);
  }
  EXPECT_GT(longest / shortest, 1.15);
  EXPECT_LT(most / least, 1.01);
}

TEST(SymplecticEnergyMomentum, is_symplectic_at_its_energy) {
  Opened of(kepler(0.3, "name = \"symplectic-energy-momentum\"", "step = 0.05\nsteps = 400"));
  const auto c = of.run();
  EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::kept) << invariant::text(c);
  EXPECT_LT(c.symplecticity.canonical.value, 1e-7);
}

// D r^4 = 2 r - 3 + 3 (1 - e^2)/r is above 0 all round only below e = sqrt(5/8).
TEST(SymplecticEnergyMomentum, goes_round_an_ellipse_only_below_the_root_of_five_eighths) {
  for (const double e : {0.75, 0.83}) {
    Opened of(kepler(e, "name = \"symplectic-energy-momentum\"", "step = 0.005\nsteps = 100"));
    Snapshot s;
    bool ok = true;
    while (ok) {
      ok = of.steps().advance(1, 0.005).ok;
      of.steps().snapshot(s);
      if (s.t > 2 * pi) break;
    }
    EXPECT_EQ(ok, e < std::sqrt(5.0 / 8)) << e;
  }
}

}  // namespace
}  // namespace actio::method
