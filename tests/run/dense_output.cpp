#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/run/dense_output.hpp>
#include <actio/session/session.hpp>
#include <array>
#include <atomic>
#include <common.hpp>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "../../src/run/within/crossings.hpp"

// States inside a step: their measured orders and constants, and where functions of them change their signs.
namespace {

using namespace actio;
using Eigen::VectorXd;
using method::Snapshot;

io::Problem kepler() {
  return io::load_text(R"toml(system = { coordinates = ["x", "y"], mass = 1, potential = "-1/sqrt(x^2 + y^2)" }
initial = { position = { x = 1, y = 0 }, velocity = { x = 0, y = 1 } }
method = { name = "verlet" }
run = { step = 0.1, end = 1 })toml",
                       "kepler.toml");
}

Snapshot on_circle(double t) {
  return {t, VectorXd{{std::cos(t), std::sin(t)}}, VectorXd{{-std::sin(t), std::cos(t)}}, VectorXd{{-std::sin(t), std::cos(t)}}};
}

struct Off {
  double q, v;
};
// Of the states within a step of h on the circle, the largest.
Off off_circle(run::DenseOutput& dense, double h) {
  dense.step(on_circle(0.3), on_circle(0.3 + h));
  Off out{0, 0};
  for (int k = 0; k <= 64; ++k) {
    Snapshot s;
    dense.at(k / 64.0, s);
    const Snapshot exact = on_circle(0.3 + h * k / 64.0);
    out.q = std::max(out.q, (s.q - exact.q).norm());
    out.v = std::max(out.v, (s.v - exact.v).norm());
  }
  return out;
}

TEST(DenseOutput, has_the_orders_and_the_constants_of_the_quintic) {
  run::DenseOutput dense(kepler().model, test::interpreted);
  EXPECT_EQ(dense.order(), 6);
  for (const double h : {0.4, 0.2, 0.1}) {
    const Off off = off_circle(dense, h), half = off_circle(dense, h / 2);
    EXPECT_NEAR(std::log2(off.q / half.q), 6, 0.05) << h;
    EXPECT_NEAR(std::log2(off.v / half.v), 5, 0.05) << h;
    EXPECT_NEAR(off.q / (std::pow(h, 6) / 46080), 1, 0.02) << h;
    EXPECT_NEAR(off.v / (std::pow(h, 5) / (6000 * std::sqrt(5.0))), 1, 0.06) << h;
  }
}

TEST(DenseOutput, is_the_states_at_both_ends) {
  run::DenseOutput dense(kepler().model, test::interpreted);
  const Snapshot a = on_circle(0), b = on_circle(0.7);
  dense.step(a, b);
  Snapshot s;
  dense.at(0, s);
  EXPECT_EQ(s.q, a.q);
  EXPECT_EQ(s.v, a.v);
  dense.at(1, s);
  EXPECT_EQ(s.t, b.t);
  EXPECT_LT((s.q - b.q).norm(), 1e-15);
  EXPECT_EQ(s.v, b.v);
}

TEST(DenseOutput, takes_the_cubic_where_a_step_does_not_resolve_the_motion) {
  const io::Problem p = io::load_text(R"toml(system = { coordinates = ["x"], mass = 1, potential = "x^2/2" }
initial = { position = { x = 1 }, velocity = { x = 0 } }
method = { name = "midpoint" }
run = { step = 0.1, end = 1 })toml",
                                      "p.toml");
  run::DenseOutput dense(p.model, test::interpreted);
  const auto farthest = [&](double h) {  // of steps of h from cos t that keep the energy, as midpoint's do
    const double turn = 2 * std::atan(h / 2);
    dense.step({0, VectorXd{{1.0}}, VectorXd{{0.0}}, {}}, {h, VectorXd{{std::cos(turn)}}, VectorXd{{-std::sin(turn)}}, {}});
    double most = 0;
    for (int k = 0; k <= 64; ++k) {
      Snapshot s;
      dense.at(k / 64.0, s);
      most = std::max(most, std::abs(s.q[0]));
    }
    return most;
  };
  EXPECT_LE(farthest(1), 1 + 1e-12);
  EXPECT_LT(farthest(20), 4);  // the quintic would swing to 7
}

