#include <gtest/gtest.h>

#include <actio/discrete/quadrature.hpp>
#include <actio/method/constrained.hpp>
#include <actio/method/newmark.hpp>
#include <actio/method/variational.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "petsc/chain.hpp"

// One text of a system and of a method, on vectors in registers, on sparse matrices and distributed over processes: one path, to
// the rounding that the orders of summation and of elimination leave.
namespace actio::test {
namespace {

constexpr double h = 0.01;
constexpr int steps = 50;

// At the end: q; p; the work of the last step; the multipliers, if any
using Path = std::vector<std::vector<double>>;

template <class Home, class Make>
Path run(const Home& home, const ChainData& data, Make make) {
  auto stepper = make(home);
  const std::vector<double> start = zigzag(home.bodies().all, data);
  auto q = home.space().vector(), p = q;
  Home::add_to(q, [&](auto&& add) {
    for (int i = 2 * home.bodies().first; i < 2 * home.bodies().end; ++i) add(i, start[i]);
  });
  auto state = stepper.start(0, q, p), before = state;
  for (int k = 0; k < steps; ++k) {
    before = state;
    if (!stepper.step(state, h).converged) ADD_FAILURE() << "step " << k << " is not solved";
  }
  EXPECT_LE(stepper.residual(before, state, h), 1e-13);
  stepper.phase(state, q, p);
  const auto work = stepper.work(before, state, h);
  Path path{Home::values(q), Home::values(p), {work.external, work.dissipated, work.constraints}};
  if constexpr (requires { stepper.constraint_residuals(state); }) {
    auto lambda = home.kkt_solver().multipliers();
    EXPECT_TRUE(stepper.multipliers(state, h, lambda));
    path.push_back(Home::values(lambda));
    const auto off = stepper.constraint_residuals(state);
    EXPECT_LE(off.position, 1e-13);
    EXPECT_LE(off.velocity, 1e-13);
  }
  return path;
}

double norm(const std::vector<double>& x) { return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0)); }

// |a - b| / |b|, of positions, momenta, work and multipliers the largest
double distance(const Path& a, const Path& b) {
  double worst = 0;
  for (std::size_t part = 0; part < b.size(); ++part) {
    std::vector<double> difference = a.at(part);
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= b[part].at(i);
    const double d = norm(difference);
    if (d > 0) worst = std::max(worst, d / norm(b[part]));
  }
  return worst;
}

constexpr double twelve_digits = 1e-12;

template <int bodies, class Make>
void expect_one_path(const ChainData& data, Make make) {
  const Path fixed = run(fixed_home<bodies>(), data, make), sparse = run(sparse_home(bodies), data, make),
             distributed = run(Distributed(bodies), data, make);
  ASSERT_EQ(fixed[0].size(), 2u * bodies);
  EXPECT_GT(distance({zigzag(bodies, data)}, {fixed[0]}), 0.1);  // it has moved
  EXPECT_GT(norm(fixed[1]), 0.1);
  EXPECT_LE(distance(sparse, fixed), twelve_digits);
  EXPECT_LE(distance(distributed, fixed), twelve_digits);
}

struct Midpoint {
  ChainData data;
  template <class Home>
  auto operator()(const Home& home) const {
    using System = Chain<Home>;
    return method::VariationalStepper(discrete::Quadrature<System>(System(home, data), discrete::Nodes::one(0.5)));
  }
};
struct Newmark {
  ChainData data;
  double beta = 0.25;
  template <class Home>
  auto operator()(const Home& home) const {
    using System = Chain<Home>;
    return method::NewmarkStepper<System>(System(home, data), method::Newmark{beta, 0.5});
  }
};

struct Constrained {
  ChainData data;
  discrete::Nodes nodes;
  bool project = true;
  template <class Home>
  auto operator()(const Home& home) const {
    using System = Pendula<Home>;
    return method::ConstrainedStepper(discrete::Quadrature<System>(System(home, data), nodes), project);
  }
};

ChainData frictionless() {
  ChainData data;
  data.c = 0;
  return data;
}

TEST(OnePath, of_the_midpoint_rule) { expect_one_path<6>({}, Midpoint{{}}); }
TEST(OnePath, of_the_midpoint_rule_without_friction) { expect_one_path<6>(frictionless(), Midpoint{frictionless()}); }
TEST(OnePath, of_newmark) { expect_one_path<6>({}, Newmark{{}}); }
TEST(OnePath, of_newmark_without_friction) { expect_one_path<6>(frictionless(), Newmark{frictionless()}); }
TEST(OnePath, of_explicit_newmark) { expect_one_path<6>(frictionless(), Newmark{frictionless(), 0}); }
TEST(OnePath, of_rattle) { expect_one_path<6>({}, Constrained{{}, discrete::Nodes::symmetric(0)}); }
TEST(OnePath, of_rattle_without_friction) {
  expect_one_path<6>(frictionless(), Constrained{frictionless(), discrete::Nodes::symmetric(0)});
}
TEST(OnePath, of_shake) { expect_one_path<6>(frictionless(), Constrained{frictionless(), discrete::Nodes::symmetric(0), false}); }
TEST(OnePath, of_the_midpoint_rule_with_constraints) { expect_one_path<6>({}, Constrained{{}, discrete::Nodes::one(0.5)}); }
// A start off the links, put on them
template <class Home>
Path projected(const Home& home, const ChainData& data) {
  Pendula<Home> system(home, data);
  const std::vector<double> start = zigzag(home.bodies().all, data);
  auto q = home.space().vector(), v = q;
  const auto fill = [&](auto& x, auto&& number) {
    Home::add_to(x, [&](auto&& add) {
      for (int i = 2 * home.bodies().first; i < 2 * home.bodies().end; ++i) add(i, number(i));
    });
  };
  fill(q, [&](int i) { return 1.01 * start[i] + 0.002 * std::sin(5.0 * i); });
  fill(v, [](int i) { return std::cos(3.0 * i); });
  const auto report = discrete::project(system, 0.2, q, v);
  EXPECT_TRUE(report.found);
  return {Home::values(q), Home::values(v), {report.position}, {report.velocity}};
}
TEST(OneStart, on_the_constraints) {
  const Path fixed = projected(fixed_home<6>(), {});
  EXPECT_GT(fixed[2][0], 0.005);
  EXPECT_GT(fixed[3][0], 0.05);
  EXPECT_LE(distance(projected(sparse_home(6), {}), fixed), twelve_digits);
  EXPECT_LE(distance(projected(Distributed(6), {}), fixed), twelve_digits);
}
TEST(OnePath, of_two_bodies_on_more_ranks_than_bodies) {
  expect_one_path<2>({}, Midpoint{{}});
  expect_one_path<2>({}, Newmark{{}});
  expect_one_path<2>({}, Constrained{{}, discrete::Nodes::symmetric(0)});
  expect_one_path<2>(frictionless(), Constrained{frictionless(), discrete::Nodes::symmetric(0)});
}

}  // namespace
}  // namespace actio::test
