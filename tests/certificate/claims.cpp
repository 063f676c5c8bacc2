#include <gtest/gtest.h>

#include <cmath>

#include <actio/core/error.hpp>
#include <certificate/suite/spoiled.hpp>
#include <certificate/suite/systems.hpp>
#include <common.hpp>
#include <run/runs.hpp>

// Each claim once broken by a little more than is allowed, and once by less: an allowance that is loosened lets the first pass.
namespace certificate {
namespace {

using actio::test::interpreted;

// Steps as it should, and shows states that are changed.
class Shown : public method::Integrator {
 public:
  using Change = std::function<void(method::Snapshot&)>;
  Shown(std::unique_ptr<Integrator> truth, Change change) : truth_(std::move(truth)), change_(std::move(change)) {}
  long size() const override { return truth_->size(); }
  void start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) override { truth_->start(t, q, v); }
  void start_momentum(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& p) override { truth_->start_momentum(t, q, p); }
  method::BatchReport advance(long steps, double h, const method::BatchOptions& how) override {
    return truth_->advance(steps, h, how);
  }
  void snapshot(method::Snapshot& out) const override {
    truth_->snapshot(out);
    change_(out);
  }
  method::SystemProperties properties() const override { return truth_->properties(); }
  double energy() const override { return truth_->energy(); }
  void conjugate_coordinates(double h, Eigen::VectorXd& x, Eigen::VectorXd& p) const override {
    truth_->conjugate_coordinates(h, x, p);
  }
  bool keeps_momentum(std::size_t k) const override { return truth_->keeps_momentum(k); }
  method::Correction project() override { return truth_->project(); }
  void multipliers(double h, Eigen::VectorXd& lambda) const override { truth_->multipliers(h, lambda); }
  std::unique_ptr<Integrator> clone() const override { return truth_->clone(); }  // whose steps are measured

