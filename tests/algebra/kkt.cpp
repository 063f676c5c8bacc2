#include <gtest/gtest.h>

#include <actio/algebra/kkt_of.hpp>
#include <cmath>
#include <random>
#include <vector>

// Solvers of [K, -G0'; G1, .] (x, y) = (r, g) on every space.
namespace actio::algebra {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Equations {
  MatrixXd K, G1, G0;
  VectorXd r, g;
};
Equations random(long n, long m, unsigned seed) {
  std::mt19937 numbers(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto fill = [&](MatrixXd A) {
    for (double& a : A.reshaped()) a = uniform(numbers);
    return A;
  };
  Equations e{fill(MatrixXd(n, n)), fill(MatrixXd(m, n)), {}, fill(MatrixXd(n, 1)), fill(MatrixXd(m, 1))};
  e.K += 3 * MatrixXd::Identity(n, n);
  e.G0 = e.G1 + 0.1 * fill(MatrixXd(m, n));
  return e;
}
MatrixXd whole(const Equations& e) {
  const long n = e.K.rows(), m = e.G1.rows();
  MatrixXd A = MatrixXd::Zero(n + m, n + m);
  A.topLeftCorner(n, n) = e.K;
  A.topRightCorner(n, m) = -e.G0.transpose();
  A.bottomLeftCorner(m, n) = e.G1;
  return A;
}
VectorXd exact(const Equations& e) {
  VectorXd b(e.r.size() + e.g.size());
  b << e.r, e.g;
  return whole(e).fullPivLu().solve(b);
}
template <class S>
VectorXd solution(S& kkt, const typename S::Matrix& K, const typename S::Jacobian& G1, const typename S::Jacobian& G0,
                  const typename S::Vector& r, const typename S::Multipliers& g) {
  EXPECT_TRUE(kkt.factor(K, G1, G0));
  typename S::Vector x = r;
  typename S::Multipliers y = g;
  kkt.solve(r, g, x, y);
  VectorXd both(x.size() + y.size());
  for (long i = 0; i < x.size(); ++i) both[i] = x[i];
  for (long k = 0; k < y.size(); ++k) both[x.size() + k] = y[k];
  return both;
}
SparseSpace space_of(const MatrixXd& K) {
  SparseSpace space;
  space.n = K.rows();
  space.pattern = std::make_shared<const SparseMatrix>(K.sparseView(1, -1));
  return space;
}
SparseJacobian sparse(const MatrixXd& G) { return G.sparseView(); }

TEST(KktSolver, solves_the_same_equations_on_every_space) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Equations e = random(4, 2, seed);
    if (seed % 3 == 0) e.K = VectorXd(e.K.diagonal()).asDiagonal();
    const VectorXd z = exact(e);
    const double close = 1e-12 * (1 + z.norm());
    DenseKkt<4, 2> small;
    EXPECT_LT((solution(small, e.K, e.G1, e.G0, e.r, e.g) - z).norm(), close);
    FullKktSolver<Eigen::Dynamic, Eigen::Dynamic> dense(4, 2);
    EXPECT_LT((solution(dense, e.K, e.G1, e.G0, e.r, e.g) - z).norm(), close);
    BoundedKkt<4> bounded(2);
    SmallRows<4, 4> G1, G0;
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < 4; ++i) G1(k, i) = e.G1(k, i), G0(k, i) = e.G0(k, i);
    const VectorXd padded = solution(bounded, e.K, G1, G0, e.r, SmallVector<4>{e.g[0], e.g[1], 0.0, 0.0});
    EXPECT_LT((padded.head(6) - z).norm(), close);
    EXPECT_EQ(padded.tail(2).norm(), 0);
    SparseKkt large(space_of(e.K), sparse(e.G1));
    const SparseMatrix K = *space_of(e.K).pattern;
    EXPECT_LT((solution(large, K, sparse(e.G1), sparse(e.G0), e.r, e.g) - z).norm(), close);
    EXPECT_STREQ(large.method(), seed % 3 == 0 ? "G1 K^-1 G0'" : "all unknowns");
  }
}

// K need not be invertible: a coordinate without mass is held by a constraint.
TEST(KktSolver, solves_where_mass_is_missing) {
  Equations e = random(3, 1, 7);
  e.K.row(2).setZero();
  e.K.col(2).setZero();
  const VectorXd z = exact(e);
  DenseKkt<3, 1> small;
  EXPECT_LT((solution(small, e.K, e.G1, e.G0, e.r, e.g) - z).norm(), 1e-12 * (1 + z.norm()));
  FullKktSolver<Eigen::Dynamic, Eigen::Dynamic> dense(3, 1);
  EXPECT_LT((solution(dense, e.K, e.G1, e.G0, e.r, e.g) - z).norm(), 1e-12 * (1 + z.norm()));
  SparseKkt large(space_of(MatrixXd::Ones(3, 3)), sparse(e.G1));
  SparseMatrix K = *space_of(MatrixXd::Ones(3, 3)).pattern;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) K.coeffRef(i, j) = e.K(i, j);
  EXPECT_LT((solution(large, K, sparse(e.G1), sparse(e.G0), e.r, e.g) - z).norm(), 1e-12 * (1 + z.norm()));
}

