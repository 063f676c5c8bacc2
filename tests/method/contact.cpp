#include <gtest/gtest.h>

#include <actio/invariant/defects.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/contact.hpp>
#include <actio/method/integrator.hpp>
#include <actio/session/session.hpp>
#include <atomic>
#include <cmath>
#include <string>

#include <fmt/format.h>

// Impacts at exact times within steps.
namespace actio::method {
namespace {

using Eigen::VectorXd;

std::string ball(double e, const std::string& method, double h = 0.01, double end = 5) {
  return fmt::format(R"toml(
[system]
coordinates = ["y"]
mass = 1
potential = "9.81*y"
[[system.contact]]
name = "floor"
gap = "y - 0.25"
restitution = {}
[initial]
position = [1.25]
velocity = [0]
[method]
{}
[run]
step = {}
end = {}
)toml",
                     e, method, h, end);
}

// A particle in a well that is not quadratic, above a curved wall.
std::string well(const std::string& method, double h) {
  return fmt::format(R"toml(
[system]
coordinates = ["x", "y"]
mass = 1
potential = "0.5*x^2 + y^2 + 0.3*x^2*y"
[[system.contact]]
gap = "y + 0.5 - 0.2*x^2"
[initial]
position = [0.3, 0.6]
velocity = [0.5, 0]
[method]
{}
[run]
step = {}
end = 40
)toml",
                     method, h);
}

// As a run has it: with the reference set at the start.
struct Contacts {
  std::atomic<bool> stop = false;
  session::OneProcess execution{stop};
  session::Session s;
  explicit Contacts(const std::string& text)
      : s(session::open(io::load_text(text, "contact.toml"), session::choices("auto", "automatic"), execution)) {
    s.integrator->start(s.task.schedule.start, s.task.q0, s.task.v0);
    s.integrator->set_reference();
  }
  Integrator& steps() { return *s.integrator; }
  const Impacts& impacts() { return *s.integrator->impacts(); }
  double h() const { return s.task.schedule.step[0]; }
  BatchReport advance(long steps) { return s.integrator->advance(steps, h()); }
  Snapshot state() {
    Snapshot out;
    s.integrator->snapshot(out);
    return out;
  }
  invariant::Certificate run() {
    run::Options options;
    options.level = invariant::Level::full;
    return run::integrate(*s.integrator, s.momentum, s.task, options);
  }
};

// t1 = sqrt(2 H/g), and after it flights that are e as long as those before.
TEST(Impacts, of_a_ball_are_at_the_times_of_its_free_fall) {
  Contacts c(ball(0.8, "name = \"gauss\""));
  ASSERT_TRUE(c.advance(500).ok);
  const auto& table = c.impacts().table;
  ASSERT_GT(table.size(), 10u);
  EXPECT_NEAR(table[0].t, 0.451523640986, 2e-12);
  EXPECT_NEAR(table[4].t, 2.584160102090, 2e-12);
  EXPECT_NEAR(table[0].before, -std::sqrt(2 * 9.81), 1e-12);
  for (const Impact& one : table)
    if (!one.lasts) {
      EXPECT_NEAR(one.after, -0.8 * one.before, 1e-12);
      EXPECT_NEAR(one.impulse, one.after - one.before, 1e-12);
    }
  // Then it rests: sum over the flights of t1 (1 + 2 e/(1 - e)).
  EXPECT_TRUE(table.back().lasts);
  EXPECT_NEAR(table.back().t, 4.063712768872, 1e-10);  // rounding of the height 0.25 over the last speeds, 1e-5
  EXPECT_EQ(c.impacts().resting, 1);
  EXPECT_NEAR(c.impacts().lost, 9.81, 1e-11);
  EXPECT_NEAR(c.state().q[0], 0.25, 1e-15);
  EXPECT_NEAR(c.state().v[0], 0, 1e-15);
}

TEST(Impacts, without_loss_keep_the_energy_to_rounding_over_1e5_bounces) {
  Contacts c(ball(1, "name = \"gauss\"", 0.1, 1e5));
  const double E0 = c.steps().energy();
  double worst = 0;
  for (int k = 0; k < (ACTIO_TEST_SHORT ? 20 : 910); ++k) {
    ASSERT_TRUE(c.advance(1000).ok);
    worst = std::max(worst, std::abs(c.steps().energy() - E0));
  }
  EXPECT_GT(c.impacts().count, ACTIO_TEST_SHORT ? 2'000 : 100'000);
  EXPECT_LT(worst, 1e-15 * E0 * static_cast<double>(c.impacts().count));  // a few eps an impact
  EXPECT_GE(c.impacts().lowest, -64);                                     // eps
  const double t1 = std::sqrt(2 / 9.81), last = c.impacts().table.back().t;
  EXPECT_NEAR(last, t1 * static_cast<double>(2 * c.impacts().count - 1), 1e-12 * last);
}

