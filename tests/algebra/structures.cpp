#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "../../src/algebra/structure.hpp"
#include "../../src/algebra/structured.hpp"

// Solvers written for what a pattern is: blocks, chains, rings, bands. By the solver of large systems, and on every kind of
// machine this one can stand for.
namespace actio::algebra {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Couplings = std::vector<std::pair<int, int>>;

Couplings chain(int n) {
  Couplings all;
  for (int i = 0; i + 1 < n; ++i) all.emplace_back(i, i + 1);
  return all;
}
Couplings ring(int n) {
  Couplings all = chain(n);
  all.emplace_back(0, n - 1);
  return all;
}
Couplings band(int n, int b) {
  Couplings all;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j <= std::min(i + b, n - 1); ++j) all.emplace_back(i, j);
  return all;
}
// Pieces of `size` coordinates, each tied to all others of its piece but one pair.
Couplings pieces(int n, int size) {
  Couplings all;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < std::min((i / size + 1) * size, n); ++j)
      if (size < 4 || i % size != 0 || j % size != 2) all.emplace_back(i, j);
  return all;
}

std::vector<int> shuffled(int n, std::mt19937& random) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

// Entries are random; each diagonal one is the sum of the others' sizes and `margin`, so that the least eigenvalue is `margin` or
// more.
SparseMatrix matrix(int n, const Couplings& couplings, double margin, std::mt19937& random, bool shuffle) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<int> place(static_cast<std::size_t>(n));
  std::iota(place.begin(), place.end(), 0);
  if (shuffle) place = shuffled(n, random);
  std::vector<Eigen::Triplet<double>> entries;
  VectorXd diagonal = VectorXd::Constant(n, margin);
  for (const auto& [i, j] : couplings) {
    const double k = uniform(random);
    diagonal[i] += std::abs(k), diagonal[j] += std::abs(k);
    entries.emplace_back(place[i], place[j], k);
    entries.emplace_back(place[j], place[i], k);
  }
  for (int i = 0; i < n; ++i) entries.emplace_back(place[i], place[i], diagonal[i]);
  SparseMatrix K(n, n);
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

VectorXd random_vector(long n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(n, [&] { return normal(random); });
}

// The residual in units of eps |K| |x|. L D L' of a positive definite matrix: a few times the entries of a row of L.
double backward_error(const SparseMatrix& K, const VectorXd& b, const VectorXd& x) {
  const double size = (K.cwiseAbs() * VectorXd::Ones(K.cols())).maxCoeff();
  return (K * x - b).lpNorm<Eigen::Infinity>() / (2.2e-16 * (size * x.lpNorm<Eigen::Infinity>() + b.lpNorm<Eigen::Infinity>()));
}
constexpr double few = 20;

double log_determinant(const SparseMatrix& K) {
  const MatrixXd L = MatrixXd(K).llt().matrixL();
  return 2 * L.diagonal().array().log().sum();
}

void check(const SparseMatrix& K, const std::string& method, std::mt19937& random) {
  SparseSolver solver(K, true);
  const VectorXd b = random_vector(K.rows(), random);
  VectorXd x(b.size());
  ASSERT_TRUE(solver.factor(K));
  EXPECT_EQ(solver.method(), method) << K.rows();
  EXPECT_TRUE(solver.positive());
  solver.solve(b, x);
  EXPECT_LT(backward_error(K, b, x), few) << K.rows();
  VectorXd in_place = b;
  solver.solve(in_place, in_place);
  EXPECT_EQ(in_place, x) << K.rows();
  SparseSolver in_one_pass(K, true);
  VectorXd z = b;
  ASSERT_TRUE(in_one_pass.factor_and_solve(K, z, z));
  EXPECT_EQ(in_one_pass.method(), method) << K.rows();
  EXPECT_EQ(in_one_pass.factorisations(), 1);
  EXPECT_LT(backward_error(K, b, z), few) << K.rows();
  in_one_pass.solve(b, z);
  EXPECT_LT(backward_error(K, b, z), few) << K.rows();
  VectorXd d;
  solver.pivots(d);
  ASSERT_EQ(d.size(), K.rows());
  const double expected = log_determinant(K);
  EXPECT_NEAR(d.array().log().sum(), expected, 1e-15 * static_cast<double>(K.rows()) * (20 + std::abs(expected)));
  EXPECT_GE(d.minCoeff(), 0.0099);  // Schur complements are no smaller than the least eigenvalue
}

TEST(StructuredSolver, takes_chains_and_rings_in_any_order) {
  std::mt19937 random(1);
  for (int n = TridiagonalAnalysis::least; n <= 300; n += n < 90 ? 1 : 13)
    for (const bool shuffle : {false, true}) {
      check(matrix(n, chain(n), 0.01, random, shuffle), "tridiagonal L D L'", random);
      check(matrix(n, ring(n), 0.01, random, shuffle), "tridiagonal L D L'", random);
    }
}

