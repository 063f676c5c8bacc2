#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/algebra/minimum_norm.hpp>
#include <actio/algebra/small_kkt.hpp>
#include <random>

namespace actio::algebra {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// n x n of that rank, its entries of size 1.
MatrixXd of_rank(long n, long rank, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto matrix = [&](long rows, long columns) {
    return MatrixXd(MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); }));
  };
  return matrix(n, rank) * matrix(rank, n) / std::sqrt(static_cast<double>(rank));
}

// x is the least solution of least squares: A'(A x - b) = 0, and x is in the range of A'.
void expect_least(const MatrixXd& A, const VectorXd& b, const VectorXd& x) {
  const double size = A.norm() * (A.norm() * x.norm() + b.norm());
  EXPECT_LT((A.transpose() * (A * x - b)).norm(), 1e-13 * size);
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition(A);
  EXPECT_LT((x - decomposition.solve(b)).norm(), 1e-9 * x.norm());
}

TEST(MinimumNorm, finds_the_least_solution_whatever_the_rank) {
  std::mt19937 random(3);
  for (const long n : {1L, 2L, 5L, 8L, 31L, 60L})
    for (const long rank : {1L, (n + 1) / 2, n - 1, n}) {
      if (rank < 1 || rank > n) continue;
      SCOPED_TRACE(testing::Message() << n << " unknowns, rank " << rank);
      const MatrixXd A = of_rank(n, rank, random);
      MinimumNorm solver(n);
      solver.factor(A.data());
      for (int k = 0; k < 3; ++k) {  // one factor, many right sides
        const VectorXd b = of_rank(n, n, random).col(0);
        VectorXd x = b;
        solver.solve(x.data());
        expect_least(A, b, x);
      }
    }
}

TEST(MinimumNorm, gives_zero_for_a_zero_matrix) {
  MinimumNorm solver(3);
  solver.factor(MatrixXd::Zero(3, 3).eval().data());
  VectorXd x = VectorXd::Ones(3);
  solver.solve(x.data());
  EXPECT_EQ(x.norm(), 0);
}

TEST(SmallSystem, is_solved_with_full_pivoting_or_refused) {
  std::mt19937 random(4);
  for (int n = 1; n <= 8; ++n) {
    const MatrixXd A = of_rank(n, n, random);
    const VectorXd b = of_rank(n, n, random).col(0);
    MatrixXd work = A;
    VectorXd x = b;
    ASSERT_TRUE(solve_small_system(n, work.data(), x.data(), false));
    EXPECT_LT((A * x - b).norm(), 1e-14 * (A.norm() * x.norm() + b.norm()));
    work = MatrixXd::Zero(n, n);
    x = b;
    EXPECT_FALSE(solve_small_system(n, work.data(), x.data(), false));
    if (n == 1) continue;
    const MatrixXd singular = of_rank(n, n - 1, random);
    work = singular;
    x = b;
    EXPECT_FALSE(solve_small_system(n, work.data(), x.data(), false));
    work = singular;
    x = b;
    ASSERT_TRUE(solve_small_system(n, work.data(), x.data(), true));
    expect_least(singular, b, x);
  }
}

TEST(SmallSystem, refuses_what_is_not_finite) {
  for (const bool redundant : {false, true}) {
    MatrixXd A = MatrixXd::Identity(2, 2);
    A(0, 1) = std::nan("");
    VectorXd b = VectorXd::Ones(2);
    EXPECT_FALSE(solve_small_system(2, A.data(), b.data(), redundant));
  }
}

}  // namespace
}  // namespace actio::algebra
