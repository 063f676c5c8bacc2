#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "petsc/homes.hpp"

namespace actio::petsc {
namespace {

constexpr int bodies = 7, n = 2 * bodies, m = bodies;

// Numbers without structure, the same on all ranks.
double number(int i, int j) { return std::sin(1.0 + 3.7 * i + 1.3 * j * j + 2.1 * i * j); }

void fill(Matrix& A, const std::vector<Entry>& places, double (*f)(int, int)) {
  add_to(A, [&](auto&& add) {
    for (const Entry& e : places) add(e.row, e.column, f(e.row, e.column));
  });
}
// Each place of a list that names none twice
std::vector<Entry> once(std::vector<Entry> places) {
  const auto key = [](const Entry& e) { return std::pair(e.row, e.column); };
  std::sort(places.begin(), places.end(), [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  places.erase(std::unique(places.begin(), places.end(), [&](const Entry& a, const Entry& b) { return key(a) == key(b); }),
               places.end());
  return places;
}
Vector numbers(Vector x) {
  PetscInt first = 0, end = 0;
  check(VecGetOwnershipRange(x.get(), &first, &end));
  add_to(x, [&](auto&& add) {
    for (PetscInt i = first; i < end; ++i) add(i, std::cos(1.0 + i));
  });
  return x;
}
Eigen::VectorXd eigen(const Vector& x) {
  const std::vector<double> values = gathered(x);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}
// A x for every unit vector x
Eigen::MatrixXd eigen(const Matrix& A, const Vector& rows, const Vector& columns) {
  Eigen::MatrixXd full(rows.size(), columns.size());
  Vector x = columns, y = rows;
  for (long j = 0; j < columns.size(); ++j) {
    PetscInt first = 0, end = 0;
    check(VecGetOwnershipRange(x.get(), &first, &end));
    x = 0.0 * x;
    add_to(x, [&](auto&& add) {
      if (j >= first && j < end) add(j, 1.0);
    });
    Space::multiply(A, x, y);
    full.col(j) = eigen(y);
  }
  return full;
}

struct Case {
  test::Distributed home{bodies};
  Matrix K = home.space().matrix();
  Vector b = numbers(home.space().vector());
  std::vector<Entry> places = once(test::hessian_places(home.bodies()));
  std::vector<Entry> rows = test::jacobian_places(home.bodies());
};

TEST(PetscSolver, solves_what_ranks_have_added_together) {
  Case c;
  fill(c.K, c.places, number);
  const Eigen::MatrixXd K = eigen(c.K, c.b, c.b);
  Solver solver = c.home.space().solver();
  Vector x = like(c.b);
  for (const double s : {1.0, -3.0}) {  // the second time by the analysis of the first
    c.K *= s;
    ASSERT_TRUE(solver.factor(c.K));
    solver.solve(c.b, x);
    const Eigen::VectorXd rest = (s < 0 ? -3.0 : 1.0) * K * eigen(x) - eigen(c.b);
    EXPECT_LE(rest.norm(), 1e-14 * K.norm() * 3 * eigen(x).norm());
  }
  EXPECT_EQ(solver.factorisations(), 2);
  EXPECT_GT(solver.nonzeros(), n);
}

TEST(PetscSolver, a_copy_keeps_its_factor_when_the_other_factors_again) {
  Case c;
  fill(c.K, c.places, number);
  Solver solver = c.home.space().solver();
  ASSERT_TRUE(solver.factor(c.K));
  Solver copy = solver;
  Vector x = like(c.b), y = like(c.b);
  copy.solve(c.b, x);
  c.K *= 2;
  ASSERT_TRUE(solver.factor(c.K));
  copy.solve(c.b, y);
  EXPECT_EQ(gathered(x), gathered(y));
  solver.solve(c.b, y);
  EXPECT_LE((2 * eigen(y) - eigen(x)).norm(), 1e-12 * eigen(x).norm());
}

TEST(PetscSolver, singular_and_not_finite_matrices_are_told_on_every_rank) {
  Case c;
  Solver solver = c.home.space().solver();
  EXPECT_FALSE(solver.factor(c.K));  // 0
  fill(c.K, c.places, number);
  EXPECT_TRUE(solver.factor(c.K));
  add_to(c.K, [&](auto&& add) {
    if (c.home.bodies().first == 0) add(0, 0, std::numeric_limits<double>::quiet_NaN());
  });
  EXPECT_FALSE(solver.factor(c.K));
  Space::clear(c.K);
  fill(c.K, c.places, number);
  EXPECT_TRUE(solver.factor(c.K));
}

TEST(PetscKkt, solves_both_equations) {
  Case c;
  fill(c.K, c.places, number);
  KktSolver kkt = c.home.kkt_solver();
  Matrix G1 = kkt.jacobian(), G0 = kkt.jacobian();
  Vector g = numbers(kkt.multipliers()), x = like(c.b), y = like(g);
  fill(G1, c.rows, number);
  fill(G0, c.rows, [](int i, int j) { return number(j, i); });
  for (int k = 0; k < 2; ++k) {
    c.K *= 1 + k;
    ASSERT_TRUE(kkt.factor(c.K, G1, G0));
    kkt.solve(c.b, g, x, y);
    // K x - G0' y = b, G1 x = g
    const Eigen::MatrixXd A = eigen(c.K, c.b, c.b), full1 = eigen(G1, g, c.b), full0 = eigen(G0, g, c.b);
    const double size = 1e-13 * (A.norm() + full1.norm() + full0.norm()) * (eigen(x).norm() + eigen(y).norm());
    EXPECT_LE((A * eigen(x) - full0.transpose() * eigen(y) - eigen(c.b)).norm(), size);
    EXPECT_LE((full1 * eigen(x) - eigen(g)).norm(), size);

    Vector product = like(g), sum = c.b;
    KktSolver::multiply(G1, x, product);
    EXPECT_LE((eigen(product) - full1 * eigen(x)).norm(), 1e-14 * full1.norm() * eigen(x).norm());
    KktSolver::add_transposed(-0.5, G0, y, sum);
    EXPECT_LE((eigen(sum) - eigen(c.b) + 0.5 * full0.transpose() * eigen(y)).norm(), 1e-14 * full0.norm() * eigen(y).norm());
  }
}

TEST(PetscKkt, redundant_constraints_are_told) {
  Case c;
  add_to(c.K, [&](auto&& add) {
    for (int i = 2 * c.home.bodies().first; i < 2 * c.home.bodies().end; ++i) add(i, i, 1.0);
  });
  KktSolver kkt = c.home.kkt_solver();
  Matrix G = kkt.jacobian();
  // rows 2 and 3 both hold the bodies 2 in one place
  add_to(G, [&](auto&& add) {
    for (int i = c.home.bodies().first; i < c.home.bodies().end; ++i) {
      if (i == 3) {
        add(3, 4, 0.7);
        add(3, 5, 0.9);
      } else {
        add(i, 2 * i, 0.7);
        add(i, 2 * i + 1, 0.9);
      }
    }
  });
  EXPECT_FALSE(kkt.factor(c.K, G, G));
  add_to(G, [&](auto&& add) {
    if (c.home.bodies().first <= 3 && 3 < c.home.bodies().end) add(3, 6, 0.1);
  });
  EXPECT_TRUE(kkt.factor(c.K, G, G));
}

}  // namespace
}  // namespace actio::petsc
