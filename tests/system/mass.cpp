#include <gtest/gtest.h>

#include <actio/core/error.hpp>
#include <actio/system/model_mass.hpp>

// The sparse mass of a model: factored at the first need, once for all copies.
namespace actio::system {
namespace {

using Eigen::VectorXd;

// The consistent mass of a rod of n elements of mass 1 between n + 1 free nodes: 1/6 [[2, 1], [1, 2]] each.
MassMatrix rod(int n) {
  MassMatrix mass;
  mass.kind = MassMatrix::Kind::full;
  mass.full.resize(n + 1, n + 1);
  for (int e = 0; e < n; ++e)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) mass.full.coeffRef(e + i, e + j) += (i == j ? 2 : 1) / 6.0;
  mass.full.makeCompressed();
  return mass;
}

algebra::SparseSpace space(long n) {
  algebra::SparseSpace s;
  s.n = n;
  return s;
}

TEST(SparseMass, momentum_of_a_rod_that_moves_as_one_is_its_mass) {
  const MassMatrix mass = rod(10);
  const ModelMass<algebra::SparseSpace> M(mass, space(11));
  VectorXd v = VectorXd::Ones(11), p = v;
  M.momentum(v, p);
  EXPECT_NEAR(p.sum(), 10, 1e-14);
  EXPECT_NEAR(p[0], 0.5, 1e-15);
  VectorXd back = v;
  M.velocity(p, back);
  EXPECT_LT((back - v).lpNorm<Eigen::Infinity>(), 3 * 11 * 2.2e-16);  // condition below 3
}

TEST(SparseMass, is_factored_once_and_only_when_a_velocity_is_asked_for) {
  MassMatrix mass = rod(10);
  int refused = 0;
  mass.full.coeffRef(5, 5) = 0.05;  // a Schur complement takes 2 (1/6)^2 / 0.62 = 0.09 of it
  mass.factor = std::make_shared<MassFactor>([&](long i, double pivot) {
    ++refused;
    EXPECT_GE(i, 4);
    EXPECT_LE(i, 6);
    EXPECT_LT(pivot, 0);
    throw core::InputError("here");
  });
  const ModelMass<algebra::SparseSpace> M(mass, space(11)), copy(M);
  VectorXd v = VectorXd::Ones(11), p = v;
  copy.momentum(v, p);
  EXPECT_EQ(refused, 0);
  EXPECT_THROW(copy.velocity(p, v), core::InputError);
  EXPECT_EQ(refused, 1);
  EXPECT_THROW(M.velocity(p, v), core::InputError);
}

TEST(SparseMass, copies_share_one_factorisation) {
  MassFactor factor;
  const MassMatrix mass = rod(10);
  const algebra::SparseSolver first = factor.of(mass.full), second = factor.of(mass.full);
  EXPECT_EQ(first.factorisations(), 1);
  EXPECT_EQ(second.factorisations(), 1);
  // and a mass that was changed behind its back is factored again
  const algebra::SparseMatrix other = 2 * mass.full;
  const VectorXd p = VectorXd::LinSpaced(11, 1, 2);
  VectorXd v = p, w = p;
  first.solve(p, v);
  factor.of(other).solve(p, w);
  EXPECT_LT((v - 2 * w).norm(), 1e-14 * v.norm());
}

}  // namespace
}  // namespace actio::system
