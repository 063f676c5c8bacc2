#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <actio/algebra/sparse.hpp>
#include <actio/core/parallel.hpp>
#include <cmath>
#include <random>
#include <thread>

// Factorisations of large matrices: which one is taken, what copies share, how often one is made.
namespace actio::algebra {
namespace {

using Eigen::VectorXd;

// A cube of k^3 unit masses, each tied to its 26 neighbours by unit springs and to the ground by one of stiffness `ground`.
SparseMatrix cube(int k, double ground) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto at = [k](int x, int y, int z) { return x + k * (y + k * z); };
  for (int z = 0; z < k; ++z)
    for (int y = 0; y < k; ++y)
      for (int x = 0; x < k; ++x) {
        double sum = ground;
        for (int c = std::max(z - 1, 0); c <= std::min(z + 1, k - 1); ++c)
          for (int b = std::max(y - 1, 0); b <= std::min(y + 1, k - 1); ++b)
            for (int a = std::max(x - 1, 0); a <= std::min(x + 1, k - 1); ++a)
              if (at(a, b, c) != at(x, y, z)) {
                entries.emplace_back(at(x, y, z), at(a, b, c), -1);
                ++sum;
              }
        entries.emplace_back(at(x, y, z), at(x, y, z), sum);
      }
  SparseMatrix K(k * k * k, k * k * k);
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

VectorXd random_vector(long n) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(n, [&] { return normal(random); });
}

// |K x - b| / (|K| |x| + |b|) with the largest row sum: backward stable within some n eps
double backward_error(const SparseMatrix& K, const VectorXd& b, const VectorXd& x) {
  const double size = (K.cwiseAbs() * VectorXd::Ones(K.cols())).maxCoeff();
  return (K * x - b).lpNorm<Eigen::Infinity>() / (size * x.lpNorm<Eigen::Infinity>() + b.lpNorm<Eigen::Infinity>());
}

constexpr double few_eps = 100 * 2.2e-16;
const std::string of_a_cube = "supernodal L L'";

TEST(SparseSolver, takes_supernodes_where_the_factor_has_work_and_only_there) {
  SparseMatrix K = cube(14, 1);
  SparseSolver large(K, true);
  ASSERT_TRUE(large.factor(K));
  EXPECT_EQ(large.method(), of_a_cube);
  SparseMatrix tree(4095, 4095);
  for (int i = 0; i < 4095; ++i) tree.insert(i, i) = 4;
  for (int i = 1; i < 4095; ++i) tree.insert(i, (i - 1) / 2) = tree.insert((i - 1) / 2, i) = -1;
  tree.makeCompressed();
  SparseSolver thin(tree, true);
  ASSERT_TRUE(thin.factor(tree));
  EXPECT_STREQ(thin.method(), "L D L'");
  EXPECT_EQ(thin.nonzeros(), 2 * 4095 - 1);  // a tree fills nothing in
}

TEST(SparseSolver, supernodes_are_backward_stable) {
  const SparseMatrix K = cube(14, 1e-6);  // condition about 1e8
  SparseSolver solver(K, true);
  const VectorXd b = random_vector(K.rows());
  VectorXd x = b;
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(solver.factor(K));
    EXPECT_TRUE(solver.positive());
    solver.solve(b, x);
    EXPECT_LT(backward_error(K, b, x), few_eps);
  }
  x = b;
  solver.solve(x, x);  // in place
  EXPECT_LT(backward_error(K, b, x), few_eps);
}

// In one piece, and in subtrees and tiles: a cube of 22^3 has 2e9 operations.
TEST(SparseSolver, factors_to_the_bit_whatever_the_number_of_threads) {
  for (const int k : {14, 22}) {
    const SparseMatrix K = cube(k, 1e-3);
    const int before = core::threads();
    VectorXd alone;
    for (const int threads : {1, 2, 3, 7}) {
      core::set_threads(threads);
      SparseSolver solver(K, true);
      ASSERT_TRUE(solver.factor(K));
      VectorXd d;
      solver.pivots(d);
      if (threads == 1) alone = d;
      EXPECT_TRUE((d.array() == alone.array()).all()) << k << " " << threads;
    }
    core::set_threads(before);
  }
}