TEST(DenseTrajectory, is_a_run_at_any_time_of_it) {
  run::DenseTrajectory path(kepler().model, test::interpreted);
  Snapshot s;
  EXPECT_THROW(path.at(0, s), core::InputError);
  for (int k = 0; k <= 10; ++k) path.add(0.1 * k, on_circle(0.1 * k).q, on_circle(0.1 * k).v);
  for (const double t : {0.55, 0.0, 0.56, 0.1, 0.97, 1.0, 0.02}) {
    path.at(t, s);
    EXPECT_LT((s.q - on_circle(t).q).norm(), 1e-6 / 46080) << t;
    EXPECT_NEAR(s.t, t, 1e-15);
  }
  EXPECT_THROW(path.at(1.1, s), core::InputError);
  EXPECT_THROW(path.at(std::nan(""), s), core::InputError);
}

// A rod that turns about a fixed point, by its Cartesian coordinates.
TEST(DenseOutput, stays_on_constraints_at_order_four) {
  io::Problem p =
      io::load_text(R"toml(system = { coordinates = ["x", "y"], mass = 1, constraints = ["x^2 + y^2 - 1"], potential = "0*x" }
initial = { position = { x = 1, y = 0 }, velocity = { x = 0, y = 1 } }
method = { name = "rattle" }
run = { step = 0.1, end = 1 })toml",
                    "rod.toml");
  const std::atomic<bool> never = false;
  session::OneProcess here(never);
  session::Session s = session::open(p, session::choices("interpret", "automatic"), here);
  run::DenseOutput dense(p.model, test::interpreted);
  EXPECT_EQ(dense.order(), 4);
  const auto off = [&](double h) {
    dense.step(on_circle(0.3), on_circle(0.3 + h));
    run::StatesWithin within(dense);
    within.step(*s.integrator, on_circle(0.3), on_circle(0.3 + h), 1);
    double most = 0;
    for (int k = 1; k < 16; ++k) {
      const Snapshot& at = within.at(k / 16.0);
      EXPECT_LT(std::abs(at.q.norm() - 1), 1e-14);
      EXPECT_LT(std::abs(at.q.dot(at.v)), 1e-14);
      EXPECT_EQ(at.t, 0.3 + k / 16.0 * (0.3 + h - 0.3));
      most = std::max(most, (at.q - on_circle(at.t).q).norm());
    }
    return most;
  };
  Snapshot rough;
  dense.step(on_circle(0.3), on_circle(0.5));
  dense.at(0.5, rough);
  EXPECT_NEAR(std::abs(rough.q.norm() - 1) / (std::pow(0.2, 4) / 384), 1, 0.01);
  EXPECT_GT(std::log2(off(0.4) / off(0.2)), 3.9);  // of the angle, which the cubic has better
}

// One step of a method from the circle, at twelfths of it: off by the path, and by the quintic or cubic alone.
struct Within {
  double path = 0, ends = 0;
};
Within off_path(const std::string& system, const std::string& method, double h) {
  io::Problem p = io::load_text(fmt::format(R"toml({}
initial = {{ position = {{ x = 1, y = 0 }}, velocity = {{ x = 0, y = 1 }} }}
method = {{ {} }}
run = {{ step = {}, steps = 1 }})toml",
                                            system, method, h),
                                "circle.toml");
  const std::atomic<bool> never = false;
  session::OneProcess here(never);
  session::Session s = session::open(p, session::choices("interpret", "automatic"), here);
  s.integrator->start(0, s.task.q0, s.task.v0);
  Snapshot begin, end, at;
  s.integrator->snapshot(begin);
  EXPECT_TRUE(s.integrator->advance(1, h).ok);
  s.integrator->snapshot(end);
  run::DenseOutput dense(p.model, test::interpreted);
  std::vector<double> nodes;
  Eigen::MatrixXd W;
  EXPECT_TRUE(s.integrator->path(nodes, W));
  Within out;
  for (const bool path : {false, true}) {
    dense.step(begin, end);
    if (path) dense.path(nodes, W);
    double& most = path ? out.path : out.ends;
    for (int k = 1; k < 12; ++k) {
      dense.at(k / 12.0, at);
      most = std::max(most, (at.v - on_circle(h * k / 12).v).norm());
    }
    dense.at(1, at);
    EXPECT_EQ(at.q, end.q);
    EXPECT_EQ(at.v, end.v);
    dense.at(1 - 1e-9, at);  // and comes to it: the integral of v meets q1
    EXPECT_LT((at.q - end.q + 1e-9 * h * end.v).norm(), 1e-14);
    EXPECT_LT((at.v - end.v).norm(), 2e-9);
  }
  return out;
}