TEST(StructuredSolver, takes_narrow_bands_in_any_order) {
  std::mt19937 random(2);
  for (int b = 1; b <= 8; ++b)
    for (int n = b + 1; n < (b == 1 ? TridiagonalAnalysis::least : 300); n += n < 20 ? 1 : 37)
      for (const bool shuffle : {false, true}) check(matrix(n, band(n, b), 0.01, random, shuffle), "banded L D L'", random);
  for (int n = 5; n < TridiagonalAnalysis::least; n += 7) check(matrix(n, ring(n), 0.01, random, true), "banded L D L'", random);
  check(matrix(100, band(100, 16), 0.01, random, false), "banded L D L'", random);
}

TEST(StructuredSolver, takes_blocks_of_any_size_and_order) {
  std::mt19937 random(3);
  for (int size = 1; size <= 16; ++size)
    for (int n = 4 * size; n <= (ACTIO_TEST_SHORT ? 80 : 300); n += 1 + 5 * size)
      for (const bool shuffle : {false, true})
        check(matrix(n, pieces(n, size), 0.01, random, shuffle), "L D L' of blocks", random);
}

// A chain of pendula in the plane, positions (x_i) and then (y_i): each mass is tied to its neighbours in both coordinates.
Couplings chain_in_the_plane(int n) {
  Couplings all;
  for (int i = 0; i < n; ++i) {
    all.emplace_back(i, n + i);
    if (i + 1 == n) break;
    for (const int a : {i, n + i})
      for (const int b : {i + 1, n + i + 1}) all.emplace_back(a, b);
  }
  return all;
}

TEST(StructuredSolver, takes_a_chain_in_the_plane_as_a_band_of_three_beside_the_diagonal) {
  std::mt19937 random(4);
  for (const int n : {2, 3, 10, 100}) {
    const SparseMatrix K = matrix(2 * n, chain_in_the_plane(n), 0.01, random, false);
    check(K, "banded L D L'", random);
    SparseSolver solver(K, true);
    ASSERT_TRUE(solver.factor(K));
    EXPECT_EQ(solver.nonzeros(), 2 * n * 4);
  }
}

TEST(StructuredSolver, leaves_wide_patterns_and_trees_to_others) {
  std::mt19937 random(5);
  Couplings star, tree;
  for (int i = 1; i < 60; ++i) star.emplace_back(0, i), tree.emplace_back((i - 1) / 2, i);
  for (const Couplings& couplings : {band(200, 40), star, tree}) {
    const int n = couplings.size() > 100 ? 200 : 60;
    const SparseMatrix K = matrix(n, couplings, 0.01, random, true);
    SparseSolver solver(K, true);
    ASSERT_TRUE(solver.factor(K));
    EXPECT_EQ(std::string(solver.method()).find("banded"), std::string::npos) << n;
    const VectorXd b = random_vector(n, random);
    VectorXd x(n);
    solver.solve(b, x);
    EXPECT_LT(backward_error(K, b, x), few);
  }
}

TEST(StructuredSolver, counts_the_entries_of_L) {
  std::mt19937 random(6);
  const auto entries = [&](int n, const Couplings& couplings) {
    const SparseMatrix K = matrix(n, couplings, 1, random, false);
    SparseSolver solver(K, true);
    EXPECT_TRUE(solver.factor(K));
    return solver.nonzeros();
  };
  EXPECT_EQ(entries(80, pieces(80, 8)), 10 * 36);  // as if full
  EXPECT_EQ(entries(80, band(80, 4)), 80 * 5);
  EXPECT_EQ(entries(80, ring(80)), 3 * 80 - 3);  // all but the last two reach two others
  // The first of ten rows of each piece has nothing before it: 5 rows of the first piece and two of the ends.
  EXPECT_EQ(entries(80, chain(80)), 3 * 80 - 3 - 5 - 2);
}

const std::vector<std::pair<int, Couplings>> samples{
    {200, ring(200)}, {203, chain(203)}, {90, band(90, 3)}, {90, band(90, 9)}, {90, pieces(90, 9)}};