TEST(SparseSolver, fails_at_one_coordinate_whatever_the_number_of_threads) {
  SparseMatrix K = cube(22, 1);
  for (int i = 0; i < K.rows(); i += 97) K.coeffRef(i, i) = -5;  // in several subtrees and above them
  const int before = core::threads();
  VectorXd alone;
  for (const int threads : {1, 2, 3}) {
    core::set_threads(threads);
    SparseSolver solver(K, true);
    EXPECT_FALSE(solver.factor_positive(K));
    VectorXd d;
    solver.pivots(d);
    EXPECT_EQ((d.array() == 0).count(), 1);
    for (long i = 0; i < d.size(); ++i)
      if (!(d[i] > 0)) d[i] = d[i] == 0 ? 0 : -1;
    if (threads == 1) alone = d;
    EXPECT_TRUE((d.array() == alone.array()).all()) << threads;
  }
  core::set_threads(before);
}

// Subtrees and rows of a factor are divided among threads by what it is, not by how many there are.
TEST(SparseSolver, solves_to_the_bit_whatever_the_number_of_threads) {
  const SparseMatrix K = cube(22, 1e-3);  // the last supernode has 400 columns: several panels
  SparseSolver solver(K, true);
  ASSERT_TRUE(solver.factor(K));
  EXPECT_EQ(solver.method(), of_a_cube);
  const VectorXd b = random_vector(K.rows());
  const int before = core::threads();
  for (const Digits digits : {Digits::all, Digits::few}) {
    core::set_threads(1);
    VectorXd alone;
    solver.solve(b, alone, digits);
    EXPECT_LT(backward_error(K, b, alone), digits == Digits::all ? few_eps : 1e-5);
    for (const int threads : {2, 3, 7}) {
      core::set_threads(threads);
      SparseSolver copy = solver;
      VectorXd x;
      copy.solve(b, x, digits);
      EXPECT_TRUE((x.array() == alone.array()).all()) << threads;
    }
  }
  core::set_threads(before);
}

TEST(SparseSolver, gives_few_digits_only_where_they_are_exact_enough) {
  const SparseMatrix K = cube(14, 1e-3);
  SparseSolver solver(K, true);
  const VectorXd b = random_vector(K.rows());
  VectorXd x, few;
  ASSERT_TRUE(solver.factor(K));
  solver.solve(b, x);
  solver.solve(b, few, Digits::few);
  EXPECT_LT((few - x).norm(), 1e-3 * x.norm());
  EXPECT_GT((few - x).norm(), 1e-9 * x.norm());
  // an iteration with them gets all digits
  for (int k = 0; k < 6; ++k) {
    VectorXd dx;
    solver.solve(K * few - b, dx, Digits::few);
    few -= dx;
  }
  EXPECT_LT(backward_error(K, b, few), few_eps);

  const SparseMatrix large = 1e80 * K;  // L is beyond the range of single precision
  ASSERT_TRUE(solver.factor(large));
  solver.solve(b, x);
  solver.solve(b, few, Digits::few);
  EXPECT_LT(backward_error(large, b, x), few_eps);
  EXPECT_TRUE((few.array() == x.array()).all());
}

// det K = product of the pivots, whoever orders: log det of a cube against that of the same cube without supernodes
TEST(SparseSolver, pivots_multiply_to_the_determinant) {
  const SparseMatrix K = cube(14, 1);
  SparseSolver solver(K, true);
  ASSERT_TRUE(solver.factor_positive(K));
  VectorXd d;
  solver.pivots(d);
  ASSERT_EQ(d.size(), K.rows());
  const Eigen::SimplicialLDLT<SparseMatrix> other(K);
  const double expected = other.vectorD().array().log().sum();
  EXPECT_NEAR(d.array().log().sum(), expected, few_eps * expected);
  EXPECT_GE(d.minCoeff(), 1);  // a pivot is a Schur complement, and 1 is a bound of the least eigenvalue
}

