#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/algebra/symmetric.hpp>
#include <random>

namespace actio::algebra {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// |K x - b| in units of eps |K| |x|: a backward stable solver stays within a few n.
double backward_error(const MatrixXd& K, const VectorXd& b, const VectorXd& x) {
  return (K * x - b).norm() / (2.2e-16 * (K.norm() * x.norm() + b.norm()));
}

// 1 + s [[1, -1], [-1, 1]] in the first two coordinates: a stiff spring between soft ones
MatrixXd stiff(long n, double s) {
  MatrixXd K = MatrixXd::Identity(n, n);
  K.topLeftCorner(2, 2) += s * (MatrixXd(2, 2) << 1, -1, -1, 1).finished();
  return K;
}

std::vector<MatrixXd> matrices(long n) {
  std::vector<MatrixXd> all;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 20; ++k) {
    MatrixXd A(n, n);
    for (double& a : A.reshaped()) a = normal(random);
    all.push_back(A);
    all.push_back(A + A.transpose());  // indefinite
    all.push_back(A * A.transpose() + MatrixXd::Identity(n, n));
    const VectorXd scale = VectorXd::LinSpaced(n, -12, 12).array().exp();
    all.push_back(scale.asDiagonal() * (A * A.transpose() + MatrixXd::Identity(n, n)) * scale.asDiagonal());
    all.push_back(1e-47 * (A * A.transpose() + MatrixXd::Identity(n, n)));  // a molecule's inertia [kg m^2]
  }
  if (n > 1)
    for (double s = 1; s < 1e15; s *= 10) all.push_back(stiff(n, s));
  return all;
}

template <int N>
void check_dense(long n) {
  DenseSpace<N> space;
  space.n = n;
  auto solver = space.solver();
  for (const MatrixXd& A : matrices(n)) {
    typename DenseSpace<N>::Matrix K(A);
    typename DenseSpace<N>::Vector b(VectorXd::LinSpaced(n, 1, -1.5)), x = b;
    if (solver.factor(K)) {
      solver.solve(b, x);
      EXPECT_LT(backward_error(A, eigen(b), eigen(x)), 1e6) << A;  // of cofactors: eps times the condition they accept
    } else {
      EXPECT_GT(A.norm() * A.inverse().norm(), 1e5) << A;  // it gives up only where it should
    }
    ASSERT_TRUE(solver.factor_pivoted(K));
    solver.solve_pivoted(b, x);
    EXPECT_LT(backward_error(A, eigen(b), eigen(x)), 200) << A;
  }
  typename DenseSpace<N>::Matrix zero(MatrixXd::Zero(n, n));
  EXPECT_FALSE(solver.factor(zero) || solver.factor_pivoted(zero));
  typename DenseSpace<N>::Matrix nan(MatrixXd::Constant(n, n, std::nan("")));
  EXPECT_FALSE(solver.factor(nan) || solver.factor_pivoted(nan));
}

TEST(DenseSolver, is_backward_stable_where_it_matters) {
  check_dense<1>(1);
  check_dense<2>(2);
  check_dense<3>(3);
  check_dense<4>(4);
  check_dense<6>(6);
  check_dense<Eigen::Dynamic>(12);
}

void check_sparse(long n, bool symmetric) {
  for (const MatrixXd& A : matrices(n)) {
    if (symmetric && !A.isApprox(A.transpose(), 1e-14)) continue;
    SparseMatrix K = A.sparseView(0, 0);
    SparseSolver solver(K, symmetric);
    const VectorXd b = VectorXd::LinSpaced(n, 1, -1.5);
    VectorXd x(n);
    for (int again = 0; again < 2; ++again) {  // the second time with old pivots
      ASSERT_TRUE(solver.factor(K));
      solver.solve(b, x);
      EXPECT_LT(backward_error(A, b, x), 1e5) << A;
    }
  }
}