// Where the discrete energy is that of the second part of the step: with H in its place the defect is 7e-3 to 1e-4 here.
TEST(Impacts, are_symplectic_and_reversible_within_a_step_of_each_method) {
  for (const char* method : {"name = \"verlet\"", "name = \"midpoint\"", "name = \"gauss\"\nstages = 2", "name = \"lobatto\"",
                             "name = \"variational\"\nalpha = 0.2", "name = \"symplectic-euler\""})
    for (const double h : {0.1, 0.05, 0.025}) {
      SCOPED_TRACE(fmt::format("{}, h = {}", method, h));
      Contacts c(well(method, h));
      ASSERT_TRUE(c.advance(std::lround(40 / h)).ok);
      ASSERT_GT(c.impacts().h, 0);
      const std::vector<Snapshot> states{c.impacts().within};
      const std::vector<double> steps{h};
      const auto defect = invariant::symplecticity(c.steps(), states, steps, false).canonical;
      EXPECT_LT(defect.value, 1e-10 + 10 * defect.floor);
      EXPECT_LT(defect.floor, 1e-9);
      if (c.s.problem.method.symmetric()) { EXPECT_LT(invariant::reversibility(c.steps(), states, steps), 1e-13); }
    }
}

TEST(Impacts, leave_the_order_of_a_method) {
  const auto end = [](const std::string& method, double h) {
    Contacts c(well(method, h));
    EXPECT_TRUE(c.advance(std::lround(10 / h)).ok);
    EXPECT_GT(c.impacts().count, 2);
    return c.state().q;
  };
  const VectorXd exact = end("name = \"gauss\"\nstages = 6", 0.02);
  for (const auto& [method, order] : {std::pair{"name = \"gauss\"\nstages = 2", 4}, {"name = \"gauss\"\nstages = 3", 6}}) {
    const double coarse = (end(method, 0.1) - exact).norm(), fine = (end(method, 0.05) - exact).norm();
    EXPECT_GT(std::log2(coarse / fine), order - 0.7) << method;
  }
}

TEST(Impacts, of_a_cradle_hand_the_motion_on) {
  Contacts c(R"toml(
[system]
coordinates = ["x[5]"]
mass = 1
potential = "0*x[0]"
[[system.contact]]
over = "i = 0..3"
gap = "x[i+1] - x[i] - 0.2"
[initial]
position = { x = "0.2*i - where(i < 2, 0.3, 0)" }
velocity = { x = "where(i < 2, 1, 0)" }
[method]
name = "verlet"
[run]
step = 0.01
end = 1
)toml");
  ASSERT_TRUE(c.advance(100).ok);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(c.state().v[i], i > 2 ? 1 : 0, 1e-14) << i;
  EXPECT_EQ(c.impacts().count, 6);
  for (const Impact& one : c.impacts().table) EXPECT_NEAR(one.t, 0.3, 1e-14);
}

// A pair of discs keeps the momenta of the whole; the walls do not.
TEST(Impacts, keep_the_momenta_along_which_no_gap_changes) {
  const std::string text = R"toml(
[system]
coordinates = ["x[2]", "y[2]"]
mass = [1, 3, 1, 3]
potential = "0*x[0]"
[[system.contact]]
gap = "sqrt((x[1] - x[0])^2 + (y[1] - y[0])^2) - 0.2"
restitution = 0.5
[[symmetry]]
name = "along x"
generator = { x = 1 }
[[symmetry]]
name = "turns"
generator = { x = "-y[i]", y = "x[i]" }
[initial]
position = { x = "i", y = "0.1*i" }
velocity = { x = "1 - i", y = 0.3 }
[method]
name = "verlet"
[run]
step = 0.01
end = 3
)toml";
  Contacts pair(text);
  const auto c = pair.run();
  EXPECT_EQ(pair.impacts().count, 1);
  ASSERT_EQ(c.momentum.size(), 2u);
  for (const auto& m : c.momentum) {
    EXPECT_TRUE(m.claimed) << m.name;
    EXPECT_LT(m.max_error, 1e-13) << m.name;
  }
  std::string walled = text;
  walled.insert(walled.find("[[symmetry]]"), "[[system.contact]]\ngap = \"2 - x[1]\"\n");
  const auto d = Contacts(walled).run();
  EXPECT_FALSE(d.momentum[0].claimed);
  EXPECT_FALSE(d.momentum[1].claimed);
}

