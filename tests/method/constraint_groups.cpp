#include <gtest/gtest.h>

#include <fmt/format.h>
#include <actio/core/archive.hpp>
#include <actio/core/parallel.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/assembled.hpp>
#include <cmath>
#include <common.hpp>
#include <method/count_allocations.hpp>
#include <string>

#include "rattle_problem.hpp"

// Rigid molecules, whose constraints are solved group by group side by side, against the matrices of the full space.
namespace actio::method {
namespace {

using Eigen::VectorXd;
using Space = BuildOptions::Space;
using actio::test::eps;

std::optional<system::ConstraintGroups> groups(const io::Problem& p) {
  const auto model = system::compile(p.model, {"none", {}}, false);
  return system::Assembled<algebra::SparseSpace>(model, system::layout<algebra::SparseSpace>(*model, true)).constraint_groups();
}

// Ten triangles of unequal masses, nine dimers of unequal lengths, whose last packs are not full, and an atom that is free, along
// a line of springs. `more` are keys of the system.
std::string molecules(const std::string& more = "") {
  std::string x, y, vx, vy;
  const auto atom = [&](double at, double up, double right, double upward) {
    x += fmt::format("{:.17g}, ", at);
    y += fmt::format("{:.17g}, ", up);
    vx += fmt::format("{:.17g}, ", 0.1 + right);
    vy += fmt::format("{:.17g}, ", upward);
  };
  for (int a = 0; a < 10; ++a) {
    const double rate = 0.1 * (a % 4);
    atom(2 * a, 0, 0, 0);
    atom(2 * a + 0.96, 0.28, -0.28 * rate, 0.96 * rate);
    atom(2 * a, 1, -rate, 0);
  }
  for (int b = 0; b < 9; ++b) {
    atom(20 + 3 * b, 0.5, 0, 0.2);
    atom(21 + 3.1 * b, 0.5, 0, b == 4 ? 0 : 0.2 - 0.05 * b);
  }
  atom(50, 1, 0, 0.3);
  return R"toml(coordinates = ["x[49]", "y[49]"]
mass = { x = "1 + 0.2*sin(i)", y = "1 + 0.2*sin(i)" }
tables = { d = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8] }
)toml" + more +
         R"toml(
[[system.term]]
over = "k = 0..47"
potential = "0.2*((x[k+1] - x[k])^2 + (y[k+1] - y[k])^2) + 0.02*y[k]^4"
[[system.constraint]]
over = "a = 0..9, i = 0..1"
expression = "(x[3*a+i+1] - x[3*a+i])^2 + (y[3*a+i+1] - y[3*a+i])^2 - (1 - i + i*1.44)"
[[system.constraint]]
over = "a = 0..9"
expression = "sqrt((x[3*a+2] - x[3*a])^2 + (y[3*a+2] - y[3*a])^2) - 1"
[[system.constraint]]
over = "b = 0..8"
expression = "(x[31+2*b] - x[30+2*b])^2 + (y[31+2*b] - y[30+2*b])^2 - d[b]^2"
[initial]
position = { x = [)toml" +
         x + "], y = [" + y + "] }\nvelocity = { x = [" + vx + "], y = [" + vy + "] }\n";
}

TEST(ConstraintGroups, are_those_of_molecules) {
  EXPECT_TRUE(groups(rattle_problem(molecules())));
  EXPECT_FALSE(groups(rattle_problem(molecules("fixed = [\"y[39]\"]"))));
  EXPECT_FALSE(groups(rattle_problem(molecules("redundant = \"least-squares\""))));
}

// The same equations in another order of sums: 40 eps of the size a step, and a system that is not chaotic in 2 units of time.
TEST(ConstraintGroups, walk_the_path_of_the_full_space) {
  const io::Problem p = rattle_problem(molecules());
  for (const AnyMethod& choice : {AnyMethod(Rattle{}), AnyMethod(Shake{})}) {
    const auto full = started(p, choice, Space::dense), grouped = started(p, choice, Space::sparse);
    const auto a = full->advance(40, 0.05), b = grouped->advance(40, 0.05);
    ASSERT_TRUE(a.ok && b.ok) << b.what;
    EXPECT_NEAR(static_cast<double>(a.iterations), static_cast<double>(b.iterations), 2);
    const Snapshot one = snapshot(*full), other = snapshot(*grouped);
    EXPECT_LT((one.q - other.q).norm(), 40 * 40 * eps * one.q.norm());
    EXPECT_LT((one.p - other.p).norm(), 40 * 40 * eps * one.q.norm());
    VectorXd of_full, of_groups;
    full->multipliers(0.05, of_full);
    grouped->multipliers(0.05, of_groups);
    EXPECT_LT((of_full - of_groups).norm(), 40 * 40 * eps / 0.05 / 0.05 * (1 + of_full.norm()));
  }
}

TEST(ConstraintGroups, go_on_to_the_bit_from_an_archive) {
  const io::Problem p = rattle_problem(molecules());
  const auto whole = started(p, Rattle{}, Space::sparse), resumed = started(p, Rattle{}, Space::sparse);
  ASSERT_TRUE(whole->advance(7, 0.05).ok);
  core::Archive out;
  whole->archive(out);
  ASSERT_TRUE(resumed->advance(3, 0.04).ok);
  core::Archive in(out.bytes());
  resumed->archive(in);
  for (const double h : {0.05, 0.03}) {
    ASSERT_TRUE(whole->advance(5, h).ok && resumed->advance(5, h).ok);
    const Snapshot a = snapshot(*whole), b = snapshot(*resumed);
    EXPECT_EQ((a.q - b.q).norm() + (a.p - b.p).norm(), 0);
  }
}

TEST(ConstraintGroups, go_back_to_where_they_started) {
  const io::Problem p = rattle_problem(molecules());
  const auto integrator = started(p, Rattle{}, Space::sparse);
  const Snapshot start = snapshot(*integrator);
  ASSERT_TRUE(integrator->advance(20, 0.05).ok && integrator->advance(20, -0.05).ok);
  const Snapshot back = snapshot(*integrator);
  EXPECT_LT((back.q - start.q).norm() + (back.p - start.p).norm(), 40 * 40 * eps * start.q.norm());
}

// 5000 pendulums are 40 blocks, which threads share.
TEST(ConstraintGroups, give_the_same_bits_on_any_number_of_threads) {
  const io::Problem p = rattle_problem(R"toml(coordinates = ["x[5000]", "y[5000]"]
mass = 1
[[system.term]]
over = "k = 0..4999"
potential = "y[k] + 0.1*x[k]^4"
[[system.constraint]]
over = "k = 0..4999"
expression = "x[k]^2 + y[k]^2 - 1"
[initial]
position = { x = "sin(i)", y = "-cos(i)" }
)toml");
  ASSERT_TRUE(groups(p));
  const int threads = core::threads();
  VectorXd first;
  for (const int count : {1, 2, 3}) {
    core::set_threads(count);
    const auto integrator = started(p, Rattle{}, Space::sparse);
    const auto report = integrator->advance(20, 0.05);
    ASSERT_TRUE(report.ok);
    const Snapshot s = snapshot(*integrator);
    if (count == 1) first = s.q;
    EXPECT_EQ((s.q - first).norm(), 0);
    EXPECT_LT((s.q.head(5000).cwiseAbs2() + s.q.tail(5000).cwiseAbs2() - VectorXd::Ones(5000)).cwiseAbs().maxCoeff(), 8 * eps);
    const VectorXd along = s.q.head(5000).cwiseProduct(s.p.head(5000)) + s.q.tail(5000).cwiseProduct(s.p.tail(5000));
    EXPECT_LT(along.cwiseAbs().maxCoeff(), 8 * eps * s.p.cwiseAbs().maxCoeff());
  }
  core::set_threads(threads);
}

TEST(ConstraintGroups, allocate_nothing_in_a_step) {
  const auto integrator = started(rattle_problem(molecules()), Rattle{}, Space::sparse);
  ASSERT_TRUE(integrator->advance(10, 0.05).ok);
  const long before = ::tests::allocations();
  ASSERT_TRUE(integrator->advance(20, 0.05).ok);
  EXPECT_EQ(::tests::allocations(), before);
}

TEST(ConstraintGroups, leave_the_state_where_no_positions_are_found) {
  const auto integrator = started(rattle_problem(molecules()), Rattle{}, Space::sparse);
  const Snapshot before = snapshot(*integrator);
  EXPECT_FALSE(integrator->advance(1, 1e3).ok);
  const Snapshot after = snapshot(*integrator);
  EXPECT_EQ((after.q - before.q).norm() + (after.p - before.p).norm(), 0);
}

// Two atoms at one place have no direction between them: G is 0 there.
TEST(ConstraintGroups, refuse_a_jacobian_that_has_lost_rank) {
  const io::Problem p = rattle_problem(molecules());
  auto of = groups(p);
  ASSERT_TRUE(of);
  VectorXd q = p.q0, momentum = VectorXd::Ones(98), mu = VectorXd::Zero(39);
  EXPECT_TRUE(of->project(q, momentum, mu));
  q[47] = q[46];
  q[96] = q[95];
  const VectorXd before = momentum;
  EXPECT_FALSE(of->project(q, momentum, mu));
  EXPECT_EQ((momentum - before).norm(), 0);
}

}  // namespace
}  // namespace actio::method
