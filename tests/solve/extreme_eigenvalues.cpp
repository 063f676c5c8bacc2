#include <gtest/gtest.h>

#include <actio/solve/extreme_eigenvalues.hpp>
#include <cmath>
#include <numbers>

namespace actio::solve {
namespace {

using algebra::SparseMatrix;

struct Chain {
  SparseMatrix K, M;
};
// n masses of 1, springs of 1 between them, and to walls unless it is free.
Chain chain(int n, bool free = false) {
  std::vector<Eigen::Triplet<double>> k, m;
  for (int i = 0; i < n; ++i) {
    k.emplace_back(i, i, free && (i == 0 || i == n - 1) ? 1 : 2);
    m.emplace_back(i, i, 1);
    if (i == 0) continue;
    for (const auto& [row, column] : {std::pair{i, i - 1}, {i - 1, i}}) {
      k.emplace_back(row, column, -1);
      m.emplace_back(row, column, 0);
    }
  }
  Chain out{SparseMatrix(n, n), SparseMatrix(n, n)};
  out.K.setFromTriplets(k.begin(), k.end());
  out.M.setFromTriplets(m.begin(), m.end());
  return out;
}

// lambda_k = 4 sin^2(k pi / (2 n + 2)); with free ends 4 sin^2(k pi / (2 n)), k = 0, 1, ...
double of_chain(int k, int n, bool free = false) {
  const double s = std::sin(k * std::numbers::pi / (free ? 2 * n : 2 * n + 2));
  return 4 * s * s;
}

// A decomposition is exact to round-off of the highest, Lanczos to the 1e-3 it says.
TEST(ExtremeEigenvalues, of_a_chain_are_those_of_the_closed_formula) {
  for (const int n : {3, 100, 200, 201, ACTIO_TEST_SHORT ? 2000 : 20000}) {
    const bool small = n <= largest_decomposed;
    for (const bool free : {false, true}) {
      const Chain c = chain(n, free);
      const auto e = extreme_eigenvalues(c.K, c.M);
      const double low = of_chain(1, n, free), high = of_chain(free ? n - 1 : n, n, free);
      EXPECT_NEAR(e.highest, high, small ? 1e-13 * high : 1e-3 * high) << n;
      EXPECT_NEAR(e.lowest_positive, low, small ? 1e-13 * high : 1e-3 * low) << n;
      EXPECT_EQ(e.zeros, free ? 1 : 0) << n;
      EXPECT_EQ(e.negatives, 0) << n;
      EXPECT_EQ(e.lowest, 0) << n;
      EXPECT_FALSE(e.at_least);
    }
  }
}

TEST(ExtremeEigenvalues, of_a_mass_that_is_full_are_those_of_linear_elements) {
  for (const int n : {100, 3000}) {
    Chain c = chain(n);
    c.M.coeffs() = c.K.coeffs() / -6;  // 1/6, 4/6, 1/6
    for (int i = 0; i < n; ++i) c.M.coeffRef(i, i) += 1;
    const auto e = extreme_eigenvalues(c.K, c.M);
    const auto exact = [&](int k) { return of_chain(k, n) / (1 - of_chain(k, n) / 6); };
    EXPECT_NEAR(e.highest, exact(n), (n <= largest_decomposed ? 1e-12 : 1e-3) * exact(n));
    EXPECT_NEAR(e.lowest_positive, exact(1), 1e-3 * exact(1));
  }
}

// Separate chains have every eigenvalue several times.
// From below, so that a step that is called too large by it is too large.
TEST(HighestEigenvalue, is_found_from_below_to_a_hundredth) {
  for (const int n : {3, 60, 61, 300, 20000})
    for (const bool full : {false, true}) {
      Chain c = chain(n);
      if (full) {
        c.M.coeffs() = c.K.coeffs() / -6;  // 1/6, 4/6, 1/6
        for (int i = 0; i < n; ++i) c.M.coeffRef(i, i) = 4.0 / 6;
      }
      const double s = of_chain(n, n), high = full ? s / (1 - s / 6) : s, lambda = highest_eigenvalue(c.K, c.M);
      EXPECT_LE(lambda, high * (1 + 1e-13)) << n;
      EXPECT_GE(lambda, high * (n <= 60 ? 1 - 1e-13 : 0.99)) << n;
    }
  Chain none = chain(100);
  none.K.coeffs().setZero();
  EXPECT_EQ(highest_eigenvalue(none.K, none.M), 0);
}

TEST(ExtremeEigenvalues, counts_rigid_motions_as_often_as_they_are_there) {
  for (const int length : {20, 2000})
    for (const int chains : {2, 6}) {
      const Chain one = chain(length, true);
      std::vector<Eigen::Triplet<double>> k;
      for (int c = 0; c < chains; ++c)
        for (int j = 0; j < length; ++j)
          for (SparseMatrix::InnerIterator it(one.K, j); it; ++it)
            k.emplace_back(c * length + it.row(), c * length + j, it.value());
      SparseMatrix K(chains * length, chains * length);
      K.setFromTriplets(k.begin(), k.end());
      SparseMatrix M = K;
      M.coeffs().setZero();
      for (int i = 0; i < chains * length; ++i) M.coeffRef(i, i) = 1;
      const auto e = extreme_eigenvalues(K, M);
      EXPECT_EQ(e.zeros, chains) << length;
      EXPECT_NEAR(e.lowest_positive, of_chain(1, length, true), 1e-3 * of_chain(1, length, true)) << length << " " << chains;
    }
}

// K - c M: every eigenvalue is c less.
TEST(ExtremeEigenvalues, finds_the_most_unstable_motion) {
  for (const int n : {100, 3000})
    for (const double c : {0.5, 1e-3}) {
      Chain of = chain(n);
      of.K.coeffs() -= c * of.M.coeffs();
      const auto e = extreme_eigenvalues(of.K, of.M);
      EXPECT_NEAR(e.lowest, of_chain(1, n) - c, 1e-3 * c) << n;
      EXPECT_GE(e.negatives, 1) << n;
      EXPECT_EQ(e.at_least, n > largest_decomposed);
      EXPECT_EQ(std::isnan(e.lowest_positive), n > largest_decomposed);
    }
}

TEST(ExtremeEigenvalues, of_no_stiffness_are_zero) {
  for (const int n : {10, 300}) {
    Chain c = chain(n);
    c.K.coeffs().setZero();
    const auto e = extreme_eigenvalues(c.K, c.M);
    EXPECT_EQ(e.highest, 0);
    EXPECT_EQ(e.zeros, n);
    EXPECT_TRUE(std::isnan(e.lowest_positive));
  }
}

}  // namespace
}  // namespace actio::solve