TEST(Impacts, end_in_a_contact_that_lasts_until_a_force_opens_it) {
  Contacts c(R"toml(
[system]
coordinates = ["y", "x"]
mass = 1
potential = "9.81*y"
force = { y = "20*max(0, t - 2)", x = 1 }
[[system.contact]]
name = "floor"
gap = "y - 0.25"
restitution = 0.5
[initial]
position = [0.35, 0]
velocity = [0, 0]
[method]
name = "midpoint"
[run]
step = 0.01
end = 3
)toml");
  ASSERT_TRUE(c.advance(240).ok);
  EXPECT_EQ(c.impacts().resting, 1);
  EXPECT_NEAR(c.state().q[0], 0.25, 1e-15);
  EXPECT_NEAR(c.state().q[1], 2.4 * 2.4 / 2, 1e-12);  // slides on
  ASSERT_TRUE(c.advance(60).ok);
  EXPECT_EQ(c.impacts().resting, 0);
  const double s = 1 - 9.81 / 20;  // since it left, at a force of its weight
  EXPECT_NEAR(c.state().q[0], 0.25 + 20 * s * s * s / 6, 1e-4);
}

// A disc that a point passes within one step is met all the same.
TEST(Impacts, are_seen_where_a_gap_is_open_at_both_ends_of_a_step) {
  Contacts c(R"toml(
[system]
coordinates = ["x", "y"]
mass = 1
potential = "0*x"
[[system.contact]]
gap = "sqrt(x^2 + y^2) - 0.25"
[initial]
position = [-1, 0]
velocity = [1, 0]
[method]
name = "verlet"
[run]
step = 3
end = 3
)toml");
  ASSERT_TRUE(c.advance(1).ok);
  ASSERT_EQ(c.impacts().count, 1);
  EXPECT_NEAR(c.impacts().table[0].t, 0.75, 1e-14);
  EXPECT_NEAR(c.state().q[0], -2.5, 1e-14);
}

TEST(Impacts, slower_than_the_steps_resolve_are_refused) {
  Contacts c(ball(1, "name = \"verlet\"", 3.0, 300));
  const auto report = c.advance(100);
  ASSERT_FALSE(report.ok);
  EXPECT_NE(report.what.find("not accurate enough for an impact as slow as this"), std::string::npos) << report.what;
}

TEST(Impacts, go_on_to_the_bit_from_an_archive) {
  Contacts a(ball(0.8, "name = \"gauss\"")), b(ball(0.8, "name = \"gauss\""));
  ASSERT_TRUE(a.advance(450).ok);
  core::Archive out;
  ASSERT_TRUE(b.advance(150).ok);
  b.steps().archive(out);
  Contacts later(ball(0.8, "name = \"gauss\""));
  core::Archive in(out.bytes());
  later.steps().archive(in);
  ASSERT_TRUE(in.finished());
  ASSERT_TRUE(later.advance(300).ok);
  EXPECT_EQ(a.state().q[0], later.state().q[0]);
  EXPECT_EQ(a.state().v[0], later.state().v[0]);
  ASSERT_EQ(a.impacts().table.size(), later.impacts().table.size());
  for (std::size_t k = 0; k < a.impacts().table.size(); ++k) {
    EXPECT_EQ(a.impacts().table[k].t, later.impacts().table[k].t) << k;
    EXPECT_EQ(a.impacts().table[k].impulse, later.impacts().table[k].impulse) << k;
  }
}

TEST(Impacts, are_certified) {
  Contacts c(well("name = \"verlet\"", 0.05));
  const auto elastic = c.run();
  EXPECT_EQ(elastic.verdict, invariant::Certificate::Verdict::kept) << invariant::text(elastic);
  ASSERT_TRUE(elastic.contacts);
  EXPECT_TRUE(elastic.contacts->within);
  EXPECT_TRUE(elastic.contacts->open);
  EXPECT_GT(elastic.contacts->impacts, 5);
  EXPECT_LT(elastic.symplecticity.canonical.value, 1e-9);
  const auto lossy = Contacts(ball(0.8, "name = \"gauss\"")).run();
  EXPECT_NE(lossy.verdict, invariant::Certificate::Verdict::failed) << invariant::text(lossy);
  ASSERT_TRUE(lossy.ledger);
  EXPECT_NEAR(lossy.ledger->dissipated, 9.81, 1e-10);
  EXPECT_LT(lossy.ledger->worst_method, 1e-11);
  EXPECT_EQ(lossy.claims.keeps, Keeps::nothing);
  EXPECT_FALSE(lossy.claims.reversible);
}

}  // namespace
}  // namespace actio::method
