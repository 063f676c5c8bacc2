#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/solve/minimise.hpp>
#include <cmath>
#include <random>

namespace actio::solve {
namespace {

using Space = algebra::DenseSpace<2>;
using Vector = Space::Vector;
using Matrix = Space::Matrix;

// f = 1/2 |x - b|^2 + c (r^2 - 1)^2, r^2 = x . x
template <class SpaceType>
struct Ring {
  using Vector = typename SpaceType::Vector;
  using Matrix = typename SpaceType::Matrix;
  double c;
  Vector b;
  int values = 0, slopes = 0;
  double value(const Vector& x, double& size) {
    using algebra::dot;
    ++values;
    const Vector y = x - b;
    const double r2 = dot(x, x);
    return size = 0.5 * dot(y, y) + c * (r2 - 1) * (r2 - 1);
  }
  void slope(const Vector& x, double shift, Vector& g, Matrix& K) {
    using algebra::dot;
    ++slopes;
    const double r2 = dot(x, x);
    g = x - b;
    g += (4 * c * (r2 - 1)) * x;
    SpaceType::clear(K);
    for (long i = 0; i < x.size(); ++i)
      for (long j = 0; j < x.size(); ++j) K.coeffRef(i, j) = 8 * c * x[i] * x[j] + (i == j ? 1 + shift + 4 * c * (r2 - 1) : 0);
  }
  auto of_value() {
    return [this](const Vector& x, double& size) { return value(x, size); };
  }
  auto of_slope() {
    return [this](const Vector& x, double shift, Vector& g, Matrix& K) { slope(x, shift, g, K); };
  }
};

// Between the start and the minimum f is not convex: Newton's method goes to the maximum, damped or not.
TEST(Minimise, finds_the_minimum_where_newton_finds_a_maximum) {
  Ring<Space> f{10, {0.3, 0.0}};
  const Vector start{0.1, 0.05};
  Newton<Space> newton(Space{});
  const auto equations = [&](const Vector& x, Vector& r, Matrix& K) { f.slope(x, 0, r, K); };
  Vector x = start;
  ASSERT_TRUE(newton.solve(equations, x, [] { return 0.0; }).converged);
  EXPECT_LT(x.norm(), 0.01);  // the top of the hat
  x = start;
  ASSERT_TRUE(newton.solve_damped(equations, x, 0).converged);
  EXPECT_LT(x.norm(), 0.01);

  Minimise<Space> minimise(Space{});
  x = start;
  const auto report = minimise(f.of_value(), f.of_slope(), x, 0);
  ASSERT_TRUE(report.converged);
  EXPECT_TRUE(minimise.minimum());
  EXPECT_NEAR(x.norm(), 1, 0.05);
  EXPECT_GT(x[0], 0);
  Vector g;
  Matrix K;
  f.slope(x, 0, g, K);
  EXPECT_LT(g.norm(), 1e-13);
  EXPECT_LT(report.iterations, 15);
}

// From anywhere, on every space: f at the end is below f at the start, the gradient vanishes, the Hessian is positive.
template <class SpaceType>
void from_everywhere(const SpaceType& space) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Minimise<SpaceType> minimise(space);
  typename SpaceType::Vector x = space.vector(), g = x, b = x;
  auto K = space.matrix();
  for (int k = 0; k < 200; ++k) {
    for (long i = 0; i < b.size(); ++i) b[i] = normal(random);
    Ring<SpaceType> f{std::exp(3 * normal(random)), b};
    const double far = std::exp(2 * normal(random));
    for (long i = 0; i < x.size(); ++i) x[i] = far * normal(random);
    double size = 0;
    const double before = f.value(x, size);
    const auto report = minimise(f.of_value(), f.of_slope(), x, 0);
    ASSERT_TRUE(report.converged) << "start " << k;
    EXPECT_TRUE(minimise.minimum());
    EXPECT_LE(f.value(x, size), before);
    f.slope(x, 0, g, K);
    EXPECT_LT(std::sqrt(algebra::dot(g, g)), 1e-14 * (1 + 20 * f.c)) << "start " << k;
  }
}

algebra::SparseSpace full_pattern(long n) {
  algebra::SparseMatrix ones = Eigen::MatrixXd::Ones(n, n).sparseView();
  ones.coeffs().setZero();
  return {n, std::make_shared<const algebra::SparseMatrix>(ones), true};
}

TEST(Minimise, ends_in_a_minimum_from_everywhere_on_every_space) {
  from_everywhere(algebra::DenseSpace<1>{});
  from_everywhere(algebra::DenseSpace<2>{});
  from_everywhere(algebra::DenseSpace<4>{});
  from_everywhere(algebra::DenseSpace<6>{});
  from_everywhere(algebra::DenseSpace<Eigen::Dynamic>{7});
  from_everywhere(full_pattern(5));
}

TEST(Minimise, squares_its_error_and_ends_without_another_evaluation) {
  Ring<Space> f{1, {2.0, 1.0}};
  Vector x{2.0, 1.0};
  Minimise<Space> minimise(Space{});
  const auto report = minimise(f.of_value(), f.of_slope(), x, 0);
  ASSERT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 7);
  EXPECT_EQ(f.slopes, report.iterations);
  EXPECT_EQ(f.values, report.iterations);
  Vector g;
  Matrix K;
  f.slope(x, 0, g, K);
  EXPECT_LT(g.norm(), 2e-14);
}

