#include "solids.hpp"

#include <cmath>

#include <Eigen/Geometry>

#include <actio/core/error.hpp>
#include <common.hpp>

// Energies of materials, and what acts on a solid.
namespace actio::system::test {
namespace {

using actio::test::eps;

struct Law {
  const char* name;
  expr::Id (*energy)(expr::Graph&, const Deformation&);
  bool same_when_turned = true;
};
constexpr double lambda = 1.5, mu = 0.8;
const std::array laws{Law{"linear-elastic",
                          [](expr::Graph& g, const Deformation& d) {
                            return linear_elastic(g, d, {lambda, mu});
                          },
                          false},
                      Law{"st-venant-kirchhoff",
                          [](expr::Graph& g, const Deformation& d) {
                            return st_venant_kirchhoff(g, d, {lambda, mu});
                          }},
                      Law{"neo-hookean",
                          [](expr::Graph& g, const Deformation& d) {
                            return neo_hookean(g, d, {lambda, mu});
                          }},
                      Law{"mooney-rivlin", [](expr::Graph& g, const Deformation& d) {
                            return mooney_rivlin(g, d, 0.3, 0.1, lambda + 2 * mu / 3);
                          }}};

std::vector<double> entries(const Eigen::Matrix3d& F) {
  std::vector<double> out;
  for (long i = 0; i < 3; ++i)
    for (long K = 0; K < 3; ++K) out.push_back(F(i, K));
  return out;
}

// At rest: no energy, no stress, and the stiffness lambda d_iK d_jL + mu (d_ij d_KL + d_iL d_Kj).
TEST(Material, at_rest_is_hookes) {
  for (const Law& law : laws) {
    expr::Graph g;
    const expr::Id W = law.energy(g, deformation(g));
    std::vector<expr::Id> F, wanted{W};
    for (int k = 0; k < 9; ++k) F.push_back(g.column(k));
    for (const expr::Id id : expr::gradient(g, W, F)) wanted.push_back(id);
    for (const expr::Id id : expr::hessian(g, W, F)) wanted.push_back(id);
    const std::vector<double> at = evaluate(g, wanted, entries(Eigen::Matrix3d::Identity()));
    for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(at[k], 0, 20 * eps) << law.name;
    for (int a = 0; a < 9; ++a)
      for (int b = 0; b <= a; ++b) {
        const int i = a / 3, K = a % 3, j = b / 3, L = b % 3;
        const double hooke = lambda * (i == K) * (j == L) + mu * ((i == j) * (K == L) + (i == L) * (K == j));
        EXPECT_NEAR(at[static_cast<std::size_t>(10 + a * (a + 1) / 2 + b)], hooke, 50 * eps) << law.name << ' ' << a << b;
      }
  }
}

TEST(Material, has_the_same_energy_in_a_turned_frame) {
  Eigen::Matrix3d F;
  F << 1.2, 0.3, -0.1, 0.05, 0.9, 0.2, 0.1, -0.2, 1.1;
  const Eigen::Matrix3d Q = Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  for (const Law& law : laws) {
    expr::Graph g;
    const expr::Id W = law.energy(g, deformation(g));
    const double straight = evaluate(g, {W}, entries(F))[0], turned = evaluate(g, {W}, entries(Q * F))[0];
    if (law.same_when_turned)
      EXPECT_NEAR(turned, straight, 100 * eps) << law.name;
    else
      EXPECT_GT(std::abs(turned - straight), 0.1) << law.name;
  }
}

// viscosity dE/dt:dE/dt is that of the stretch alone.
TEST(Material, dissipates_in_stretching_and_not_in_turning) {
  expr::Graph g;
  const expr::Id phi = viscous(g, deformation(g), 0.7);
  const Eigen::Matrix3d F{{1.1, 0.2, 0}, {0, 0.9, 0.1}, {0.3, 0, 1}}, spin{{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}};
  const auto at = [&](const Eigen::Matrix3d& position, const Eigen::Matrix3d& rate) {
    std::vector<double> columns = entries(position);
    for (const double x : entries(rate)) columns.push_back(x);
    return evaluate(g, {phi}, columns)[0];
  };
  EXPECT_NEAR(at(F, spin * F), 0, 100 * eps);
  const Eigen::Matrix3d L{{0.5, 0.1, 0}, {0.1, -0.2, 0}, {0, 0, 0.3}};
  EXPECT_NEAR(at(Eigen::Matrix3d::Identity(), L), 0.7 * L.squaredNorm(), 100 * eps);
}

// Virtual work: sum x f' = -p V 1 for a uniform pressure.
TEST(Pressure, on_a_closed_surface_does_the_work_of_the_volume_and_pushes_nowhere) {
  for (const Cell kind : kinds) {
    auto mesh = std::make_shared<Mesh>(distorted(models::mesh_of({kind, {2, 2, 2}, {1, 1, 1}}), 2));
    // a face that looks inward is turned round
    std::vector<std::int32_t>& faces = mesh->blocks[1].nodes;
    const Cell face = mesh->blocks[1].cell;
    if (face == Cell::triangle3 || face == Cell::quadrilateral4) std::swap(faces[0], faces[face == Cell::triangle3 ? 1 : 2]);
    Model model;
    add_solid(model, "x", mesh, std::array{neo_hookean_part(*mesh)}, MassOfSolid::lumped);
    Field pressure;
    pressure.value[0] = pressure.graph.mul(pressure.graph.constant(2), pressure.graph.uniform(0));  // 2 t
    Cells sides;
    for (const char* name : {"x0", "x1", "y0", "y1", "z0", "z1"})
      for (const auto& cell : group(*mesh, name)) sides.push_back(cell);
    add_pressure(model, model.solids[0], sides, pressure, "pressure");
    Eigen::Matrix3d A;
    A << 1.1, 0.2, -0.1, 0.05, 0.9, 0.15, 0.1, -0.2, 1.2;
    const Eigen::VectorXd x = places(*mesh, A, {1, 2, 3});
    Eigen::VectorXd f = Eigen::VectorXd::Zero(x.size());
    for (const Force& force : model.forces)
      for (long e = 0; e < force.elements; ++e) {
        std::vector<double> columns;
        for (long l = 0; l < force.locals; ++l)
          columns.push_back(x[force.dofs[static_cast<std::size_t>(l * force.elements + e)]]);
        columns.resize(static_cast<std::size_t>(2 * force.locals), 0);
        for (const auto& data : force.data) columns.push_back(data[static_cast<std::size_t>(e)]);
        std::vector<double> uniforms(32);
        uniforms[0] = 1.5;
        f[force.rows[static_cast<std::size_t>(e)]] += evaluate(force.graph, {force.value}, columns, uniforms)[0];
      }
    const Eigen::Map<const Eigen::Matrix3Xd> at(x.data(), 3, x.size() / 3), of(f.data(), 3, x.size() / 3);
    EXPECT_LE(of.rowwise().sum().norm(), 1e-13) << name_of(kind);
    EXPECT_LE((at * of.transpose() - Eigen::Matrix3d::Identity() * -3 * A.determinant()).norm(), 1e-12)
        << name_of(kind);  // sum x f' = -p V 1
  }
}

TEST(Pressure, acts_on_surfaces_only) {
  const auto mesh = std::make_shared<Mesh>(models::mesh_of({Cell::hexahedron8, {2, 1, 1}, {1, 1, 1}}));
  mesh->blocks[1].nodes.insert(mesh->blocks[1].nodes.end(), {1, 2, 6, 5});  // between the elements
  Model model;
  add_solid(model, "x", mesh, std::array{neo_hookean_part(*mesh)}, MassOfSolid::lumped);
  Field pressure;
  pressure.value[0] = pressure.graph.constant(1);
  const Cells inside{{1, static_cast<std::int32_t>(mesh->blocks[1].size() - 1)}};
  try {
    add_pressure(model, model.solids[0], inside, pressure, "pressure");
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("lies between two elements"), std::string::npos) << error.what();
  }
}

// At rest the friction is v'(a M + b K)v/2 with K of the elements, here by differences of their forces.
TEST(Rayleigh, dissipates_by_the_stiffness_at_rest) {
  const auto mesh = std::make_shared<Mesh>(models::mesh_of({Cell::tetrahedron4, {1, 1, 1}, {1, 1, 1}}));
  Model model;
  add_solid(model, "x", mesh, std::array{neo_hookean_part(*mesh)}, MassOfSolid::consistent);
  add_rayleigh(model, model.solids[0], 0.3, 0.02);
  const Eigen::VectorXd x = places(*mesh), v = Eigen::VectorXd::Random(x.size());
  ASSERT_EQ(model.dissipation.size(), 1U);
  const Evaluated phi = evaluate(model.dissipation[0], x, &v);
  const double h = 1e-4;  // error of the difference: h^2 of a third derivative of order 10
  const Eigen::VectorXd Kv =
      (evaluate(model.terms[0], x + h * v).gradient - evaluate(model.terms[0], x - h * v).gradient) / (2 * h);
  EXPECT_LE((phi.gradient - 0.02 * Kv).norm(), 0.02 * 100 * h * h);
  EXPECT_NEAR(phi.energy, 0.01 * v.dot(Kv), 100 * h * h);
  EXPECT_LE((model.damping * v - 0.3 * (model.mass.full * v)).norm(), 10 * eps);
}

TEST(Solid, of_a_mesh_with_loose_nodes_leaves_them_out) {
  Mesh mesh = models::mesh_of({Cell::tetrahedron4, {1, 1, 1}, {1, 1, 1}});
  const Mesh whole = mesh;
  mesh.points.conservativeResize(3, 10);
  mesh.points.col(9) = mesh.points.col(0);
  mesh.points.col(0).setConstant(9);  // node 0 is loose now
  mesh.points.col(8).setConstant(7);
  for (CellBlock& block : mesh.blocks)
    for (std::int32_t& a : block.nodes) a = a == 0 ? 9 : a;
  mesh.blocks.push_back({Cell::point, {0, 9}});
  mesh.groups.push_back({"points", 0, {{2, 0}, {2, 1}}});
  Model model;
  EXPECT_THROW(add_solid(model, "x", std::make_shared<Mesh>(mesh), std::array{neo_hookean_part(mesh)}, MassOfSolid::lumped),
               core::InputError);
  const Mesh tidy = without_loose_nodes(mesh);
  EXPECT_EQ(tidy.points.cols(), 8);
  EXPECT_EQ(group(tidy, "points").size(), 1U);
  EXPECT_EQ(tidy.points.col(nodes_of(tidy, group(tidy, "points")[0])[0]), whole.points.col(0));
  double volume = 0;
  for (const double w : interpolation(tidy, tidy.groups[0].cells, "").weight) volume += w;
  EXPECT_NEAR(volume, 1, 20 * eps);
}

TEST(Solid, after_another_keeps_both_masses) {
  const auto mesh = std::make_shared<Mesh>(models::mesh_of({Cell::tetrahedron4, {1, 1, 1}, {1, 1, 1}}));
  for (const auto& [first, second] : {std::pair{MassOfSolid::lumped, MassOfSolid::lumped},
                                      {MassOfSolid::consistent, MassOfSolid::lumped},
                                      {MassOfSolid::lumped, MassOfSolid::consistent}}) {
    Model model;
    add_solid(model, "a", mesh, std::array{neo_hookean_part(*mesh, 1, 0.3, 2)}, first);
    add_solid(model, "b", mesh, std::array{neo_hookean_part(*mesh, 1, 0.3, 5)}, second);
    EXPECT_EQ(model.size(), 48);
    EXPECT_EQ(model.terms.at(1).dofs.front(), 24 + model.terms.at(0).dofs.front());
    EXPECT_NEAR(figures_of(model, model.solids[0]).mass, 2, 20 * eps);
    EXPECT_NEAR(figures_of(model, model.solids[1]).mass, 5, 50 * eps);
  }
}

}  // namespace
}  // namespace actio::system::test