TEST(SparseSolver, solves_symmetric_systems_definite_or_not) { check_sparse(9, true); }
TEST(SparseSolver, solves_general_systems) { check_sparse(9, false); }

// Pivots that were good for one matrix and are tiny for the next.
TEST(SparseSolver, finds_new_pivots_when_the_old_ones_fail) {
  for (const bool symmetric : {true, false}) {
    MatrixXd A(2, 2);
    A << 1, 2, 2, 1;
    SparseMatrix K = A.sparseView(0, 0);
    SparseSolver solver(K, symmetric);
    const VectorXd b = VectorXd::LinSpaced(2, 1, 3);
    VectorXd x(2);
    for (const double a : {1.0, 1e-18, 0.0}) {
      A(0, 0) = A(1, 1) = a;
      K.coeffRef(0, 0) = K.coeffRef(1, 1) = a;
      ASSERT_TRUE(solver.factor(K)) << symmetric << a;
      solver.solve(b, x);
      EXPECT_LT(backward_error(A, b, x), 100) << symmetric << a;
    }
  }
}

TEST(SparseSolver, says_when_a_matrix_is_singular) {
  for (const bool symmetric : {true, false}) {
    MatrixXd A = MatrixXd::Ones(3, 3);
    SparseMatrix K = A.sparseView(0, 0);
    SparseSolver solver(K, symmetric);
    EXPECT_FALSE(solver.factor(K));
    K.coeffRef(0, 0) = std::nan("");
    EXPECT_FALSE(solver.factor(K));
  }
  SparseMatrix M = MatrixXd::Identity(3, 3).sparseView();
  SparseSolver solver(M, true);
  ASSERT_TRUE(solver.factor(M));
  EXPECT_TRUE(solver.positive());
  M.coeffRef(1, 1) = -1;
  ASSERT_TRUE(solver.factor(M));
  EXPECT_FALSE(solver.positive());
}

// L D L' and Cholesky without pivoting are backward stable where K is positive definite, and say no where it is not.
template <int N>
void check_symmetric(long n) {
  DenseSpace<N> space;
  space.n = n;
  SymmetricSolver<DenseSpace<N>> solver(space);
  int positive = 0, indefinite = 0;
  for (const MatrixXd& A : matrices(n)) {
    if (!A.isApprox(A.transpose(), 1e-14)) continue;
    typename DenseSpace<N>::Matrix K(A);
    typename DenseSpace<N>::Vector b(VectorXd::LinSpaced(n, 1, -1.5)), x = b;
    const double smallest = Eigen::SelfAdjointEigenSolver<MatrixXd>(A).eigenvalues().minCoeff();
    if (solver.factor(K)) {
      EXPECT_GT(smallest, -1e-14 * A.norm()) << A;
      ++positive;
      solver.solve(b, x);
      EXPECT_LT(backward_error(A, eigen(b), eigen(x)), 200) << A;
    } else {
      EXPECT_LT(smallest, 1e-14 * A.norm()) << A;
      ++indefinite;
      ASSERT_TRUE(solver.factor_pivoted(K));
      solver.solve_pivoted(b, x);
      EXPECT_LT(backward_error(A, eigen(b), eigen(x)), 200) << A;
    }
  }
  EXPECT_GT(positive, 20);
  EXPECT_GT(indefinite, 5);
  typename DenseSpace<N>::Matrix none = space.matrix();
  EXPECT_FALSE(solver.factor(none));
  EXPECT_FALSE(solver.factor_pivoted(none));
  none(n - 1, n - 1) = std::nan("");
  EXPECT_FALSE(solver.factor(none));
}

TEST(SymmetricSolver, solves_what_is_positive_definite_and_pivots_for_the_rest) {
  check_symmetric<1>(1);
  check_symmetric<2>(2);
  check_symmetric<3>(3);
  check_symmetric<4>(4);
  check_symmetric<6>(6);
  check_symmetric<Eigen::Dynamic>(9);
}

}  // namespace
}  // namespace actio::algebra