TEST(SparseSolver, falls_back_when_a_large_matrix_is_indefinite_and_returns) {
  const SparseMatrix K = cube(14, 1);
  SparseMatrix indefinite = K;
  indefinite.coeffRef(700, 700) = -5;
  SparseSolver solver(K, true);
  const VectorXd b = random_vector(K.rows());
  VectorXd x = b;
  ASSERT_TRUE(solver.factor(indefinite));
  EXPECT_FALSE(solver.positive());
  EXPECT_STREQ(solver.method(), "L D L'");
  solver.solve(b, x);
  EXPECT_LT(backward_error(indefinite, b, x), 1e-8);  // of pivots as small as 1e-8 of their columns
  ASSERT_TRUE(solver.factor(K));
  EXPECT_EQ(solver.method(), of_a_cube);
  solver.solve(b, x);
  EXPECT_LT(backward_error(K, b, x), few_eps);
  EXPECT_EQ(solver.factorisations(), 2);
}

TEST(SparseSolver, names_the_coordinate_a_large_matrix_fails_at) {
  SparseMatrix K = cube(14, 1);
  K.coeffRef(700, 700) = -5;
  SparseSolver solver(K, true);
  EXPECT_FALSE(solver.factor_positive(K));
  EXPECT_FALSE(solver.positive());
  VectorXd d;
  solver.pivots(d);
  long bad = -1;
  for (long i = 0; i < d.size(); ++i)
    if (d[i] <= 0) bad = i;
  EXPECT_EQ(bad, 700);  // without it the matrix is positive definite, so it cannot fail before, and with it no longer
  K.coeffRef(700, 700) = std::nan("");
  EXPECT_FALSE(solver.factor_positive(K));
  EXPECT_FALSE(solver.factor(K));
}

TEST(SparseSolver, copies_share_numbers_until_one_factors_again) {
  for (const int k : {4, 14}) {  // L D L' and L L'
    const SparseMatrix K = cube(k, 1), fourfold = 4 * K;
    SparseSolver first(K, true);
    ASSERT_TRUE(first.factor(K));
    SparseSolver copy(first);
    EXPECT_EQ(copy.factorisations(), 1);
    const VectorXd b = random_vector(K.rows());
    VectorXd x = b, y = b;
    first.solve(b, x);
    copy.solve(b, y);
    EXPECT_EQ(x, y);  // the same numbers
    ASSERT_TRUE(copy.factor(fourfold));
    EXPECT_EQ(copy.factorisations(), 2);
    EXPECT_EQ(first.factorisations(), 1);
    copy.solve(b, y);
    EXPECT_EQ(x, 4 * y);  // powers of two, of which L has the root: exact
    first.solve(b, y);
    EXPECT_EQ(x, y);
  }
}

TEST(SparseSolver, copies_solve_in_different_threads) {
  for (const bool symmetric : {true, false}) {
    const SparseMatrix K = cube(10, 1);
    SparseSolver first(K, symmetric);
    ASSERT_TRUE(first.factor(K));
    const VectorXd b = random_vector(K.rows());
    VectorXd x = b;
    first.solve(b, x);
    std::vector<VectorXd> y(4, b);
    std::vector<std::thread> threads;
    for (VectorXd& mine : y)
      threads.emplace_back([&first, &b, &mine] {
        const SparseSolver copy(first);
        for (int again = 0; again < 20; ++again) copy.solve(b, mine);
      });
    for (auto& thread : threads) thread.join();
    for (const VectorXd& mine : y) EXPECT_LT((mine - x).norm(), 1e-12 * x.norm()) << symmetric;
  }
}

TEST(SparseProduct, of_a_symmetric_matrix_row_by_row) {
  const SparseMatrix K = cube(5, 0.3);
  const VectorXd x = random_vector(K.rows());
  VectorXd y = x, expected = K * x;
  SparseSpace::multiply_symmetric(K, x, y);
  EXPECT_LT((y - expected).norm(), 1e-15 * 27 * expected.norm());
  add_symmetric_product(-0.5, K, x, y);
  EXPECT_LT((y - 0.5 * expected).norm(), 1e-15 * 27 * expected.norm());
}

}  // namespace
}  // namespace actio::algebra