// Each row holds a coordinate of its own, as a driven boundary does: K symmetric (definite or not) or not, solved as it is.
TEST(SparseKkt, solves_for_what_held_coordinates_leave) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const long n = 12, m = 1 + seed % 4;
    Equations e = random(n, m, seed);
    const bool symmetric = seed % 3 != 0;
    if (symmetric) e.K = (e.K + e.K.transpose()).eval();
    if (seed % 3 == 1) e.K -= 8 * VectorXd::Unit(n, 5) * VectorXd::Unit(n, 5).transpose();
    for (long k = 0; k < m; ++k) {
      const double g1 = e.G1(k, 0), g0 = e.G0(k, 1);
      e.G1.row(k).setZero();
      e.G0.row(k).setZero();
      e.G1(k, (7 * k + seed) % n) = g1;
      e.G0(k, (7 * k + seed) % n) = g0;
    }
    SparseSpace space = space_of(e.K);
    space.symmetric = symmetric;
    SparseKkt kkt(space, sparse(e.G1), seed % 2 == 0);
    const VectorXd z = exact(e);
    EXPECT_LT((solution(kkt, *space.pattern, sparse(e.G1), sparse(e.G0), e.r, e.g) - z).norm(), 1e-11 * (1 + z.norm())) << seed;
    EXPECT_STREQ(kkt.method(), "K of what is not held");
    EXPECT_FALSE(kkt.factor(*space.pattern, sparse(0 * e.G1 + e.G0), 0 * sparse(e.G0)));
  }
}

// A block of 9^3 points of three coordinates, each tied to its neighbours, whose factor costs some dozen solves; a side of it
// held, and three rows of four entries beside.
struct Block {
  static constexpr int side = 9, n = 3 * side * side * side, held = 3 * side * side, m = held + 3;
  explicit Block(bool symmetric) {
    std::mt19937 numbers(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l) {
        int far = 0;
        for (int unit = 3; unit < n; unit *= side) far = std::max(far, std::abs(k / unit % side - l / unit % side));
        if (far <= 1) entries.emplace_back(k, l, k == l ? 40 : symmetric ? std::cos(k + l) : uniform(numbers));
      }
    auto pattern = std::make_shared<SparseMatrix>(n, n);
    pattern->setFromTriplets(entries.begin(), entries.end());
    space.n = n;
    space.pattern = std::move(pattern);
    space.symmetric = symmetric;
    entries.clear();
    for (int k = 0; k < held; ++k) entries.emplace_back(k + (k > 20), k, 1 + 0.5 * uniform(numbers));  // row 21 is another's
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 4; ++l) entries.emplace_back(k == 0 ? 21 : held + k, held + 60 * k + 71 * l, uniform(numbers));
    G.resize(m, n);
    G.setFromTriplets(entries.begin(), entries.end());
    for (VectorXd* x : {&r, &g}) {
      x->resize(x == &r ? n : m);
      for (double& e : *x) e = uniform(numbers);
    }
  }
  // What is left of the equations beside their right side
  double rest(const SparseJacobian& G1, const SparseJacobian& G0, const VectorXd& both) const {
    const VectorXd x = both.head(n), y = both.tail(m);
    return (*space.pattern * x - G0.transpose() * y - r).norm() / r.norm() + (G1 * x - g).norm() / g.norm();
  }
  SparseSpace space;
  SparseJacobian G;
  VectorXd r, g;
};