 private:
  std::unique_ptr<Integrator> truth_;
  Change change_;
};

invariant::Certificate shown(const std::string& text, Shown::Change change) {
  Opened o = open({.problem = text}, interpreted);
  Shown system(std::move(o.integrator), std::move(change));
  return run::integrate(system, o.momentum, o.task);
}
Result spoiled(const std::string& text, Step step, std::vector<std::string> overrides = {}) {
  static std::vector<std::unique_ptr<Run>> runs;
  runs.push_back(std::make_unique<Run>());
  runs.back()->problem = text;
  runs.back()->overrides = std::move(overrides);
  runs.back()->step = std::move(step);
  return make(*runs.back(), interpreted);
}

bool says(const std::vector<std::string>& sentences, const std::string& part) {
  for (const auto& s : sentences)
    if (s.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

// 1e-10 of a rod of 1 m is allowed: a solver of round-off leaves 1e-15.
TEST(ConstraintsOfARun, are_kept_to_ten_digits) {
  const std::string text = problem(rods, "rattle", 0.01, 100);
  const auto off = [&](double x) { return shown(text, [x](method::Snapshot& s) { s.q[0] *= 1 + x, s.q[1] *= 1 + x; }); };
  const auto c = off(1e-8);
  EXPECT_EQ(c.verdict, Verdict::failed) << invariant::text(c);
  EXPECT_TRUE(says(c.broken, "constraint")) << invariant::text(c);
  ASSERT_TRUE(c.constraints.has_value());
  EXPECT_NEAR(c.constraints->distance, 1e-8, 1e-11);
  EXPECT_FALSE(says(off(1e-13).broken, "constraint"));
}

TEST(ConstraintsOfARun, keep_velocities_along_them_to_ten_digits) {
  const std::string text = problem(sphere, "rattle", 0.01, 100);
  const auto off = [&](double x) { return shown(text, [x](method::Snapshot& s) { s.v += x * s.q; }); };
  const auto c = off(1e-6);  // where |q|/h is 100
  EXPECT_EQ(c.verdict, Verdict::failed) << invariant::text(c);
  EXPECT_TRUE(says(c.broken, "velocities")) << invariant::text(c);
  EXPECT_FALSE(says(off(1e-12).broken, "velocities"));
}

// Where a method does not claim it, the certificate says that velocities leave them by a tenth of the fastest.
TEST(ConstraintsOfARun, are_unresolved_where_velocities_leave_them_far) {
  const std::string text = problem(sphere, "energy-momentum", 0.01, 100);
  const auto off = [&](double x) { return shown(text, [x](method::Snapshot& s) { s.v += x * s.q; }); };
  EXPECT_TRUE(says(off(1).unresolved, "velocities"));
  EXPECT_FALSE(says(off(1e-3).unresolved, "velocities"));
}

TEST(RotationsOfARun, are_kept_to_ten_digits) {
  const std::string text = problem(magnet, "lie-group", 0.05, 100);
  const auto off = [&](double x) { return shown(text, [x](method::Snapshot& s) { s.q[0] *= 1 + x; }); };
  const auto c = off(1e-8);
  EXPECT_EQ(c.verdict, Verdict::failed) << invariant::text(c);
  EXPECT_TRUE(says(c.broken, "rotation")) << invariant::text(c);
  EXPECT_FALSE(says(off(1e-14).broken, "rotation"));
}

// Momenta that fall by 1e-12 a step: the energy by 4e-10 of itself in 400 steps, and its round-off is 1e-13.
TEST(EnergyOfARun, that_a_method_claims_not_to_lose_is_told_to_round_off) {
  for (const char* method : {"energy-momentum"}) {
    const std::string text = problem(ring, method, 0.05, 400);
    const auto falling = [&](double x) {
      return spoiled(text, then([x](const auto&, method::Snapshot& s, double, long) { s.p *= 1 - x; }), {"symmetry=[]"});
    };
    const Result r = falling(1e-10);
    EXPECT_EQ(r.verdict, Verdict::failed) << r.text;
    EXPECT_TRUE(says(r.broken, "energy")) << r.text;
    EXPECT_EQ(falling(0).verdict, Verdict::kept) << falling(0).text;
  }
}

// A step back undoes a step, and the energy is thirty times what moves: a method that keeps no form fails by that alone.
TEST(EnergyOfARun, that_is_absurd_fails_a_method_that_is_only_reversible) {
  const auto energy = [](double rise) {
    fakes::Fake system(
        1, [](Eigen::VectorXd& q, Eigen::VectorXd& v, double h) { q += h * v; },
        [rise](const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
          return 0.5 * v.squaredNorm() + rise * 0.5 * std::pow(q[0] / 100, 4);
        });
    system::Model model = fakes::plane();
    model.families = {{"x", 1, 0, false}};
    model.symmetries.clear();
    return runs::certify(system,
                         runs::task(method::ZhangSkeelSimplified{}, Eigen::VectorXd{{0.0}}, Eigen::VectorXd{{1.0}}, 0.1, 1000),
                         nullptr, model);
  };
  const auto c = energy(30);
  EXPECT_EQ(c.verdict, Verdict::failed) << invariant::text(c);
  EXPECT_TRUE(says(c.broken, "energy")) << invariant::text(c);
  EXPECT_NE(energy(1e-6).verdict, Verdict::failed) << invariant::text(energy(1e-6));
}

// 1e-9 of a rod is taken as meant to be on it, 1e-7 is not; velocities alike.
TEST(StartOfARun, is_on_the_constraints_to_nine_digits) {
  const auto begins = [](double away, double leaving) {
    certificate::Run r{.problem = problem(sphere, "rattle", 0.01, 10)};
    r.overrides = {fmt::format("initial.position=[{:.17g}, 0, -0.8]", 0.6 + away),
                   fmt::format("initial.velocity=[{:.17g}, 1.5, 0]", leaving)};
    try {
      (void)open(r, interpreted);
      return true;
    } catch (const core::InputError&) { return false; }
  };
  EXPECT_TRUE(begins(0, 0));
  EXPECT_TRUE(begins(1e-10, 1e-10));
  EXPECT_FALSE(begins(1e-7, 0));
  EXPECT_FALSE(begins(0, 1e-7));
}

// What the suite does to runs does nothing where it should not: steps begun anew from where they ended, by another integrator of
// the same system, are as good.
TEST(CertificateSuite, breaks_nothing_by_itself) {
  for (const std::string& text :
       {problem(ring, "verlet", 0.05, 400), problem(ring, "newmark", 0.05, 400), problem(ring, "energy-momentum", 0.05, 400),
        problem(rods, "rattle", 0.01, 500), problem(magnet, "lie-group", 0.1, 200), problem(chain, "verlet", 0.05, 400),
        problem(pendulum, "midpoint", 0.02, 500), problem(ring, "zhang-skeel", 0.05, 400)}) {
    certificate::Run again{.problem = text}, other = again;
    again.step = then([](const auto&, method::Snapshot&, double, long) {});
    other.stepped_as = {"run.every=1"};
    EXPECT_EQ(make(again, interpreted).verdict, Verdict::kept) << make(again, interpreted).text;
    EXPECT_EQ(make(other, interpreted).verdict, Verdict::kept) << make(other, interpreted).text;
  }
}

// Differences straddle the radius where a pair enters a switch, whose third derivative jumps there: shorter ones show that the
// defect is theirs.
TEST(SymplecticityOfARun, is_that_of_the_steps_where_pairs_enter_a_switch) {
  for (int k = 0; k < 10; ++k) {
    Opened o = open({.problem = fmt::format(R"toml(
[system]
coordinates = ["x[30]"]
mass = 1
[[system.term]]
over = "i = 0..28, j = i+1..29"
potential = "0.001*(x[i] - x[j])^2*switch(abs(x[i] - x[j]), 1, 1.2)"
[[system.term]]
over = "i = 0..29"
potential = "0.05*(x[i] - 0.31*i)^2"
[initial]
position = {{ x = "0.31*i + 0.02*sin(9.1*i*i + {0})" }}
velocity = {{ x = "0.3*cos(5.3*i*i + {0})" }}
[method]
name = "verlet"
[run]
step = 0.1
steps = 40
)toml",
                                            k)},
                    interpreted);
    const auto c = run::integrate(*o.integrator, o.momentum, o.task);
    EXPECT_LT(c.symplecticity.canonical.floor, 1e-6) << k;
    EXPECT_TRUE(invariant::none_seen(c.symplecticity.canonical)) << c.symplecticity.canonical.value;
  }
}

}  // namespace certificate
