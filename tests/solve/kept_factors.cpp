#include <gtest/gtest.h>

#include <actio/algebra/sparse.hpp>
#include <actio/solve/newton.hpp>
#include <cmath>
#include <cstring>
#include <vector>

// A block of 6^3 points of three coordinates, each tied to its neighbours, on springs that harden:
//   r(x) = s A x + c x^3 - b
// Its factor costs several solves, so it is kept.
namespace actio::solve {
namespace {

using Space = algebra::SparseSpace;
using Eigen::VectorXd;

constexpr int side = 6, n = 3 * side * side * side;

const Space& block() {
  static const Space space = [] {
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l) {
        int far = 0;
        for (int unit = 3; unit < n; unit *= side) far = std::max(far, std::abs(k / unit % side - l / unit % side));
        if (far <= 1) entries.emplace_back(k, l, 0);
      }
    auto pattern = std::make_shared<algebra::SparseMatrix>(n, n);
    pattern->setFromTriplets(entries.begin(), entries.end());
    pattern->makeCompressed();
    Space made;
    made.n = n;
    made.pattern = std::move(pattern);
    return made;
  }();
  return space;
}

struct Springs {
  double stiffness = 1, hardening = 0.02, load = 0;
  long evaluations = 0;
  void operator()(const VectorXd& x, VectorXd& r, algebra::SparseMatrix& K) {
    ++evaluations;
    for (int j = 0; j < n; ++j)
      for (algebra::SparseMatrix::InnerIterator it(K, j); it; ++it) it.valueRef() = stiffness * (it.row() == j ? 100 : -1);
    r = K * x;
    for (int k = 0; k < n; ++k) {
      r[k] += 100 * hardening * x[k] * x[k] * x[k] - 100 * std::sin(load + 0.01 * k);
      K.coeffRef(k, k) += 300 * hardening * x[k] * x[k];
    }
  }
};

struct Solver {
  Newton<Space> newton{block()};
  VectorXd x = VectorXd::Zero(n);
  NewtonReport solve(Springs& springs, double floor = 0) {
    return newton.solve([&](const auto& y, auto& r, auto& K) { springs(y, r, K); }, x, [=] { return floor; });
  }
};

// The root near x, to rounding: every increment by a factor of its own.
VectorXd root(Springs springs, VectorXd x) {
  Newton<Space> newton(block());
  EXPECT_TRUE(newton.iterate([&](const auto& y, auto& r, auto& K) { springs(y, r, K); }, x, 4).converged);
  EXPECT_EQ(newton.factorisations(), 4);
  return x;
}

constexpr double rounding = 1e-14;  // of K^-1 r, relative: some dozen eps, K's condition is about 10

TEST(KeptFactors, are_few_for_mild_equations_and_lead_where_newton_s_method_does) {
  Solver kept;
  Springs springs;
  long iterations = 0;
  constexpr int calls = 30;
  for (int call = 0; call < calls; ++call) {
    springs.load = 0.02 * call;
    const auto report = kept.solve(springs);
    ASSERT_TRUE(report.converged);
    EXPECT_LE(std::sqrt(report.increment_squared), Newton<Space>::tolerance);
    iterations += report.iterations;
    if (call % 5 > 0) continue;
    const VectorXd at = root(springs, kept.x);
    EXPECT_LT((kept.x - at).norm(), rounding * at.norm()) << call;
  }
  EXPECT_EQ(iterations, springs.evaluations);
  EXPECT_LE(kept.newton.factorisations(), calls / 2);
  EXPECT_GT(iterations, 3 * kept.newton.factorisations());
}

TEST(KeptFactors, need_no_matrix_but_the_ones_they_are_of) {
  Newton<Space> newton(block());
  Springs springs;
  VectorXd x = VectorXd::Zero(n);
  algebra::SparseMatrix K = block().matrix();
  long residuals = 0;
  const auto call = [&] {
    return newton.solve(Equations{[&](const VectorXd& y, VectorXd& r, algebra::SparseMatrix& K1) { springs(y, r, K1); },
                                  [&](const VectorXd& y, VectorXd& r) {
                                    Springs alone = springs;
                                    alone(y, r, K);
                                    ++residuals;
                                  }},
                        x, [] { return 0.0; });
  };
  for (int k = 0; k < 30; ++k) {
    springs.load = 0.02 * k;
    const long before = newton.factorisations(), matrices = springs.evaluations;
    ASSERT_TRUE(call().converged);
    EXPECT_EQ(springs.evaluations - matrices, newton.factorisations() - before);
    if (k % 5 > 0) continue;
    const VectorXd at = root(springs, x);
    EXPECT_LT((x - at).norm(), rounding * at.norm()) << k;
  }
  EXPECT_GT(residuals, 3 * springs.evaluations);
}

TEST(KeptFactors, of_strongly_nonlinear_equations_are_replaced_as_newton_s_method_would) {
  Solver kept;
  Springs springs{1, 30, 0};
  for (int call = 0; call < 8; ++call) {
    springs.load = 0.7 * call;
    const long before = kept.newton.factorisations();
    ASSERT_TRUE(kept.solve(springs).converged);
    EXPECT_GT(kept.newton.factorisations(), before);
    const VectorXd at = root(springs, kept.x);
    EXPECT_LT((kept.x - at).norm(), rounding * at.norm()) << call;
  }
}

TEST(KeptFactors, of_another_stiffness_are_given_up) {
  for (const double stiffer : {1e-3, 0.02, 50.0, 1e6}) {
    Solver kept;
    Springs springs;
    ASSERT_TRUE(kept.solve(springs).converged);
    ASSERT_TRUE(kept.solve(springs).converged);
    const long before = kept.newton.factorisations();
    springs.stiffness = stiffer;
    springs.hardening *= std::pow(stiffer, 3);  // the same in stiffer x
    springs.load = 0.3;
    kept.x /= stiffer;
    ASSERT_TRUE(kept.solve(springs).converged) << stiffer;
    EXPECT_GT(kept.newton.factorisations(), before);
    const VectorXd at = root(springs, kept.x);
    EXPECT_LT((kept.x - at).norm(), rounding * at.norm()) << stiffer;
  }
}

// A step by an old factor that ends where there is no residual is taken back.
TEST(KeptFactors, that_lead_out_of_the_domain_are_made_again_at_the_start) {
  Solver kept;
  Springs springs;
  double largest = 1e9;
  const auto solve = [&] {
    return kept.newton.solve(
        [&](const VectorXd& y, VectorXd& r, algebra::SparseMatrix& K) {
          springs(y, r, K);
          if (y.cwiseAbs().maxCoeff() > largest) r.setConstant(std::nan(""));
        },
        kept.x, [] { return 0.0; });
  };
  ASSERT_TRUE(solve().converged);
  ASSERT_TRUE(solve().converged);
  springs.stiffness = 5;
  springs.hardening = 0.1;
  springs.load = 0.4;
  largest = 1.01 * std::max(root(springs, kept.x).cwiseAbs().maxCoeff(), kept.x.cwiseAbs().maxCoeff());
  ASSERT_TRUE(solve().converged);
  const VectorXd at = root(springs, kept.x);
  EXPECT_LT((kept.x - at).norm(), rounding * at.norm());
}

TEST(KeptFactors, end_where_rounding_does) {
  Solver kept;
  Springs springs;
  double noise = 0;
  int call = 0;
  const auto solve = [&](double floor) {
    return kept.newton.solve(
        [&](const VectorXd& y, VectorXd& r, algebra::SparseMatrix& K) {
          springs(y, r, K);
          ++call;
          for (int k = 0; k < n; ++k) r[k] += 100 * noise * std::sin(12.9 * k + 78.2 * call);
        },
        kept.x, [=] { return floor; });
  };
  ASSERT_TRUE(solve(0).converged);
  noise = 1e-9;
  springs.load = 0.01;
  const double floor = 4 * noise * std::sqrt(n);
  ASSERT_TRUE(solve(floor).converged);
  EXPECT_LT((kept.x - root(springs, kept.x)).norm(), floor);
  noise = 1e-6;  // nothing explains that
  EXPECT_FALSE(solve(floor).converged);
}

TEST(KeptFactors, are_the_same_to_the_bit_when_archived) {
  Solver whole;
  Springs springs;
  for (int call = 0; call < 4; ++call) {
    springs.load = 0.05 * call;
    ASSERT_TRUE(whole.solve(springs).converged);
  }
  core::Archive out;
  out(whole.newton, whole.x);
  Solver resumed;
  Springs other{7, 0.3, 2};
  for (int call = 0; call < 3; ++call) ASSERT_TRUE(resumed.solve(other).converged);
  core::Archive in(out.bytes());
  in(resumed.newton, resumed.x);
  EXPECT_TRUE(in.finished());
  for (int call = 4; call < 40; ++call) {
    springs.load = 0.05 * call;
    const auto a = whole.solve(springs), b = resumed.solve(springs);
    EXPECT_EQ(a.iterations, b.iterations);
    EXPECT_EQ(std::memcmp(whole.x.data(), resumed.x.data(), n * sizeof(double)), 0) << call;
    EXPECT_EQ(whole.newton.factorisations(), resumed.newton.factorisations());
  }
}

TEST(FactorReusePolicy, is_due_once_a_call_takes_more_than_the_mean_since_the_factor_was_made) {
  FactorReusePolicy factor;
  factor.factored(12);
  EXPECT_TRUE(factor.worth_reusing());
  const auto call = [&](int solves) {
    factor.begin();
    for (int k = 0; k < solves; ++k) factor.solved();
    factor.end();
  };
  call(3);  // means 15, 9, 7.3, 6.75
  EXPECT_FALSE(factor.should_refactor());
  call(3);
  EXPECT_FALSE(factor.should_refactor());
  call(4);
  EXPECT_FALSE(factor.should_refactor());
  call(5);
  EXPECT_FALSE(factor.should_refactor());
  factor.begin();
  EXPECT_FALSE(factor.should_refactor(6));
  EXPECT_TRUE(factor.should_refactor(7));
  for (int k = 0; k < 7; ++k) factor.solved();
  EXPECT_FALSE(factor.should_refactor(3));  // a new one would take as long
  factor.end();                             // mean 34/5
  EXPECT_TRUE(factor.should_refactor());
}

TEST(FactorReusePolicy, counts_what_is_left_as_a_geometric_series) {
  // 0.1 (1 + 0.1 + ...) 0.1^k <= 1e-9
  const double left = FactorReusePolicy::solves_left(0.1, 1, 1e-9);
  EXPECT_LE(std::pow(0.1, left + 1) / 0.9, 1e-9 * (1 + 1e-12));
  EXPECT_GE(std::pow(0.1, left) / 0.9, 1e-9);
  EXPECT_EQ(FactorReusePolicy::solves_left(0.1, 1e-12, 1e-9), 0);
  EXPECT_GT(FactorReusePolicy::solves_left(1.0, 1, 1e-9), 1e6);
}

}  // namespace
}  // namespace actio::solve
