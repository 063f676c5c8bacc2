#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/solve/newton.hpp>
#include <cmath>
#include <vector>

namespace actio::solve {
namespace {

using algebra::SparseSpace;
using Dense = algebra::DenseSpace<Eigen::Dynamic>;

SparseSpace full_space(int n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) entries.emplace_back(i, j, 0.0);
  auto pattern = std::make_shared<algebra::SparseMatrix>(n, n);
  pattern->setFromTriplets(entries.begin(), entries.end());
  pattern->makeCompressed();
  SparseSpace space;
  space.n = n;
  space.pattern = std::move(pattern);
  return space;
}

// K = 1 + key (ones + 2)
template <class Matrix>
void tangent(double key, Matrix& K) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) K.coeffRef(i, j) = (i == j ? 1 + 2 * key : 0) + key;
}
Eigen::VectorXd solution(double key, const Eigen::VectorXd& b) {
  Eigen::MatrixXd K(3, 3);
  tangent(key, K);
  return K.partialPivLu().solve(b);
}
const Eigen::VectorXd b = (Eigen::VectorXd(3) << 1, -2, 0.5).finished();

template <class Space>
void expect_kept(const Space& space) {
  Factorisations<Space> kept(space);
  Eigen::VectorXd x(3), y(3);
  for (int round = 0; round < 3; ++round)
    for (const double key : {0.5, 0.1, 0.0}) {
      ASSERT_TRUE(kept.solve(
          key, [&](auto& K) { tangent(key, K); }, b, x));
      EXPECT_LT((x - solution(key, b)).norm(), 1e-14);
    }
  EXPECT_EQ(kept.count(), 3);
  EXPECT_TRUE(kept.multiply(0.0, x, y));  // the last one made
  EXPECT_LT((y - b).norm(), 1e-14);
  EXPECT_FALSE(kept.multiply(0.5, x, y));
  auto copy = kept;
  ASSERT_TRUE(copy.solve(
      0.5, [](auto&) { FAIL() << "made again"; }, b, x));
  EXPECT_LT((x - solution(0.5, b)).norm(), 1e-14);
  EXPECT_EQ(copy.count(), 3);
}

TEST(Factorisations, are_made_once_for_every_key_and_shared_with_copies) {
  expect_kept(Dense{3});
  expect_kept(full_space(3));
}

TEST(Factorisations, drop_the_one_unused_for_longest) {
  using Kept = Factorisations<Dense>;
  Kept kept(Dense{3});
  Eigen::VectorXd x(3);
  const auto solve = [&](int k) {
    const double key = 0.01 * k;
    const long before = kept.count();
    EXPECT_TRUE(kept.solve(
        key, [&](auto& K) { tangent(key, K); }, b, x));
    EXPECT_LT((x - solution(key, b)).norm(), 1e-14);
    return kept.count() > before;
  };
  const int most = static_cast<int>(Kept::most_kept);
  for (int k = 1; k <= most; ++k) EXPECT_TRUE(solve(k));
  EXPECT_FALSE(solve(1));
  EXPECT_TRUE(solve(most + 1));  // 2 leaves
  EXPECT_FALSE(solve(1));
  EXPECT_TRUE(solve(2));
}

TEST(Factorisations, say_when_a_matrix_is_singular_and_try_it_again) {
  Eigen::VectorXd x(3);
  const auto expect = [&](auto space) {
    Factorisations kept(space);
    EXPECT_FALSE(kept.solve(
        1, [](auto& K) { decltype(space)::clear(K); }, b, x));
    EXPECT_FALSE(kept.solve(
        1, [](auto& K) { tangent(std::nan(""), K); }, b, x));
    EXPECT_TRUE(kept.solve(
        1, [](auto& K) { tangent(1.0, K); }, b, x));
    EXPECT_LT((x - solution(1, b)).norm(), 1e-14);
  };
  expect(Dense{3});
  expect(full_space(3));
}

// A diagonal matrix is divided by, whatever its pattern allows.
TEST(Factor, divides_where_the_matrix_is_diagonal) {
  const int n = 300;
  const SparseSpace space = full_space(n);
  Factor<SparseSpace> factor(space);
  auto K = space.matrix();
  for (int i = 0; i < n; ++i) K.coeffRef(i, i) = i + 1;
  ASSERT_TRUE(factor.factor(K));
  EXPECT_EQ(factor.size(), 300U);
  Eigen::VectorXd x(n);
  factor.solve(Eigen::VectorXd::Ones(n), x);
  for (int i = 0; i < n; ++i) ASSERT_DOUBLE_EQ(x[i], 1.0 / (i + 1));
  K.coeffRef(0, 1) = K.coeffRef(1, 0) = 0.5;
  ASSERT_TRUE(factor.factor(K));
  EXPECT_GT(factor.size(), 300U);
  factor.solve(Eigen::VectorXd::Ones(n), x);
  EXPECT_LT((K * x - Eigen::VectorXd::Ones(n)).norm(), 1e-12);
}

TEST(Newton, solves_linear_equations_at_once_and_knows_what_is_left) {
  const Dense space{3};
  Newton<Dense> newton(space, true);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(3), r(3);
  const auto report = newton.solve_linear(
      0.3,
      [](const Eigen::VectorXd& at, Eigen::VectorXd& out) {
        Eigen::MatrixXd K(3, 3);
        tangent(0.3, K);
        out = K * at - b;
      },
      [](Eigen::MatrixXd& K) { tangent(0.3, K); }, x);
  ASSERT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(newton.factorisations(), 1);
  EXPECT_LT((x - solution(0.3, b)).norm(), 1e-14);
  ASSERT_TRUE(newton.rest(0.3, x, r));
  EXPECT_LT(r.norm(), 1e-14);
  ASSERT_TRUE(newton.rest(0.3, 2 * x, r));
  EXPECT_NEAR((r - b).norm(), 0, 1e-14);
}

}  // namespace
}  // namespace actio::solve
