#include <gtest/gtest.h>

#include <actio/core/archive.hpp>
#include <actio/petsc/access.hpp>
#include <actio/petsc/krylov.hpp>
#include <cmath>

#include "petsc/options.hpp"

// Iterative solvers on full matrices, whose factors cost many products: 40 rows a rank, factored by blocks.
namespace actio::petsc {
namespace {

using test::Options;
constexpr int rows = 40;

const std::vector<std::string> by_blocks{"-ksp_type", "gmres", "-pc_type", "bjacobi", "-sub_pc_type", "lu"};

struct Equations {
  Range mine;
  Matrix K;
  Vector b, x;
  std::shared_ptr<SolverLog> log = std::make_shared<SolverLog>();
  Krylov krylov{"", KSPGMRES, nullptr, log};

  explicit Equations(MPI_Comm comm = PETSC_COMM_WORLD) : mine(range(comm, rows)), b(zero(comm, rows)), x(b) {
    std::vector<Entry> places;
    for (PetscInt i = mine.first; i < mine.end; ++i)
      for (PetscInt j = 0; j < mine.all; ++j) places.push_back({i, j});
    K = zero(comm, rows, rows, places);
    add_to(b, [&](auto&& add) {
      for (PetscInt i = mine.first; i < mine.end; ++i) add(i, std::cos(1.0 + i));
    });
  }
  // K_ij = diagonal(i) delta_ij + off/n sin(1 + 3.7 i + 1.3 j^2)
  template <class F>
  void fill(F&& diagonal, double off) {
    check(MatZeroEntries(K.get()));
    add_to(K, [&](auto&& add) {
      for (PetscInt i = mine.first; i < mine.end; ++i)
        for (PetscInt j = 0; j < mine.all; ++j)
          add(i, j, (i == j ? diagonal(i) : 0) + off * std::sin(1 + 3.7 * i + 1.3 * j * j) / static_cast<double>(mine.all));
    });
  }
  void regular() {
    fill([](PetscInt) { return 1; }, 0.3);
  }
  // Coordinate 0 has no equation.
  void singular() {
    regular();
    PetscInt none = 0;
    check(MatZeroRowsColumns(K.get(), mine.first == 0 ? 1 : 0, &none, 0, nullptr, nullptr));
  }
  // What is left of b, of |b|
  double rest() const {
    Vector r = b;
    check(MatMult(K.get(), x.get(), r.get()));
    r -= b;
    return std::sqrt(dot(r, r) / dot(b, b));
  }
  bool solve() {
    double eta = 0;
    return krylov.solve(b, x, eta);
  }
};

TEST(PetscKrylov, a_preconditioner_is_made_again_after_a_matrix_of_which_none_can_be) {
  const Options options(by_blocks);
  Equations e;
  for (const bool archived : {false, true}) {
    SCOPED_TRACE(archived);
    e.regular();
    ASSERT_TRUE(e.krylov.factor(e.K));
    ASSERT_TRUE(e.solve());
    const long before = e.krylov.reused();
    ASSERT_TRUE(e.krylov.factor(e.K));
    EXPECT_EQ(e.krylov.reused(), before + 1);  // it is worth being kept
    if (archived) {
      core::Archive out;
      e.krylov.archive(out, e.K);
      core::Archive in(out.bytes());
      e.krylov.archive(in, e.K);
      EXPECT_EQ(e.krylov.reused(), before + 1);
      ASSERT_TRUE(e.krylov.factor(e.K));
      EXPECT_EQ(e.krylov.reused(), before + 2);
    }
    const long kept = e.krylov.reused();
    e.singular();
    EXPECT_FALSE(e.krylov.factor(e.K) && e.solve());
    EXPECT_NE(e.log->failure, "");
    EXPECT_EQ(e.krylov.reused(), kept);
    e.regular();
    ASSERT_TRUE(e.krylov.factor(e.K));
    EXPECT_EQ(e.krylov.reused(), kept);
    ASSERT_TRUE(e.solve());
    EXPECT_LT(e.rest(), 1e-11);
  }
}

TEST(PetscKrylov, a_preconditioner_of_an_unrelated_matrix_is_given_up) {
  const Options options(by_blocks);
  Equations e;
  e.regular();
  ASSERT_TRUE(e.krylov.factor(e.K));
  ASSERT_TRUE(e.solve());
  e.fill([](PetscInt i) { return std::pow(10.0, i % 7 - 3) * (1 + 0.1 * i); }, 1e-4);
  ASSERT_TRUE(e.krylov.factor(e.K));
  EXPECT_EQ(e.krylov.reused(), 1);  // nothing is known of K yet
  ASSERT_TRUE(e.solve());
  EXPECT_EQ(e.krylov.reused(), 0);
  EXPECT_LT(e.rest(), 1e-8);  // 1e-12 of the preconditioned residual, and a condition of 1e4 and more of the preconditioner
  const long iterations = e.log->iterations;
  ASSERT_TRUE(e.krylov.factor(e.K));
  EXPECT_EQ(e.krylov.reused(), 1);
  ASSERT_TRUE(e.solve());
  EXPECT_LT(e.log->iterations - iterations, 20);
}

TEST(PetscKrylov, what_an_iteration_reached_is_told_of_its_end_however_long_it_was) {
  const Options options(
      {"-ksp_type", "richardson", "-pc_type", "none", "-ksp_richardson_scale", "0.002", "-ksp_max_it", "20000"});
  Equations e(PETSC_COMM_SELF);
  e.fill([](PetscInt) { return 1; }, 0);
  ASSERT_TRUE(e.krylov.factor(e.K));
  double eta = 0;
  ASSERT_TRUE(e.krylov.solve(e.b, e.x, eta));
  EXPECT_GT(e.log->iterations, 13000);  // 0.998^k = 1e-12
  EXPECT_LE(eta, 1e-12);
  EXPECT_NEAR(e.rest(), eta, 1e-14);
}

TEST(PetscKrylov, no_residual_is_small_but_beside_the_right_side) {
  const Options options({"-ksp_type", "gmres", "-pc_type", "none", "-ksp_atol", "1e10"});
  Equations e;
  e.regular();
  ASSERT_TRUE(e.krylov.factor(e.K));
  for (const double size : {1.0, 1e-60}) {
    e.b *= size;
    double eta = 1e-3;
    ASSERT_TRUE(e.krylov.solve(e.b, e.x, eta));
    EXPECT_LE(eta, 1e-3);
    EXPECT_LE(e.rest(), 1.001e-3);
  }
  e.b = 0.0 * e.b;
  double eta = 1e-3;
  ASSERT_TRUE(e.krylov.solve(e.b, e.x, eta));
  EXPECT_EQ(eta, 0);
  EXPECT_EQ(dot(e.x, e.x), 0);
}

TEST(PetscKrylov, an_iteration_that_makes_no_step_has_solved_nothing) {
  const Options options({"-ksp_type", "gmres", "-pc_type", "none", "-ksp_convergence_test", "skip", "-ksp_max_it", "0"});
  Equations e;
  e.regular();
  ASSERT_TRUE(e.krylov.factor(e.K));
  EXPECT_FALSE(e.solve());
}

}  // namespace
}  // namespace actio::petsc
