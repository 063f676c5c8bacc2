#include <gtest/gtest.h>

#include <actio/solve/lowest_modes.hpp>
#include <cmath>
#include <numbers>

// The lowest modes of chains, by decomposition and by Lanczos.
namespace actio::solve {
namespace {

using algebra::SparseMatrix;

struct Matrices {
  SparseMatrix K, M;
};

// `copies` chains of n masses of 1 that know nothing of each other, their coordinates in turn; springs of 1 between the masses,
// and to walls unless they are free.
Matrices chains(int n, int copies = 1, bool free = false) {
  std::vector<Eigen::Triplet<double>> k, m;
  for (int c = 0; c < copies; ++c)
    for (int i = 0; i < n; ++i) {
      const int at = i * copies + c;
      k.emplace_back(at, at, free && (i == 0 || i == n - 1) ? 1 : 2);
      m.emplace_back(at, at, 1);
      if (i == 0) continue;
      for (const auto& [row, column] : {std::pair{at, at - copies}, {at - copies, at}}) {
        k.emplace_back(row, column, -1);
        m.emplace_back(row, column, 0);
      }
    }
  Matrices out{SparseMatrix(n * copies, n * copies), SparseMatrix(n * copies, n * copies)};
  out.K.setFromTriplets(k.begin(), k.end());
  out.M.setFromTriplets(m.begin(), m.end());
  return out;
}

// lambda_k = 4 sin^2(k pi / (2 n + 2)), k = 1, 2, ...; with free ends 4 sin^2(k pi / (2 n)), k = 0, 1, ...
double of_chain(int k, int n, bool free = false) {
  const double s = std::sin(k * std::numbers::pi / (free ? 2 * n : 2 * n + 2));
  return 4 * s * s;
}

constexpr LowestModesOptions by_lanczos{0};
constexpr double round_off = 4e-13;  // of the highest eigenvalue, 4: a thousand operations on numbers of that size

TEST(LowestModes, of_a_chain_are_those_of_the_closed_formula) {
  for (const int n : {100, 1000, ACTIO_TEST_SHORT ? 2000 : 30000}) {
    for (const bool free : {false, true}) {
      const Matrices c = chains(n, 1, free);
      const LowestModes m = lowest_modes(c.K, c.M, 7, by_lanczos);
      ASSERT_TRUE(m.found()) << m.why_not;
      EXPECT_EQ(m.not_proved, "");
      for (int k = 0; k < 7; ++k) {
        const double exact = of_chain(free ? k : k + 1, n, free);
        EXPECT_NEAR(m.lambda[k], exact, round_off) << n << " " << k;
        EXPECT_LE(std::abs(m.lambda[k] - exact), m.error[k] + round_off);
        EXPECT_LE(m.error[k], 1e-6 * (exact + of_chain(1, n)));
      }
      EXPECT_EQ((m.lambda.array().abs() <= m.zero).count(), free ? 1 : 0);
    }
  }
}

TEST(LowestModes, by_lanczos_and_by_decomposition_agree_with_a_full_mass) {
  Matrices c = chains(150);
  c.M.coeffs() += c.K.coeffs() / -6;  // 4/6, 1/6
  const LowestModes a = lowest_modes(c.K, c.M, 12), b = lowest_modes(c.K, c.M, 12, by_lanczos);
  ASSERT_TRUE(a.found() && b.found());
  for (int k = 0; k < 12; ++k) {
    EXPECT_NEAR(a.lambda[k], b.lambda[k], 1e-12);
    EXPECT_LE((a.x.col(k) - b.x.col(k)).cwiseAbs().maxCoeff(), 1e-7) << k;  // signs too
    EXPECT_GT(a.x.col(k).maxCoeff(), (1 - 1e-5) * a.x.col(k).cwiseAbs().maxCoeff());
  }
  for (const LowestModes& m : {a, b}) {
    const Eigen::MatrixXd MX = c.M * m.x, KX = c.K * m.x;
    EXPECT_LE((m.x.transpose() * MX - Eigen::MatrixXd::Identity(12, 12)).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LE((KX - MX * m.lambda.asDiagonal()).cwiseAbs().maxCoeff(), 1e-9);
  }
}

// Five of three pairs: the last pair is cut, and still none is missing.
TEST(LowestModes, finds_both_of_two_equal_ones) {
  const Matrices c = chains(120, 2);
  for (const long count : {2L, 5L}) {
    const LowestModes m = lowest_modes(c.K, c.M, count, by_lanczos);
    ASSERT_TRUE(m.found()) << m.why_not;
    EXPECT_EQ(m.not_proved, "");
    for (int k = 0; k < count; ++k) EXPECT_NEAR(m.lambda[k], of_chain(k / 2 + 1, 120), round_off) << k;
  }
}

// More than a block of 8 can see: the count of the pivots says so, and a wider one finds them.
TEST(LowestModes, finds_all_of_twelve_equal_ones) {
  const Matrices c = chains(40, 12);
  const LowestModes m = lowest_modes(c.K, c.M, 24, by_lanczos);
  ASSERT_TRUE(m.found()) << m.why_not;
  EXPECT_EQ(m.not_proved, "");
  for (int k = 0; k < 24; ++k) EXPECT_NEAR(m.lambda[k], of_chain(k / 12 + 1, 40), round_off) << k;
}

TEST(LowestModes, that_grow_come_first) {
  Matrices c = chains(300);
  const double lowered = (of_chain(2, 300) + of_chain(3, 300)) / 2;
  c.K.coeffs() -= lowered * c.M.coeffs();
  const LowestModes m = lowest_modes(c.K, c.M, 4);
  ASSERT_TRUE(m.found()) << m.why_not;
  EXPECT_EQ(m.not_proved, "");
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(m.lambda[k], of_chain(k + 1, 300) - lowered, round_off);
  EXPECT_EQ((m.lambda.array() < 0).count(), 2);
}

TEST(LowestModes, are_not_proved_where_the_count_would_take_too_long) {
  const Matrices c = chains(400);
  const LowestModes m = lowest_modes(c.K, c.M, 3, {0, 100});
  ASSERT_TRUE(m.found());
  EXPECT_NE(m.not_proved.find("operations, more than 1e+02"), std::string::npos) << m.not_proved;
}

TEST(LowestModes, need_a_mass_that_is_positive_definite) {
  for (const int n : {50, 300}) {
    Matrices c = chains(n);
    c.M.coeffRef(3, 3) = -1;
    EXPECT_EQ(lowest_modes(c.K, c.M, 2).why_not, "the mass is not positive definite");
  }
}

}  // namespace
}  // namespace actio::solve