TEST(SparseKkt, borders_what_held_coordinates_leave_by_a_few_constraints) {
  for (const bool symmetric : {true, false}) {
    const Block block(symmetric);
    const SparseMatrix& K = *block.space.pattern;
    SparseJacobian G0 = block.G, G2 = block.G;
    for (double& e : G0.coeffs()) e *= 1.2;
    for (int k : {21, Block::held + 1, Block::held + 2})
      for (SparseJacobian::InnerIterator it(G2, k); it; ++it) it.valueRef() += 0.3;
    SparseKkt kkt(block.space, block.G);
    EXPECT_LT(block.rest(block.G, G0, solution(kkt, K, block.G, G0, block.r, block.g)), 1e-12);
    EXPECT_STREQ(kkt.method(), "K, bordered");
    EXPECT_GT(kkt.cost_in_solves(), 4);

    // another G0 by the same factor of K
    EXPECT_TRUE(kkt.factor(K, block.G, block.G));
    EXPECT_TRUE(kkt.holds(G2));
    VectorXd both(Block::n + Block::m), x(Block::n), y(Block::m);
    const auto solve = [&](SparseKkt& by) {
      by.solve(block.r, block.g, x, y);
      both << x, y;
      return block.rest(G2, G2, both);
    };
    EXPECT_LT(solve(kkt), 1e-12);
    SparseKkt copy = kkt;
    EXPECT_LT(solve(copy), 1e-12);
    EXPECT_FALSE(kkt.holds(G0));  // where it holds coordinates otherwise

    // the same row twice
    SparseJacobian twice = block.G;
    const double* first = block.G.valuePtr() + block.G.outerIndexPtr()[21];
    std::copy(first, first + 4, twice.valuePtr() + twice.outerIndexPtr()[Block::held + 1]);
    for (int l = 0; l < 4; ++l)
      twice.innerIndexPtr()[twice.outerIndexPtr()[Block::held + 1] + l] = twice.innerIndexPtr()[twice.outerIndexPtr()[21] + l];
    SparseKkt redundant(block.space, twice);
    EXPECT_FALSE(redundant.factor(K, twice, twice));
  }
}

// A second row twice the first: refused; when asked for the multipliers of least norm, y2 = 2 y1.
TEST(KktSolver, tells_redundant_rows_and_shares_their_multipliers_when_asked) {
  Equations e = random(4, 2, 3);
  e.K = VectorXd(e.K.diagonal()).asDiagonal();
  e.G1.row(1) = 2 * e.G1.row(0);
  e.G0.row(1) = 2 * e.G0.row(0);
  e.g[1] = 2 * e.g[0];
  Equations one = e;
  one.G1 = e.G1.topRows(1);
  one.G0 = e.G0.topRows(1);
  one.g = e.g.head(1);
  const VectorXd z = exact(one);
  const auto check = [&](const VectorXd& both, double close) {
    EXPECT_LT((both.head(4) - z.head(4)).norm(), close * (1 + z.norm()));
    EXPECT_NEAR(both[4], z[4] / 5, close * (1 + z.norm()));
    EXPECT_NEAR(both[5], 2 * z[4] / 5, close * (1 + z.norm()));
  };
  DenseKkt<4, 2> small, small_regularised(2, true);
  EXPECT_FALSE(small.factor(e.K, e.G1, e.G0));
  check(solution(small_regularised, e.K, e.G1, e.G0, e.r, e.g), 1e-12);
  FullKktSolver<Eigen::Dynamic, Eigen::Dynamic> dense(4, 2), dense_regularised(4, 2, true);
  EXPECT_FALSE(dense.factor(e.K, e.G1, e.G0));
  check(solution(dense_regularised, e.K, e.G1, e.G0, e.r, e.g), 1e-12);
  const SparseSpace space = space_of(e.K);
  const SparseMatrix K = *space.pattern;
  SparseKkt large(space, sparse(e.G1)), large_regularised(space, sparse(e.G1), true);
  EXPECT_FALSE(large.factor(K, sparse(e.G1), sparse(e.G0)));
  // one of the two rows has no multiplier
  const VectorXd both = solution(large_regularised, K, sparse(e.G1), sparse(e.G0), e.r, e.g);
  EXPECT_LT((both.head(4) - z.head(4)).norm(), 1e-13 * (1 + z.norm()));
  EXPECT_NEAR(both[4] + 2 * both[5], z[4], 1e-13 * (1 + z.norm()));
  EXPECT_EQ(both[4] * both[5], 0);
  // of a symmetric matrix they can be shared
  e.G0 = e.G1;
  one.G0 = one.G1;
  const VectorXd alike = exact(one);
  ASSERT_TRUE(large_regularised.factor_sharing(K, sparse(e.G1)));
  VectorXd x(4), y(2);
  large_regularised.solve(e.r, e.g, x, y);
  EXPECT_LT((x - alike.head(4)).norm(), 1e-4);  // rounding over the regularisation of 1e-11
  EXPECT_NEAR(y[0], alike[4] / 5, 1e-4);
  EXPECT_NEAR(y[1], 2 * alike[4] / 5, 1e-4);
}

