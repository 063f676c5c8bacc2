#include "system/monomial_elements.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <actio/core/error.hpp>
#include <actio/system/assembled.hpp>

namespace actio::system {
namespace {

using Dense = Assembled<algebra::DenseSpace<Eigen::Dynamic>>;
using Sparse = Assembled<algebra::SparseSpace>;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Cells are bent, so that of curved elements every point has a Jacobian of its own.
Vector3d bend(const Vector3d& x) {
  return {x[0] + 0.1 * x[1] * x[1] + 0.05 * std::sin(x[2]), 0.8 * x[1] + 0.07 * x[0] * x[2], 1.1 * x[2] - 0.06 * x[0] * x[1]};
}

struct Shape {
  solid::Kind kind;
  solid::Mesh mesh;
  solid::Element element;
  VectorXd q;
  explicit Shape(solid::Kind k, std::array<int, 3> cells = {1, 2, 1})
      : kind(k), mesh(solid::brick(k, cells, bend)), element(solid::element(k)), q(solid::rest(mesh)) {
    for (long i = 0; i < q.size(); ++i) q[i] += 0.04 * std::sin(3.1 * static_cast<double>(i));
  }
  // f(w, F, slopes by X (nodes x 3), nodes) at every point
  template <class F>
  void each_point(const VectorXd& x, F&& f) const {
    for (const auto& nodes : mesh.elements)
      for (std::size_t p = 0; p < element.points.size(); ++p) {
        const MatrixXd slopes = element.slopes(element.points[p]);
        Eigen::Matrix3d dX = Eigen::Matrix3d::Zero(), dx = dX;
        for (std::size_t a = 0; a < nodes.size(); ++a) {
          dX += mesh.X[static_cast<std::size_t>(nodes[a])] * slopes.row(static_cast<long>(a));
          dx += x.segment<3>(3 * nodes[a]) * slopes.row(static_cast<long>(a));
        }
        f(element.weights[p] * dX.determinant(), Eigen::Matrix3d(dx * dX.inverse()));
      }
  }
};

class Solids : public testing::TestWithParam<solid::Kind> {};
INSTANTIATE_TEST_SUITE_P(Elements, Solids, testing::ValuesIn(solid::every_kind));

constexpr double mu = 2.0, lambda = 3.0;

template <class System>
System on(const Model& model, bool third = false) {
  const auto compiled = compile(model, {}, true, third ? Highest::third : Highest::second);
  return System(compiled, layout<typename System::Space>(*compiled, true));
}

}  // namespace

TEST_P(Solids, energy_is_the_integral_of_its_density_over_the_body_at_rest) {
  const Shape body(GetParam());
  Dense system = on<Dense>(solid::model(body.kind, body.mesh, solid::neo_hookean(mu, lambda), 1));
  double V = 0;
  body.each_point(body.q, [&](double w, const Eigen::Matrix3d& F) {
    const double log = std::log(F.determinant());
    V += w * (0.5 * mu * (F.squaredNorm() - 3) - mu * log + 0.5 * lambda * log * log);
  });
  EXPECT_GT(V, 0.01);
  EXPECT_NEAR(system.potential(0, body.q), V, 1e-12 * V);
}

// Differences over 2 h of a function whose third derivatives are some 1e2 times its first are off by 1e2 h^2, rounding by eps /
// h.
TEST_P(Solids, force_and_stiffness_are_the_derivatives_of_the_energy) {
  const Shape body(GetParam());
  Dense system = on<Dense>(solid::model(body.kind, body.mesh, solid::neo_hookean(mu, lambda), 1));
  const long n = body.q.size();
  VectorXd f(n), plus(n), minus(n), x = body.q;
  MatrixXd K = MatrixXd::Zero(n, n);
  system.stiffness(0, body.q, 0, 1, f, K);
  const double h = 1e-5;
  for (long i = 0; i < n; ++i) {
    x[i] = body.q[i] + h;
    const double V1 = system.potential(0, x);
    system.force(0, x, plus);
    x[i] = body.q[i] - h;
    const double V0 = system.potential(0, x);
    system.force(0, x, minus);
    x[i] = body.q[i];
    EXPECT_NEAR(f[i], (V0 - V1) / (2 * h), 1e-7 * f.norm()) << i;
    EXPECT_LT((K.col(i) - (minus - plus) / (2 * h)).norm(), 1e-7 * K.norm()) << i;
  }
  system.force(0, body.q, plus);
  EXPECT_LT((plus - f).norm(), 1e-14 * f.norm() * static_cast<double>(n));
  EXPECT_LT((K - K.transpose()).norm(), 1e-15 * K.norm());
  for (int i = 0; i < 3; ++i) {  // a shift costs nothing
    double sum = 0;
    for (long a = i; a < n; a += 3) sum += f[a];
    EXPECT_NEAR(sum, 0, 1e-14 * f.norm() * static_cast<double>(n));
  }
}

TEST_P(Solids, sparse_and_dense_matrices_are_the_same) {
  const Shape body(GetParam());
  const Model model = solid::model(body.kind, body.mesh, solid::neo_hookean(mu, lambda), 1);
  Dense dense = on<Dense>(model);
  Sparse sparse = on<Sparse>(model);
  VectorXd f = body.q, g = body.q;
  MatrixXd K = dense.space().matrix();
  auto S = sparse.space().matrix();
  dense.stiffness(0, body.q, 0.7, 1.3, f, K);
  sparse.stiffness(0, body.q, 0.7, 1.3, g, S);
  EXPECT_EQ(f, g);
  EXPECT_LT((K - MatrixXd(S)).norm(), 1e-15 * K.norm());
}

// A spring from one coordinate of a node to a bead that is in no element.
TEST_P(Solids, springs_beside_elements_find_their_places_in_a_sparse_matrix) {
  const Shape body(GetParam());
  Model model = solid::model(body.kind, body.mesh, solid::neo_hookean(mu, lambda), 1);
  const long n = body.q.size();
  model.families.push_back({"bead", 1, n, false});
  model.mass.diagonal.conservativeResize(n + 1);
  model.mass.diagonal[n] = 1;
  model.symmetries.clear();
  Term& spring = model.terms.emplace_back();
  spring.name = "spring";
  expr::Graph& g = spring.graph;
  const expr::Id stretch = g.sub(g.column(0), g.column(1));
  spring.value = g.mul(g.mul(stretch, stretch), g.mul(stretch, stretch));
  spring.locals = 2;
  spring.dofs = {4, static_cast<std::int32_t>(n)};
  VectorXd q(n + 1), f(n + 1), again(n + 1);
  q << body.q, 2.5;
  Dense dense = on<Dense>(model);
  Sparse sparse = on<Sparse>(model);
  MatrixXd K = dense.space().matrix();
  auto S = sparse.space().matrix();
  dense.stiffness(0, q, 0.7, 1.3, f, K);
  sparse.stiffness(0, q, 0.7, 1.3, again, S);
  EXPECT_NE(K(4, n), 0);
  EXPECT_EQ(f, again);
  EXPECT_LT((K - MatrixXd(S)).norm(), 1e-15 * K.norm());
  Eigen::SparseMatrix<double> pattern = S;
  pattern.coeffs().setOnes();
  EXPECT_EQ((MatrixXd(pattern) - MatrixXd(pattern).transpose()).norm(), 0);
}

TEST_P(Solids, third_derivative_is_that_of_the_stiffness) {
  const Shape body(GetParam());
  Dense system = on<Dense>(solid::model(body.kind, body.mesh, solid::neo_hookean(mu, lambda), 1), true);
  const long n = body.q.size();
  VectorXd a(n), f(n), third(n);
  for (long i = 0; i < n; ++i) a[i] = std::cos(1.7 * static_cast<double>(i));
  MatrixXd plus = MatrixXd::Zero(n, n), minus = plus;
  const double h = 1e-5;
  system.stiffness(0, body.q + h * a, 0, 1, f, plus);
  system.stiffness(0, body.q - h * a, 0, 1, f, minus);
  system.third(0, body.q, a, third);
  EXPECT_GT(third.norm(), 1);
  EXPECT_LT((third - (plus - minus) * a / (2 * h)).norm(), 1e-6 * third.norm());
}

// phi = eta/4 |F'dF + dF'F|^2
TEST_P(Solids, friction_of_kelvin_and_voigt_is_the_derivative_of_its_potential) {
  const Shape body(GetParam());
  const double eta = 0.3;
  Model model = solid::model(body.kind, body.mesh, solid::neo_hookean(mu, lambda), 1);
  const solid::Energy friction = [&](expr::Graph& g, const std::vector<expr::Id>& c) {
    expr::Id sum = g.constant(0);
    for (std::size_t K = 0; K < 3; ++K)
      for (std::size_t L = 0; L < 3; ++L) {
        expr::Id rate = g.constant(0);
        for (std::size_t i = 0; i < 3; ++i)
          rate = g.add(rate, g.add(g.mul(c[3 * i + K], c[9 + 3 * i + L]), g.mul(c[9 + 3 * i + K], c[3 * i + L])));
        sum = g.add(sum, g.mul(rate, rate));
      }
    return g.mul(g.constant(eta / 4), sum);
  };
  model.dissipation.push_back(solid::term(body.element, body.mesh, friction, true));
  Dense system = on<Dense>(model);
  const long n = body.q.size();
  VectorXd v(n), F(n), plus(n), minus(n);
  for (long i = 0; i < n; ++i) v[i] = std::cos(2.3 * static_cast<double>(i));
  double phi = 0;
  std::vector<Eigen::Matrix3d> rates;
  body.each_point(v, [&](double, const Eigen::Matrix3d& dF) { rates.push_back(dF); });
  std::size_t k = 0;
  body.each_point(body.q, [&](double w, const Eigen::Matrix3d& G) {
    const Eigen::Matrix3d& dF = rates[k++];
    phi += w * eta / 4 * (G.transpose() * dF + dF.transpose() * G).squaredNorm();
  });
  EXPECT_NEAR(system.dissipation(0, body.q, v), phi, 1e-12 * phi);
  MatrixXd by_q = MatrixXd::Zero(n, n), by_v = by_q;
  system.applied_tangent(0, body.q, v, 1, 0, F, by_q);
  system.applied_tangent(0, body.q, v, 0, 1, F, by_v);
  const double h = 1e-5;
  for (long i = 0; i < n; ++i) {
    const VectorXd one = h * VectorXd::Unit(n, i);
    EXPECT_NEAR(F[i], (system.dissipation(0, body.q, v - one) - system.dissipation(0, body.q, v + one)) / (2 * h),
                1e-7 * F.norm());
    system.applied(0, body.q, v + one, plus);
    system.applied(0, body.q, v - one, minus);
    EXPECT_LT((by_v.col(i) - (plus - minus) / (2 * h)).norm(), 1e-7 * by_v.norm());
    system.applied(0, body.q + one, v, plus);
    system.applied(0, body.q - one, v, minus);
    EXPECT_LT((by_q.col(i) - (plus - minus) / (2 * h)).norm(), 1e-7 * by_q.norm());
  }
  EXPECT_NEAR(F.dot(v), -2 * phi, 1e-12 * phi);
}

TEST_P(Solids, stiffness_of_an_energy_that_is_quadratic_in_F_is_constant) {
  const Shape body(GetParam());
  const solid::Energy linear = [](expr::Graph& g, const std::vector<expr::Id>& F) {  // mu eps:eps + lambda/2 (tr eps)^2
    expr::Id sum = g.constant(0), trace = g.constant(-3);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        expr::Id strain = g.mul(g.constant(0.5), g.add(F[3 * i + j], F[3 * j + i]));
        if (i == j) {
          strain = g.sub(strain, g.constant(1));
          trace = g.add(trace, F[4 * i]);
        }
        sum = g.add(sum, g.mul(strain, strain));
      }
    return g.add(g.mul(g.constant(mu), sum), g.mul(g.constant(lambda / 2), g.mul(trace, trace)));
  };
  const Model model = solid::model(body.kind, body.mesh, linear, 1);
  EXPECT_TRUE(compile(model)->linear);
  EXPECT_FALSE(compile(solid::model(body.kind, body.mesh, solid::neo_hookean(mu, lambda), 1))->linear);
  Dense system = on<Dense>(model);
  VectorXd f = body.q, zero = f;
  MatrixXd K = system.space().matrix();
  system.stiffness(0, solid::rest(body.mesh), 0, 1, zero, K);
  system.force(0, body.q, f);
  EXPECT_LT(zero.norm(), 1e-13 * K.norm());
  EXPECT_LT((f + K * (body.q - solid::rest(body.mesh))).norm(), 1e-13 * K.norm());
  const VectorXd of = Eigen::SelfAdjointEigenSolver<MatrixXd>(K, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = of[of.size() - 1];
  EXPECT_LT(std::abs(of[5]), 1e-12 * largest);  // three shifts, three small turns
  EXPECT_GT(of[6], 1e-4 * largest);
}

TEST(Solid, an_interpolation_that_does_not_fit_is_refused) {
  const Shape body(solid::Kind::hexahedron8);
  const Model model = solid::model(body.kind, body.mesh, solid::neo_hookean(mu, lambda), 1);
  const auto refused = [&](auto&& change) {
    Model wrong = model;
    auto of = std::make_shared<Interpolation>(*model.terms[0].interpolation);
    change(wrong.terms[0], *of);
    wrong.terms[0].interpolation = of;
    EXPECT_THROW((void)compile(wrong, {"none", {}}), core::InputError);
  };
  refused([](Term&, Interpolation& of) { of.slopes[0] += 0.1; });
  refused([](Term&, Interpolation& of) { of.weight.pop_back(); });
  refused([](Term& term, Interpolation&) { std::swap(term.dofs.front(), term.dofs.back()); });
  refused([](Term& term, Interpolation&) { term.dofs.back() = 1'000'000; });
}

}  // namespace actio::system