TEST(DenseOutput, follows_the_path_of_galerkin_steps) {
  const std::string kepler = R"toml(system = { coordinates = ["x", "y"], mass = 1, potential = "-1/sqrt(x^2 + y^2)" })toml";
  const std::string rod =
      R"toml(system = { coordinates = ["x", "y"], mass = 1, constraints = ["x^2 + y^2 - 1"], potential = "0*x" })toml";
  struct Case {
    std::string system, method;
    double order, h;
  };
  for (const Case& c :
       {Case{kepler, "name = 'gauss', stages = 5", 6, 0.8}, Case{kepler, "name = 'gauss', stages = 6", 7, 0.8},
        Case{kepler, "name = 'lobatto', degree = 5", 6, 0.8}, Case{kepler, "name = 'lobatto', degree = 6", 7, 0.8},
        Case{rod, "name = 'lobatto', degree = 3", 4, 0.4}, Case{rod, "name = 'lobatto', degree = 4", 5, 0.4}}) {
    const Within whole = off_path(c.system, c.method, c.h), half = off_path(c.system, c.method, c.h / 2);
    const double order = std::log2(whole.path / half.path);
    EXPECT_NEAR(order, c.order, 0.3) << c.method << " " << whole.path << " " << half.path;
    EXPECT_LT(half.path, 0.5 * half.ends) << c.method;
  }
}

