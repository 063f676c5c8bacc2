#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <actio/core/error.hpp>
#include <actio/method/integrator.hpp>
#include <cmath>

// Linear structures given as matrices, against published and exact answers.
namespace actio::method {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Space = BuildOptions::Space;

system::Model structure(const MatrixXd& M, const MatrixXd& S, const MatrixXd& D = {}) {
  system::Model model;
  model.families = {{"u", M.rows(), 0, true}};
  model.mass.kind = system::MassMatrix::Kind::full;
  model.mass.full = M.sparseView();
  model.stiffness = S.sparseView();
  if (D.size() > 0) model.damping = D.sparseView();
  return model;
}

// Bathe, Finite Element Procedures, examples 9.1 and 9.4: a constant load of 10 on the second mass from rest.
const MatrixXd bathe_M = (MatrixXd(2, 2) << 2, 0, 0, 1).finished(), bathe_K = (MatrixXd(2, 2) << 6, -2, -2, 4).finished();

Eigen::Vector2d bathe(const AnyMethod& choice, Space space) {
  system::Model model = structure(bathe_M, bathe_K);
  system::Force load;
  load.value = load.graph.constant(10);
  load.rows = {1};
  model.forces = {load};
  const auto integrator = make_integrator(model, {choice, false, {}}, {{}, space});
  integrator->start(0, VectorXd::Zero(2), VectorXd::Zero(2));
  const BatchReport report = integrator->advance(12, 0.28);
  EXPECT_TRUE(report.ok) << report.what;
  Snapshot end;
  integrator->snapshot(end);
  return end.q;
}

// u = sum_k phi_k (phi_k . R / w_k^2) (1 - cos w_k t), phi_k orthonormal in M
Eigen::Vector2d exact_bathe(double t) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(bathe_K, bathe_M);
  Eigen::Vector2d u = Eigen::Vector2d::Zero();
  for (int k = 0; k < 2; ++k) {
    const double w2 = modes.eigenvalues()[k];
    u += modes.eigenvectors().col(k) * (modes.eigenvectors()(1, k) * 10 / w2) * (1 - std::cos(std::sqrt(w2) * t));
  }
  return u;
}

TEST(Bathe, table_of_two_degrees_of_freedom_after_twelve_steps) {
  const Eigen::Vector2d exact = exact_bathe(12 * 0.28);
  EXPECT_NEAR(exact[0], 1.157, 5e-4);
  EXPECT_NEAR(exact[1], 2.489, 5e-4);
  for (const Space space : {Space::fixed, Space::dense, Space::sparse}) {
    const Eigen::Vector2d newmark = bathe(Newmark{0.25, 0.5}, space), central = bathe(CentralDifference{}, space);
    EXPECT_NEAR(newmark[0], 1.396784, 5e-7);
    EXPECT_NEAR(newmark[1], 2.312925, 5e-7);
    EXPECT_NEAR(central[0], 1.02, 5e-3);
    EXPECT_NEAR(central[1], 2.60, 5e-3);
  }
}

TEST(CentralDifference, lumps_the_rows_of_the_mass_when_asked_to) {
  const MatrixXd M = (MatrixXd(3, 3) << 4, 1, 0, 1, 4, 1, 0, 1, 2).finished() / 6;
  const MatrixXd S = (MatrixXd(3, 3) << 2, -1, 0, -1, 2, -1, 0, -1, 1).finished(), D = 0.1 * S;
  const VectorXd sums = M.rowwise().sum(), q = (VectorXd(3) << 0.1, 0.3, 0.2).finished();
  const auto run = [&](const MatrixXd& mass, const AnyMethod& choice) {
    const auto integrator = make_integrator(structure(mass, S, D), {choice, false, {}});
    integrator->start(0, q, VectorXd::Zero(3));
    EXPECT_TRUE(integrator->advance(40, 0.2).ok);
    Snapshot end;
    integrator->snapshot(end);
    return VectorXd(end.q);
  };
  const MatrixXd lumped = sums.asDiagonal();
  EXPECT_LT((run(M, CentralDifference{"lumped"}) - run(lumped, Newmark{0, 0.5})).norm(), 1e-13);
  EXPECT_GT((run(M, CentralDifference{"lumped"}) - run(M, CentralDifference{"consistent"})).norm(), 1e-3);
  EXPECT_LT((run(M, CentralDifference{"consistent"}) - run(M, Newmark{0, 0.5})).norm(), 1e-13);
}

TEST(CentralDifference, refuses_a_mass_whose_rows_have_no_positive_sum) {
  const MatrixXd M = (MatrixXd(2, 2) << 1, -1.2, -1.2, 2).finished();
  try {
    (void)make_integrator(structure(M, MatrixXd::Identity(2, 2)), {CentralDifference{"lumped"}, false, {}});
    FAIL() << "lumped";
  } catch (const core::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("row u[0] of it sums to"), std::string::npos) << e.what();
  }
}

// A step size is factored once however often it comes back, and the run is told.
TEST(Structure, factorisations_are_counted_by_the_step_size) {
  const MatrixXd S = (MatrixXd(3, 3) << 2, -1, 0, -1, 2, -1, 0, -1, 1).finished(), D = 0.1 * S;
  for (const Space space : {Space::fixed, Space::dense, Space::sparse}) {
    const auto integrator = make_integrator(structure(MatrixXd::Identity(3, 3), S, D), {Newmark{}, false, {}}, {{}, space});
    integrator->start(0, VectorXd::Ones(3), VectorXd::Zero(3));
    EXPECT_EQ(integrator->advance(50, 0.1).factorisations, 1);
    EXPECT_EQ(integrator->advance(50, 0.2).factorisations, 1);
    EXPECT_EQ(integrator->advance(50, 0.1).factorisations, 0);
    EXPECT_EQ(integrator->clone()->advance(50, 0.2).factorisations, 0);  // a copy has them too
  }
}

}  // namespace
}  // namespace actio::method