// The decrease of f is 1e-8 of its rounding in the last steps; f is 1e6 + something small.
TEST(Minimise, does_not_trust_differences_of_f_that_are_rounding) {
  Ring<Space> f{1, {2.0, 1.0}};
  const auto value = [&](const Vector& x, double& size) {
    const double y = 1e6 + f.value(x, size);
    size = 2e6;
    return y;
  };
  for (double away = 1; away > 1e-12; away /= 3) {
    Vector x{1.2 + away, 0.7 - away}, y = x;
    Minimise<Space> minimise(Space{});
    ASSERT_TRUE(minimise(f.of_value(), f.of_slope(), y, 0).converged);
    ASSERT_TRUE(minimise(value, f.of_slope(), x, 0).converged) << away;
    EXPECT_LT((x - y).norm(), 1e-15);
  }
}

// log cosh x, whose values are rounded so that they seem to rise: whole steps leave the minimum from |x| = 1.09 on, and only the
// slope tells.
TEST(Minimise, shortens_steps_by_the_slope_where_differences_of_f_are_rounding) {
  long calls = 0;
  const auto value = [&](const Vector&, double& size) {
    size = 1e8;
    return 1e8 + 1e-4 * static_cast<double>(++calls);
  };
  const auto slope = [](const Vector& x, double shift, Vector& g, Matrix& K) {
    const double c = std::cosh(x[0]);
    g = {std::tanh(x[0]), x[1]};
    K = {1 / (c * c) + shift, 0, 0, 1 + shift};
  };
  for (const double start : {1.2, 1.5, 2.0, 2.5}) {
    Vector x{start, 0.4};
    calls = 0;
    Minimise<Space> minimise(Space{});
    ASSERT_TRUE(minimise(value, slope, x, 0).converged) << start;
    EXPECT_LT(x.norm(), 1e-12) << start;
  }
}

TEST(Minimise, says_when_there_is_no_minimum) {
  Minimise<Space> minimise(Space{});
  Vector x{0.3, 0.2};
  const auto falling = minimise([](const Vector& y, double& size) { return size = -std::exp(y[0]) + y[1] * y[1]; },
                                [](const Vector& y, double shift, Vector& g, Matrix& K) {
                                  g = {-std::exp(y[0]), 2 * y[1]};
                                  K = {shift - std::exp(y[0]), 0, 0, 2 + shift};
                                },
                                x, 0);
  EXPECT_FALSE(falling.converged);
  EXPECT_EQ(x[0], 0.3);  // the guess again
  const auto nan = minimise([](const Vector&, double& size) { return size = std::nan(""); },
                            [](const Vector&, double, Vector& g, Matrix& K) {
                              g = {std::nan(""), 0.0};
                              K = Matrix::Identity();
                            },
                            x, 0);
  EXPECT_FALSE(nan.converged);
}

// At the top of a hat to the last digit nothing says which way is down.
TEST(Minimise, says_when_it_stands_on_a_saddle) {
  Ring<Space> f{10, {0.0, 0.0}};
  Vector x{0.0, 0.0};
  Minimise<Space> minimise(Space{});
  EXPECT_TRUE(minimise(f.of_value(), f.of_slope(), x, 0).converged);
  EXPECT_FALSE(minimise.minimum());
}

TEST(DefiniteSolver, factors_positive_definite_matrices_and_no_others) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const auto check = [&](const auto& space, long n) {
    algebra::DefiniteSolver solver(space);
    auto K = space.matrix();
    auto b = space.vector(), x = b;
    for (int k = 0; k < 50; ++k) {
      Eigen::MatrixXd A(n, n);
      for (double& a : A.reshaped()) a = normal(random);
      const Eigen::MatrixXd S = A + A.transpose() + 3 * Eigen::MatrixXd::Identity(n, n);
      for (long i = 0; i < n; ++i) {
        b[i] = normal(random);
        for (long j = 0; j < n; ++j) K.coeffRef(i, j) = S(i, j);
      }
      const double least = S.selfadjointView<Eigen::Lower>().eigenvalues()[0];
      ASSERT_EQ(solver.factor(K), least > 0) << least;
      if (least <= 0) continue;
      solver.solve(b, x);
      EXPECT_LT((S * Eigen::VectorXd(algebra::eigen(x)) - algebra::eigen(b)).norm(),
                1e-14 * static_cast<double>(n) * S.norm() * x.norm());
    }
  };
  check(algebra::DenseSpace<1>{}, 1);
  check(algebra::DenseSpace<3>{}, 3);
  check(algebra::DenseSpace<4>{}, 4);
  check(algebra::DenseSpace<5>{}, 5);
  check(algebra::DenseSpace<Eigen::Dynamic>{6}, 6);
  check(full_pattern(5), 5);
}

}  // namespace
}  // namespace actio::solve