// The free asymmetric body of Euler's equations, by its own steps a hundred times as short.
TEST(DenseOutput, turns_bodies_on_the_group) {
  io::Problem p = io::load_text(R"toml(system.bodies = [{ name = "top", inertia = [1.0, 2.0, 2.5] }]
initial.bodies.top = { angular_velocity = [0.4, 1.1, 0.7] }
method = { name = "lie-group" }
run = { step = 0.001, end = 1 })toml",
                                "body.toml");
  const std::atomic<bool> never = false;
  session::OneProcess here(never);
  session::Session s = session::open(p, session::choices("interpret", "automatic"), here);
  run::DenseOutput dense(p.model, test::interpreted);
  EXPECT_EQ(dense.order(), 4);
  const auto state_at = [&](double t) {
    s.integrator->start(0, s.task.q0, s.task.v0);
    const long steps = std::lround(t / 0.0005);
    EXPECT_TRUE(s.integrator->advance(steps, t / static_cast<double>(steps)).ok);
    Snapshot out;
    s.integrator->snapshot(out);
    out.t = t;
    return out;
  };
  const Snapshot begin = state_at(0.5);
  const auto off = [&](double h) {
    const Snapshot end = state_at(0.5 + h), middle = state_at(0.5 + h / 2);
    dense.step(begin, end);
    Snapshot at;
    dense.at(0.5, at);
    const Eigen::Matrix3d R = Eigen::Map<const Eigen::Matrix3d>(at.q.data());
    EXPECT_LT((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    return Off{(at.q - middle.q).norm(), (at.v - middle.v).norm()};
  };
  const Off whole = off(0.4), half = off(0.2);
  EXPECT_NEAR(std::log2(whole.q / half.q), 4, 0.2);
  EXPECT_GT(std::log2(whole.v / half.v), 3.5);
  EXPECT_LT(whole.q, 2e-4);
}

struct Signs {
  std::vector<run::Crossing> found;
  int sign = 0, asked = 0;
};
template <class G>
void look(Signs& to, G&& g, double from = 0, double length = 1) {
  const auto in_step = [&](double s) {
    ++to.asked;
    return g(from + s * length);
  };
  run::Crossings crossings;
  for (run::Crossing x : crossings(in_step, in_step, g(from), g(from + length), to.sign))
    to.found.push_back({from + x.s * length, x.up});
}

TEST(Crossings, finds_two_that_are_close_together) {
  for (const double depth : {1e-2, 1e-4, 1e-8, 1e-12}) {
    Signs s;
    look(s, [&](double x) { return (x - 0.37) * (x - 0.37) * std::exp(x) - depth; });
    ASSERT_EQ(s.found.size(), 2U) << depth;
    EXPECT_FALSE(s.found[0].up);
    EXPECT_TRUE(s.found[1].up);
    EXPECT_NEAR(s.found[1].s - s.found[0].s, 2 * std::sqrt(depth / std::exp(0.37)), 0.2 * std::sqrt(depth));
  }
  Signs none;
  look(none, [](double x) { return (x - 0.37) * (x - 0.37) + 1e-12; });
  EXPECT_TRUE(none.found.empty());
}

TEST(Crossings, finds_many_in_one_step) {
  Signs s;
  look(s, [](double x) { return std::sin(40 * x + 0.1); });
  ASSERT_EQ(s.found.size(), 12U);
  for (std::size_t k = 0; k < 12; ++k)
    EXPECT_NEAR(s.found[k].s, (static_cast<double>(k + 1) * std::numbers::pi - 0.1) / 40, 1e-15);
}

TEST(Crossings, locates_to_the_digits_of_the_step) {
  Signs s;
  look(s, [](double x) { return std::exp(x) - std::exp(std::numbers::pi / 5); });
  ASSERT_EQ(s.found.size(), 1U);
  EXPECT_NEAR(s.found[0].s, std::numbers::pi / 5, 2e-16);
  EXPECT_LT(s.asked, 40);
}

TEST(Crossings, counts_a_zero_at_an_end_once_and_the_start_not) {
  const auto steps = [](auto&& g) {
    Signs s;
    for (int k = 0; k < 8; ++k) look(s, g, k, 1);
    return s.found;
  };
  const auto through = steps([](double t) { return t - 3; });  // from below, 0 at the end of the third step
  ASSERT_EQ(through.size(), 1U);
  EXPECT_EQ(through[0].s, 3);
  EXPECT_TRUE(through[0].up);
  EXPECT_TRUE(steps([](double t) { return t; }).empty());
  EXPECT_TRUE(steps([](double t) { return (t - 3) * (t - 3); }).empty());  // touches
  EXPECT_TRUE(steps([](double t) { return std::max(0.0, t - 3); }).empty());
  EXPECT_EQ(steps([](double t) { return std::min(t - 3, 0.0) + std::max(0.0, t - 5); }).size(), 1U);
}

TEST(Crossings, takes_no_sign_from_the_rounding_of_a_start_at_zero) {
  for (const double rounding : {0.0, 1e-17, -1e-17}) {
    Signs s;
    look(s, [&](double x) { return x < 1e-9 ? rounding : -x * (0.6 - x); });
    ASSERT_EQ(s.found.size(), 1U) << rounding;
    EXPECT_NEAR(s.found[0].s, 0.6, 1e-15);
    EXPECT_TRUE(s.found[0].up);
  }
}

TEST(Crossings, lose_the_sign_where_there_is_no_number) {
  Signs s;
  for (int k = 0; k < 4; ++k)
    look(
        s, [](double t) { return t > 1 && t < 2.05 ? std::nan("") : 1.5 - t; }, k, 1);
  EXPECT_TRUE(s.found.empty());
  EXPECT_EQ(s.sign, -1);
}

TEST(Crossings, look_closer_where_few_samples_do_not_tell) {
  for (int k = 0; k < 40; ++k) {
    const double at = 0.1 + 0.02 * k;
    Signs s;
    look(s, [&](double x) { return 1 - 1.5 * std::exp(-std::pow((x - at) / 0.1, 2)); });
    EXPECT_EQ(s.found.size(), 2U) << at;
  }
}

TEST(Crossings, finds_those_of_random_polynomials) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  long all = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::array<double, 7> c{};
    for (double& x : c) x = normal(random);
    const auto g = [&](double x) {
      double sum = 0;
      for (const double a : c) sum = sum * (2 * x - 1) + a;
      return sum;
    };
    Signs s;
    look(s, g);
    std::size_t expected = 0;
    constexpr int n = 20000;
    for (int k = 0; k < n; ++k) expected += g(k * (1.0 / n)) * g((k + 1) * (1.0 / n)) < 0 ? 1 : 0;
    EXPECT_GE(s.found.size(), expected) << trial;
    EXPECT_LE(s.found.size(), expected + (s.found.size() > expected ? 2U : 0U)) << trial;
    all += static_cast<long>(expected);
    for (const run::Crossing& x : s.found) EXPECT_LT(std::abs(g(x.s)), 1e-12);
  }
  EXPECT_GT(all, 1000);
}

}  // namespace
