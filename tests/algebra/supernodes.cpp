#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "../../src/algebra/supernodal_factor.hpp"

// The structure of a sparse Cholesky factor, against elimination on sets.
namespace actio::algebra {
namespace {

SparseMatrix random_pattern(int n, int pairs, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 2.0 * n);
  for (int k = 0; k < pairs; ++k) {
    const int i = static_cast<int>(random() % n), j = static_cast<int>(random() % n);
    if (i == j) continue;
    entries.emplace_back(i, j, 1);
    entries.emplace_back(j, i, 1);
  }
  SparseMatrix K(n, n);
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

std::vector<int> random_order(int n, unsigned seed) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

// The rows below the diagonal of each column of L: those of K, and of the columns whose first such row this column is.
std::vector<std::set<int>> eliminated(const SparseMatrix& K, const EliminationTree& tree) {
  std::vector<std::set<int>> rows(tree.order.size());
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    for (SparseMatrix::InnerIterator entry(K, tree.order[k]); entry; ++entry)
      if (tree.inverse[entry.row()] > k) rows[k].insert(tree.inverse[entry.row()]);
    for (int child = 0; child < k; ++child)
      if (!rows[child].empty() && *rows[child].begin() == k) rows[k].insert(std::next(rows[child].begin()), rows[child].end());
  }
  return rows;
}

TEST(EliminationTree, has_the_parents_and_counts_of_an_elimination) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const int n = 1 + static_cast<int>(seed * 3);
    const SparseMatrix K = random_pattern(n, static_cast<int>(seed % 5) * n / 2, seed);
    const EliminationTree tree(K, random_order(n, seed + 100));
    const auto rows = eliminated(K, tree);
    double entries = 0;
    for (int k = 0; k < n; ++k) {
      EXPECT_EQ(tree.parent[k], rows[k].empty() ? -1 : *rows[k].begin());
      EXPECT_EQ(tree.count[k], static_cast<int>(rows[k].size()) + 1);
      EXPECT_EQ(tree.order[tree.inverse[k]], k);
      entries += static_cast<double>(rows[k].size()) + 1;
    }
    EXPECT_EQ(tree.nonzeros(), entries);
  }
}

TEST(Supernodes, hold_every_entry_of_the_factor) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const int n = 2 + static_cast<int>(seed * 5);
    const SparseMatrix K = random_pattern(n, static_cast<int>(seed % 5) * n / 2, seed);
    const EliminationTree tree(K, random_order(n, seed + 100));
    const Supernodes nodes(K, tree);
    const SupernodalShape shape = nodes.shape(tree.order);
    const auto rows = eliminated(K, tree);
    EXPECT_EQ(shape.first[shape.count()], n);
    for (int s = 0; s < shape.count(); ++s) {
      const auto begin = shape.rows.begin() + shape.row_starts[s], end = shape.rows.begin() + shape.row_starts[s + 1];
      EXPECT_TRUE(std::is_sorted(begin, end));
      EXPECT_EQ(std::adjacent_find(begin, end), end);
      for (int k = shape.first[s]; k < shape.first[s + 1]; ++k) {
        EXPECT_EQ(begin[k - shape.first[s]], k);
        for (const int row : rows[k]) EXPECT_TRUE(std::binary_search(begin, end, row));
      }
    }
  }
}

TEST(SupernodalFactor, multiplies_to_the_matrix) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const int n = 5 + static_cast<int>(seed * 20);  // the last have supernodes of more than one tile
    const SparseMatrix K = random_pattern(n, 3 * n, seed);
    const EliminationTree tree(K, random_order(n, seed + 100));
    const Supernodes nodes(K, tree);
    const SupernodalShape shape = nodes.shape(tree.order);
    std::vector<double> values(static_cast<std::size_t>(nodes.starts.back()));
    ASSERT_EQ(SupernodalFactor(shape, tree.inverse).factor(K, values.data()), n);
    Eigen::MatrixXd L = Eigen::MatrixXd::Zero(n, n);
    for (int s = 0; s < shape.count(); ++s)
      for (int k = shape.first[s]; k < shape.first[s + 1]; ++k)
        for (int r = k - shape.first[s]; r < shape.height(s); ++r)
          L(tree.order[shape.rows[shape.row_starts[s] + r]], tree.order[k]) =
              values[shape.starts[s] + (k - shape.first[s]) * shape.height(s) + r];
    EXPECT_LT((L * L.transpose() - Eigen::MatrixXd(K)).norm(), n * 2.2e-16 * K.norm());
  }
}

}  // namespace
}  // namespace actio::algebra