TEST(StructuredSolver, leaves_indefinite_matrices_to_others_and_returns) {
  std::mt19937 random(7);
  for (const auto& [n, couplings] : samples)
    for (const int at : {0, n / 2, n - 1}) {
      const SparseMatrix K = matrix(n, couplings, 0.01, random, true);
      SparseMatrix indefinite = K;
      indefinite.coeffRef(at, at) *= -1;
      SparseSolver solver(K, true);
      const VectorXd b = random_vector(n, random);
      VectorXd x(n);
      EXPECT_FALSE(solver.factor_positive(indefinite));
      VectorXd d;
      solver.pivots(d);
      EXPECT_LT(d.minCoeff(), 0) << n;
      ASSERT_TRUE(solver.factor(indefinite));
      EXPECT_FALSE(solver.positive());
      solver.solve(b, x);
      EXPECT_LT((indefinite * x - b).norm(), 1e-8 * b.norm()) << n;  // of pivots as small as 1e-8 of their columns
      ASSERT_TRUE(solver.factor(K));
      EXPECT_TRUE(solver.positive());
      solver.solve(b, x);
      EXPECT_LT(backward_error(K, b, x), few) << n;
    }
}

TEST(StructuredSolver, solves_in_one_pass_what_is_indefinite_and_refuses_what_is_not_finite) {
  std::mt19937 random(11);
  for (const auto& couplings : {ring(80), band(80, 3), pieces(80, 5), band(80, 30)}) {
    SparseMatrix K = matrix(80, couplings, 0.01, random, true);
    SparseSolver solver(K, true);
    const VectorXd b = random_vector(80, random);
    VectorXd x = b;
    K.coeffRef(17, 17) = -3;
    ASSERT_TRUE(solver.factor_and_solve(K, x, x));
    EXPECT_FALSE(solver.positive());
    EXPECT_LT((K * x - b).norm(), 1e-8 * K.norm() * x.norm());  // of pivots as small as 1e-8 of their columns
    K.coeffRef(17, 17) = std::numeric_limits<double>::quiet_NaN();
    x = b;
    EXPECT_FALSE(solver.factor_and_solve(K, x, x));
    K.coeffRef(17, 17) = 10;
    x = b;
    ASSERT_TRUE(solver.factor_and_solve(K, x, x));
    EXPECT_LT((K * x - b).norm(), 1e-8 * K.norm() * x.norm());  // of pivots as small as 1e-8 of their columns
  }
}

TEST(StructuredSolver, sees_what_is_not_finite) {
  std::mt19937 random(8);
  for (const auto& [n, couplings] : samples) {
    const SparseMatrix K = matrix(n, couplings, 0.01, random, false);
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
      for (const long entry : {0L, 1L, static_cast<long>(K.nonZeros() / 2), static_cast<long>(K.nonZeros() - 1)}) {
        SparseMatrix broken = K;
        int row = 0, column = 0;
        for (int j = 0; j < n; ++j)
          for (int k = K.outerIndexPtr()[j]; k < K.outerIndexPtr()[j + 1]; ++k)
            if (k == entry) row = K.innerIndexPtr()[k], column = j;
        broken.coeffRef(row, column) = broken.coeffRef(column, row) = bad;
        SparseSolver solver(K, true);
        EXPECT_FALSE(solver.factor_positive(broken)) << n << ' ' << entry << ' ' << bad;
        EXPECT_FALSE(solver.positive());
      }
    SparseMatrix zero = K;
    zero.coeffs().setZero();
    SparseSolver solver(K, true);
    EXPECT_FALSE(solver.factor(zero));
  }
}

template <class Solver, class Analysis>
void check_on(Machine on, std::shared_ptr<const Analysis> analysis, const SparseMatrix& K, std::mt19937& random) {
  Solver solver(std::move(analysis), on);
  typename Solver::Work work;
  const VectorXd b = random_vector(K.rows(), random);
  VectorXd x(b.size());
  ASSERT_TRUE(solver.factor(K));
  solver.solve(b.data(), x.data(), work);
  EXPECT_LT(backward_error(K, b, x), few) << K.rows();
  SparseMatrix indefinite = K;
  indefinite.coeffRef(17, 17) *= -1;
  EXPECT_FALSE(solver.factor(indefinite));
}

TEST(StructuredSolver, is_the_same_on_every_machine) {
  std::mt19937 random(9);
  for (const Machine on : {Machine::plain, Machine::wide, Machine::widest}) {
    if (on > machine()) continue;
    for (const auto& [n, couplings] : samples) {
      const SparseMatrix K = matrix(n, couplings, 0.01, random, true);
      Structure is = find_structure(K, TridiagonalAnalysis::least, BlocksAnalysis::most, BandedAnalysis::most);
      if (is.kind == Structure::Kind::blocks)
        check_on<Blocks>(on, std::make_shared<const BlocksAnalysis>(K, is.order, is.starts), K, random);
      else if (is.kind == Structure::Kind::banded)
        check_on<Banded>(on, std::make_shared<const BandedAnalysis>(K, is.order, is.bandwidth), K, random);
      else
        check_on<Tridiagonal>(on, std::make_shared<const TridiagonalAnalysis>(K, is.order, is.kind == Structure::Kind::ring), K,
                              random);
    }
  }
}

}  // namespace
}  // namespace actio::algebra
