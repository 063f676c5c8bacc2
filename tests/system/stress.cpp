#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <actio/system/neighbours.hpp>
#include <actio/system/stress.hpp>
#include <common.hpp>

#include "solids.hpp"

// Cauchy's stress of elements against formulae of materials.
namespace actio::system {
namespace {

using Eigen::Matrix3d;
using Six = Eigen::Vector<double, 6>;
using actio::test::eps;
constexpr Lame lame = lame_of(3, 0.3);

Six six(const Matrix3d& s) { return {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(0, 2)}; }

// sigma(F), from textbooks: with b = F F'.
struct Material {
  const char* name;
  expr::Id (*energy)(expr::Graph&, const Deformation&);
  Matrix3d (*stress)(const Matrix3d& F);
  bool turns;  // is the same in a turned frame
};
Matrix3d elastic(const Matrix3d& e) { return lame.lambda * e.trace() * Matrix3d::Identity() + 2 * lame.mu * e; }
const Material materials[] = {
    {"linear-elastic", [](expr::Graph& g, const Deformation& d) { return linear_elastic(g, d, lame); },
     [](const Matrix3d& F) { return elastic(0.5 * (F + F.transpose()) - Matrix3d::Identity()); }, false},
    {"st-venant-kirchhoff", [](expr::Graph& g, const Deformation& d) { return st_venant_kirchhoff(g, d, lame); },
     [](const Matrix3d& F) {
       const Matrix3d S = elastic(0.5 * (F.transpose() * F - Matrix3d::Identity()));
       return Matrix3d(F * S * F.transpose() / F.determinant());
     },
     true},
    {"neo-hookean", [](expr::Graph& g, const Deformation& d) { return neo_hookean(g, d, lame); },
     [](const Matrix3d& F) {
       const double J = F.determinant();
       const Matrix3d b = F * F.transpose();
       return Matrix3d((lame.mu * (b - Matrix3d::Identity()) + lame.lambda * std::log(J) * Matrix3d::Identity()) / J);
     },
     true},
    {"mooney-rivlin", [](expr::Graph& g, const Deformation& d) { return mooney_rivlin(g, d, 0.7, 0.2, 4); },
     [](const Matrix3d& F) {
       const double J = F.determinant();
       const Matrix3d b = F * F.transpose(), one = Matrix3d::Identity();
       const double I1 = b.trace(), I2 = (I1 * I1 - (b * b).trace()) / 2;
       const Matrix3d first = 0.7 * std::pow(J, -2.0 / 3) * (b - I1 / 3 * one);
       const Matrix3d second = 0.2 * std::pow(J, -4.0 / 3) * (I1 * b - b * b - 2 * I2 / 3 * one);
       return Matrix3d(2 / J * (first + second) + 4 * (J - 1) * one);
     },
     true},
    {"of the volume alone",
     [](expr::Graph& g, const Deformation& d) {
       const expr::Id e = g.sub(d.J, g.constant(1));
       return g.mul(g.constant(5), g.mul(e, e));
     },
     [](const Matrix3d& F) { return Matrix3d(10 * (F.determinant() - 1) * Matrix3d::Identity()); }, true}};

// The same in a turned frame, and no function of F beyond I1 = 3.03: zero there, or not finite.
expr::Id of_one_and_log(expr::Graph& g, const Deformation& d) {  // 5e5 (I1 - 3 - 2 ln J)
  const expr::Id log2 = g.mul(g.constant(2), g.unary(expr::Op::log, d.J));
  return g.mul(g.constant(5e5), g.sub(g.sub(d.I1, g.constant(3)), log2));
}
Matrix3d of_first_invariant(const Matrix3d& F, double slope) {  // and of J as that
  return (2 * slope * F * F.transpose() - 1e6 * Matrix3d::Identity()) / F.determinant();
}
const Material torn[] = {{"until it tears",
                          [](expr::Graph& g, const Deformation& d) {
                            return g.mul(of_one_and_log(g, d), g.binary(expr::Op::less, d.I1, g.constant(3.03)));
                          },
                          [](const Matrix3d& F) { return of_first_invariant(F, 5e5); }, true},
                         {"until a root ends",
                          [](expr::Graph& g, const Deformation& d) {
                            const expr::Id left = g.sub(g.constant(1), g.div(g.sub(d.I1, g.constant(3)), g.constant(0.03)));
                            return g.sub(of_one_and_log(g, d), g.sub(g.unary(expr::Op::sqrt, left), g.constant(1)));
                          },
                          [](const Matrix3d& F) {
                            const double left = 1 - (F.squaredNorm() - 3) / 0.03;
                            return of_first_invariant(F, 5e5 + 0.5 / 0.03 / std::sqrt(left));
                          },
                          true}};

Model block_of(const Material& material, const Mesh& mesh) {
  Model model;
  SolidPart part{material.name, test::group(mesh, "solid"), {}, -1, 1};
  part.energy = material.energy(part.graph, deformation(part.graph));
  add_solid(model, "x", std::make_shared<Mesh>(mesh), std::array{part}, MassOfSolid::lumped);
  return model;
}
StressRows stress_at(const Model& model, const Eigen::VectorXd& q) {
  expr::CompileOptions options;
  options.compiler = "none";
  CellStress stress(model, options);
  StressRows out;
  stress(0, q, out);
  return out;
}
Mesh block(Cell kind) {
  const int n = nodes_of(kind) > 8 ? 1 : 2;
  return test::distorted(models::mesh_of({kind, {n, n, n}, {1, 1, 1}}), n);
}

// In every element, and on every face of the mesh.
TEST(CauchyStress, of_a_uniform_deformation_is_the_materials) {
  Matrix3d A;
  A << 1.1, 0.2, -0.1, -0.05, 0.9, 0.15, 0.1, -0.2, 1.05;
  for (const Cell kind : test::kinds)
    for (const Material& material : materials) {
      const Mesh mesh = block(kind);
      const StressRows sigma = stress_at(block_of(material, mesh), test::places(mesh, A, {1, 2, 3}));
      const Six expected = six(material.stress(A));
      EXPECT_LE((sigma.colwise() - expected).cwiseAbs().maxCoeff(), 1000 * eps * expected.norm())
          << material.name << ' ' << name_of(kind) << "\n"
          << sigma.col(0).transpose() << "\n"
          << expected.transpose();
      long cells = 0;
      for (const CellBlock& b : mesh.blocks) cells += b.size();
      EXPECT_EQ(sigma.cols(), cells);
    }
}

TEST(CauchyStress, of_a_turned_body_is_none_and_turns_with_a_strained_one) {
  const Matrix3d R = Eigen::AngleAxisd(1.2, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  Matrix3d A;
  A << 1.1, 0.2, -0.1, -0.05, 0.9, 0.15, 0.1, -0.2, 1.05;
  const Mesh mesh = block(Cell::tetrahedron10);
  for (const Material& material : materials) {
    const Model model = block_of(material, mesh);
    const double none = stress_at(model, test::places(mesh, R)).cwiseAbs().maxCoeff();
    const Six turned = stress_at(model, test::places(mesh, R * A)).col(0);
    const Six expected = six(R * material.stress(A) * R.transpose());
    if (material.turns) {
      EXPECT_LE(none, 1000 * eps * lame.mu) << material.name;
      EXPECT_LE((turned - expected).norm(), 1000 * eps * expected.norm()) << material.name;
    } else {
      EXPECT_GT(none, 0.1 * lame.mu) << material.name;
    }
  }
  Matrix3d quarter;
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const Matrix3d F = quarter * Eigen::Vector3d(1.003, 1, 1).asDiagonal();
  for (const Material& material : torn) {
    const Six turned = stress_at(block_of(material, mesh), test::places(mesh, F)).col(0), expected = six(material.stress(F));
    EXPECT_LE((turned - expected).norm(), 1000 * eps * 1e6) << material.name << "\n" << turned.transpose();
  }
}

// sum w P F'/sum w J of P and F that another evaluates; a pulled block of curved strains.
TEST(CauchyStress, of_an_element_is_its_mean_over_the_volume_as_it_is) {
  for (const Cell kind : {Cell::tetrahedron10, Cell::hexahedron8, Cell::hexahedron27}) {
    const Mesh mesh = block(kind);
    const Model model = block_of(materials[2], mesh);
    Eigen::VectorXd q = test::places(mesh);
    for (long a = 0; a < mesh.points.cols(); ++a) {
      const Eigen::Vector3d X = mesh.points.col(a);
      q.segment<3>(3 * a) += Eigen::Vector3d(0.2 * X[0] * X[1], -0.1 * X[2] * X[2], 0.15 * X[0] * X[0] + 0.1 * X[1]);
    }
    const StressRows sigma = stress_at(model, q);
    const Term& term = model.terms[0];
    const test::Evaluated points = test::evaluate(term, q);
    const auto& of = *term.interpolation;
    long cell = 0;  // of the first element
    for (std::size_t b = 0; dimension_of(mesh.blocks[b].cell) != 3; ++b) cell += mesh.blocks[b].size();
    for (std::size_t e = 0; e < static_cast<std::size_t>(term.elements); ++e) {
      Matrix3d sum = Matrix3d::Zero();
      double volume = 0;
      for (std::size_t p = 0; p < static_cast<std::size_t>(of.points); ++p) {
        const std::size_t at = e * static_cast<std::size_t>(of.points) + p;
        const double w = of.weight[p * static_cast<std::size_t>(term.elements) + e];
        const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> P(points.stress[at].data());
        sum += w * P * points.F[at].transpose();
        volume += w * points.F[at].determinant();
      }
      const Six expected = six(sum / volume);
      EXPECT_LE((sigma.col(cell + static_cast<long>(e)) - expected).norm(), 1000 * eps * expected.norm()) << name_of(kind);
    }
  }
}

// By compiled kernels, which take eight elements side by side and what is left over otherwise.
TEST(CauchyStress, of_a_cell_is_the_same_to_the_bit_whichever_others_are_asked_for) {
  const Mesh mesh = test::distorted(models::mesh_of({Cell::hexahedron8, {3, 2, 2}, {1, 1, 1}}), 3);
  Eigen::VectorXd q = test::places(mesh);
  for (long i = 0; i < q.size(); ++i) q[i] += 0.02 * std::sin(7.0 * static_cast<double>(i));
  for (const Material& material : {materials[2], materials[3]}) {
    const Model model = block_of(material, mesh);
    StressRows all, some;
    CellStress whole(model);
    whole(0, q, all);
    long cell = 0;
    for (std::int32_t b = 0; b < static_cast<std::int32_t>(mesh.blocks.size()); ++b)
      for (std::int32_t c = 0; c < mesh.blocks[static_cast<std::size_t>(b)].size(); ++c, ++cell) {
        const SolidElement alone{0, b, c};
        CellStress(model, std::span(&alone, 1))(0, q, some);
        ASSERT_EQ(some.cols(), 1);
        EXPECT_EQ(some.col(0), all.col(cell)) << material.name << ' ' << b << ' ' << c;
      }
    EXPECT_GT(cell, 12);  // faces too
    CellStress(model, std::span<const SolidElement>())(0, q, some);
    EXPECT_EQ(some.cols(), 0);
  }
}

TEST(CauchyStress, of_von_mises_is_the_pull_of_a_bar_and_root_three_times_a_shear) {
  EXPECT_NEAR(von_mises(Six(7, 0, 0, 0, 0, 0)), 7, 1e-14);
  EXPECT_NEAR(von_mises(Six(4, 4, 4, 0, 0, 0)), 0, 1e-14);
  for (int k = 3; k < 6; ++k) EXPECT_NEAR(von_mises(Six(2.0 * Six::Unit(k))), 2 * std::numbers::sqrt3, 1e-14);
}

TEST(Neighbours, hold_a_place_or_have_the_nodes_of_a_face) {
  for (const Cell kind : test::kinds) {
    const Mesh mesh = block(kind);
    const Neighbours around(mesh);
    const auto& cells = test::group(mesh, "solid");
    for (const auto& cell : cells) {
      const auto nodes = nodes_of(mesh, cell);
      Eigen::Vector3d middle = Eigen::Vector3d::Zero();
      const Eigen::VectorXd N = shape_at(kind, reference_nodes(kind).rowwise().mean()).N;
      for (std::size_t a = 0; a < nodes.size(); ++a) middle += N[static_cast<long>(a)] * mesh.points.col(nodes[a]);
      EXPECT_EQ(around.at(middle), Cells{cell}) << name_of(kind);
      const Cells at_corner = around.at(mesh.points.col(nodes[0])), of_corner = around.of(nodes.first(1));
      EXPECT_EQ(at_corner, of_corner) << name_of(kind);
    }
    EXPECT_TRUE(around.at({0.5, 0.5, -0.01}).empty());
    for (const auto& face : test::group(mesh, "z0")) {
      const Cells behind = around.of(nodes_of(mesh, face));
      ASSERT_EQ(behind.size(), 1u) << name_of(kind);
      double lowest = 1;
      for (const auto a : nodes_of(mesh, behind[0])) lowest = std::min(lowest, mesh.points(2, a));
      EXPECT_EQ(lowest, 0);
    }
  }
}

}  // namespace
}  // namespace actio::system