// Two rows that nearly say one thing, and a third that follows from them: no small d enters where what is solved for has the two
// apart by 1e-4, on either side.
TEST(SparseKkt, leaves_out_what_is_redundant_and_nothing_else) {
  for (const double side : {1e-4, -1e-4}) {
    Equations e = random(6, 3, 5);
    e.K = VectorXd(e.K.diagonal()).asDiagonal();
    for (MatrixXd* G : {&e.G1, &e.G0}) {
      const double apart = G == &e.G1 ? side : 1e-4;
      const MatrixXd rows = *G;
      G->row(0) = rows.row(0) + apart * rows.row(1);
      G->row(1) = rows.row(0) - apart * rows.row(1);
      G->row(2) = G->row(0) + G->row(1);
    }
    e.g[2] = e.g[0] + e.g[1];
    Equations two = e;
    two.G1 = e.G1.topRows(2);
    two.G0 = e.G0.topRows(2);
    two.g = e.g.head(2);
    const VectorXd z = exact(two);
    const SparseSpace space = space_of(e.K);
    SparseKkt kkt(space, sparse(e.G1), true);
    const VectorXd both = solution(kkt, *space.pattern, sparse(e.G1), sparse(e.G0), e.r, e.g);
    EXPECT_LT((both.head(6) - z.head(6)).norm(), 1e-6 * z.head(6).norm());
    EXPECT_FALSE(kkt.choose_rows(*space.pattern, sparse(e.G0)));
  }
}

// Constraints in groups that share no coordinate, their rows in turn: up to 8 a group are eliminated group by group.
TEST(SparseKkt, solves_group_by_group) {
  constexpr int groups = 5;
  for (int size = 1; size <= 9; ++size) {
    Equations e = random(2 * size * groups, size * groups, static_cast<unsigned>(size));
    e.K = VectorXd(e.K.diagonal()).asDiagonal();
    for (MatrixXd* G : {&e.G1, &e.G0})
      for (int row = 0; row < G->rows(); ++row)
        for (int column = 0; column < G->cols(); ++column)
          if (row % groups != column / (2 * size)) (*G)(row, column) = 0;
    e.G1.row(0) *= 1e8;  // of other units
    const SparseSpace space = space_of(e.K);
    SparseKkt kkt(space, sparse(e.G1));
    const VectorXd z = exact(e);
    for (int time = 0; time < 2; ++time) {
      const VectorXd both = solution(kkt, *space.pattern, sparse(e.G1), sparse(e.G0), e.r, e.g);
      EXPECT_LT((both - z).norm(), 1e-11 * z.norm()) << size;
    }
    EXPECT_STREQ(kkt.method(), "G1 K^-1 G0'");
    if (size <= 8) { EXPECT_EQ(kkt.nonzeros(), groups * size * size); }
    if (size == 1) continue;
    SparseJacobian twice = sparse(e.G1);
    for (int k = 0; k < 2 * size; ++k) twice.coeffRef(groups, k) = twice.coeff(0, k);  // the second row of the first group
    EXPECT_FALSE(kkt.factor(*space.pattern, twice, twice)) << size;
  }
}

// Rods from each node to its parent, q in the plane; K diagonal, or with springs along the rods.
SparseKkt rods(long nodes, bool tree, bool springs) {
  std::vector<Eigen::Triplet<double>> mass, slopes;
  for (int j = 0; j < nodes; ++j) {
    const int parent = tree ? (j - 1) / 3 : j - 1;
    const double x = std::cos(j), y = std::sin(j);
    for (int i : {2 * j, 2 * j + 1}) {
      mass.emplace_back(i, i, 2.0);
      if (j && springs) {
        mass.emplace_back(i, i - 2 * (j - parent), -0.3);
        mass.emplace_back(i - 2 * (j - parent), i, -0.3);
      }
    }
    slopes.emplace_back(j, 2 * j, x);
    slopes.emplace_back(j, 2 * j + 1, y);
    if (j) slopes.emplace_back(j, 2 * parent, -x), slopes.emplace_back(j, 2 * parent + 1, -y);
  }
  SparseMatrix K(2 * nodes, 2 * nodes);
  K.setFromTriplets(mass.begin(), mass.end());
  SparseJacobian G(nodes, 2 * nodes);
  G.setFromTriplets(slopes.begin(), slopes.end());
  SparseSpace space;
  space.n = 2 * nodes;
  space.pattern = std::make_shared<const SparseMatrix>(K);
  SparseKkt kkt(space, G);
  EXPECT_TRUE(kkt.factor(K, G, G));
  EXPECT_STREQ(kkt.method(), springs ? "all unknowns" : "G1 K^-1 G0'");
  return kkt;
}
TEST(SparseKkt, fills_in_chains_and_trees_by_a_constant_a_link) {
  for (const bool tree : {false, true})
    for (const bool springs : {false, true}) {
      const double few = rods(300, tree, springs).nonzeros() / 300, many = rods(30000, tree, springs).nonzeros() / 30000;
      EXPECT_LT(many, 1.05 * few);
      EXPECT_LT(many, 25);
    }
}

}  // namespace
}  // namespace actio::algebra
