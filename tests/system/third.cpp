#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/system/assembled.hpp>

#include "laws/systems.hpp"

// V'''(q)[a, a] and the Hessian of the stiff terms, against differences and against the parts they are made of, term by term and
// as one kernel, full and sparse, compiled and interpreted.
namespace actio::system {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Ranges, data columns, a wrapped index, a parameter, the time, a full mass; `fixed` holds two coordinates.
io::Problem lattice(bool fixed) {
  return laws::problem(std::string(R"toml(
[system]
coordinates = ["u[7]", "s"]
tables = { k = [1, 2, 3, 1, 2, 3, 1] }
parameters = { c = 0.7 }
mass = 1.5
potential = "0.2*s^4 + c*u[0]*s^2*cos(t)"
)toml") + (fixed ? "fixed = [\"u[2]\", \"s\"]\n" : "") +
                       R"toml(
[[system.term]]
over = "i = 0..6"
periodic = true
potential = "k[i]*(1 - cos(u[i+1] - u[i])) + 0.1*u[i]^4"
[[system.term]]
over = "i = 0..6"
potential = "0.5*k[i]*u[i]^2"
[[system.term]]
over = "i = 0..6, j = i..6"
potential = "0.05*sin(u[i])*u[j]^2"
[initial]
position = { u = "0.3*sin(2*i)", s = 0.4 }
)toml");
}

VectorXd direction(const io::Problem& problem) {
  VectorXd a = VectorXd::LinSpaced(problem.q0.size(), 1.3, -0.8);
  for (const auto i : problem.model.fixed_dofs) a[i] = 0;
  return a;
}

template <class Space>
void check_third(const io::Problem& problem, bool fuse, const char* compiler) {
  const auto compiled = compile(problem.model, {compiler, {}}, fuse, Highest::third);
  Assembled<Space> system(compiled, layout<Space>(*compiled, Entries::potential));
  const VectorXd q = problem.q0, a = direction(problem);
  const double t = 0.3, width = 2e-3;
  using Vector = typename Space::Vector;
  // V''(q + s a) a
  const auto along = [&](double s) {
    Vector at = VectorXd(q + s * a), f = at;
    auto K = system.space().matrix();
    system.stiffness(t, at, 0, 1, f, K);
    return VectorXd(MatrixXd(algebra::EigenMatrix<Space>(K)) * a);
  };
  const VectorXd expected = (8 * (along(width) - along(-width)) - (along(2 * width) - along(-2 * width))) / (12 * width);
  Vector at = q, direction = a, out = at;
  system.third(t, at, direction, out);
  const VectorXd third = algebra::eigen(out);
  ASSERT_GT(third.norm(), 0.1);
  EXPECT_LT((third - expected).norm(), 1e-8 * (1 + expected.norm()));
  for (const auto i : problem.model.fixed_dofs) EXPECT_EQ(third[i], 0);
}

TEST(Third, is_the_derivative_of_the_hessian_along_a_direction) {
  for (const char* compiler : {"", "none"}) {
    for (const io::Problem& problem : {lattice(false), lattice(true), io::load("examples/pleiades.toml")}) {
      SCOPED_TRACE(problem.model.title + problem.model.coordinate_name(0) + compiler);
      check_third<algebra::DenseSpace<Eigen::Dynamic>>(problem, true, compiler);
      check_third<algebra::DenseSpace<Eigen::Dynamic>>(problem, false, compiler);
      check_third<algebra::SparseSpace>(problem, false, compiler);
    }
    check_third<algebra::DenseSpace<2>>(laws::oscillator().problem, true, compiler);
    check_third<algebra::DenseSpace<2>>(laws::oscillator().problem, false, compiler);
    check_third<algebra::DenseSpace<3>>(laws::full_mass().problem, true, compiler);
    check_third<algebra::SparseSpace>(laws::full_mass().problem, false, compiler);
  }
}

TEST(Third, of_a_quadratic_potential_is_zero) {
  const io::Problem problem = laws::problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = 1.0
potential = "(x - y)^2 + 3*x^2"
[initial]
position = [1.2, 0.1]
)toml");
  for (const bool fuse : {true, false}) {
    const auto compiled = compile(problem.model, {}, fuse, Highest::third);
    using Space = algebra::DenseSpace<2>;
    Assembled<Space> system(compiled, layout<Space>(*compiled, Entries::potential));
    Space::Vector out{1.0, 2.0};
    system.third(0, {1.2, 0.1}, {1.0, -1.0}, out);
    EXPECT_EQ(out.norm(), 0);
  }
}

// V'' of the terms marked stiff and of nothing else, all of the force, and a pattern with no room for more.
template <class Space>
void check_stiff(bool fixed) {
  io::Problem problem = lattice(fixed);
  problem.model.terms[1].stiff = true;  // of neighbours
  const auto compiled = compile(problem.model, {}, false);
  Assembled<Space> system(compiled, layout<Space>(*compiled, Entries::stiff));
  Assembled<Space> whole(compiled, layout<Space>(*compiled, true));
  io::Problem alone = problem;
  alone.model.terms = {problem.model.terms[1]};
  const auto compiled_alone = compile(alone.model, {}, false);
  Assembled<Space> V1(compiled_alone, layout<Space>(*compiled_alone, true));
  VectorXd f = problem.q0, f_whole = f, f_alone = f;
  auto K = system.space().matrix(), K_whole = whole.space().matrix(), K_alone = V1.space().matrix();
  system.stiff_stiffness(0.3, problem.q0, 2, 0.7, f, K);
  whole.stiffness(0.3, problem.q0, 2, 0.7, f_whole, K_whole);
  V1.stiffness(0.3, problem.q0, 2, 0.7, f_alone, K_alone);
  EXPECT_LT((f - f_whole).norm(), 1e-14 * f.norm());
  EXPECT_LT((MatrixXd(K) - MatrixXd(K_alone)).norm(), 1e-14 * MatrixXd(K).norm());
  EXPECT_GT((MatrixXd(K) - MatrixXd(K_whole)).norm(), 0.01);
  EXPECT_FALSE(system.stiff_linear());
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
    EXPECT_EQ(system.space().pattern->nonZeros(), 3 * 7 + 1);
    EXPECT_TRUE(system.space().symmetric);
  }
}

TEST(StiffTerms, give_their_hessian_and_the_force_of_all) {
  for (const bool fixed : {false, true}) {
    check_stiff<algebra::DenseSpace<Eigen::Dynamic>>(fixed);
    check_stiff<algebra::SparseSpace>(fixed);
  }
}

TEST(StiffTerms, are_linear_when_their_hessians_are_constant) {
  io::Problem problem = lattice(false);
  problem.model.terms[2].stiff = true;  // quadratic
  const auto compiled = compile(problem.model, {}, false);
  EXPECT_TRUE(compiled->stiff_linear);
  EXPECT_FALSE(compiled->linear);
}

}  // namespace
}  // namespace actio::system
