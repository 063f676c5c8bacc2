#include "solids.hpp"

#include <actio/expr/kernel.hpp>
#include <actio/system/mesh.hpp>
#include <common.hpp>

#include <system/solids.hpp>
#include "evaluate.hpp"
#include "wrong.hpp"

// [system.solid]: what is read of a solid, and what is said of a wrong one.
namespace actio::io::test {
namespace {

using actio::test::eps;

TEST(Solid, is_read_in_the_units_of_the_file) {
  const Bar bar;
  const Problem problem = load_text(bar.text, "p.toml");
  const system::Model& m = problem.model;
  ASSERT_EQ(m.solids.size(), 1U);
  EXPECT_EQ(m.size(), 36);
  EXPECT_EQ(m.coordinate_name(35), "bar[35]");
  EXPECT_NEAR(problem.q0.maxCoeff(), 2000, 0);
  // t: 1e9 mm^3 each of 7.85e-9 and 1.1e-9 t/mm^3
  const system::SolidFigures figures = system::figures_of(m, m.solids[0]);
  EXPECT_NEAR(figures.mass, 7.85 + 1.1, 100 * eps * 9);
  EXPECT_NEAR(figures.volume, 2e9, 100 * eps * 2e9);
  EXPECT_NEAR(figures.smallest_det, 1, 100 * eps);
  EXPECT_EQ(m.mass.kind, system::MassMatrix::Kind::diagonal);
  EXPECT_EQ(m.fixed_dofs.size(), 8U);  // x and y of four nodes
  EXPECT_EQ(m.constraint_count(), 4);
  EXPECT_EQ(m.dissipation.size(), 3U);  // viscosity, and stiffness damping of both materials
  EXPECT_EQ(problem.probes.size(), 6U);
  EXPECT_EQ(problem.probes[0].name, "tip.x");
  EXPECT_EQ(problem.probes[0].coordinates.size(), 4U);
  EXPECT_EQ(problem.probes[5].coordinates.size(), 1U);
  EXPECT_EQ(problem.q0[problem.probes[3].coordinates[0]], 2000);
  EXPECT_EQ(m.symmetries.size(), 3U);
  EXPECT_EQ(m.symmetries[1].name, "bar: linear momentum y");
}

// 210 GPa = 210000 t/(mm s^2): the energy of a small stretch along x without contraction is E (1 - nu)/((1 + nu)(1 - 2 nu))/2
// e^2.
TEST(Solid, has_the_stiffness_of_its_units) {
  const Bar bar;
  const system::Model m = load_text(bar.text, "p.toml").model;
  const double e = 1e-4, modulus = 210000 * 0.7 / (1.3 * 0.4);
  const double W = system::test::evaluate(m.terms[0].graph, {m.terms[0].value}, {1 + e, 0, 0, 0, 1, 0, 0, 0, 1})[0];
  EXPECT_NEAR(W, modulus * e * e / 2, 2 * e * modulus * e * e / 2);
}

TEST(Solid, starts_with_its_velocity_field_and_where_it_is_driven) {
  const Bar bar;
  const Problem problem = load_text(bar.text, "p.toml");
  const auto& mesh = *problem.model.solids[0].mesh;
  for (long a = 0; a < mesh.points.cols(); ++a) {
    EXPECT_EQ(problem.v0[3 * a], 0.01 * mesh.points(0, a));
    EXPECT_NEAR(problem.v0[3 * a + 2], mesh.points(0, a) == 0 ? 5 * 4 : 0, 20 * eps);  // d/dt 5 sin(4 t)
  }
  const Problem later = load_text(with(bar.text, "[run]", "[run]\nstart = 0.3"), "p.toml");
  for (long a = 0; a < mesh.points.cols(); ++a) {
    if (mesh.points(0, a) != 0) continue;
    EXPECT_NEAR(later.q0[3 * a + 2], mesh.points(2, a) + 5 * std::sin(1.2), 1000 * eps * 1000);
  }
}

// The column of a reaction.
TEST(Solid, has_the_name_of_what_drives_it) {
  const Bar bar;
  const auto of = [&](const char* driven) {
    return load_text(with(bar.text, "driven = { group = \"x0\", z = \"5*sin(4*t) + 0*X\" }", driven), "p.toml").supports.back();
  };
  const system::Support jaws = of("driven = { name = \"jaws\", group = [\"x0\", \"x1\"], z = 0 }");
  EXPECT_EQ(jaws.name, "bar.jaws");
  EXPECT_EQ(jaws.of[2].count, 8);
  EXPECT_EQ(of("driven = { group = [\"x0\", \"x1\"], z = 0 }").name, "bar.system.solid.driven");
}

TEST(Solid, spins_about_its_centre_of_mass) {
  const Bar bar;
  std::string free = with(bar.text, "fixed = [{ group = \"x0\", components = [\"x\", \"y\"] }]\n", "");
  free = with(free, "driven = { group = \"x0\", z = \"5*sin(4*t) + 0*X\" }\n", "");
  const Problem problem =
      load_text(with(free, "velocity = [\"0.01*X\", 0, 0]", "displacement = [7, 0, 0]\nangular_velocity = [0, 0, 2]"), "p.toml");
  const Eigen::Map<const Eigen::Matrix3Xd> m(problem.model.mass.diagonal.data(), 3, 12), x(problem.q0.data(), 3, 12),
      v(problem.v0.data(), 3, 12);
  const Eigen::Vector3d centre = x.cwiseProduct(m).rowwise().sum() / m.row(0).sum();
  EXPECT_NEAR(centre[0], 7 + (7.85 * 500 + 1.1 * 1500) / 8.95, 1e-9);  // lumped masses have the centres of their elements
  EXPECT_LE(v.cwiseProduct(m).rowwise().sum().norm(), 1e-10);          // no momentum
  for (long a = 0; a < 12; ++a)
    EXPECT_LE((v.col(a) - Eigen::Vector3d(-2 * (x(1, a) - 500), 2 * (x(0, a) - centre[0]), 0)).norm(), 1e-9);
}

// Dead loads: area times traction, mass times gravity; what does not depend on the time is a potential.
TEST(Solid, feels_its_loads) {
  const Bar bar;
  const Problem problem = load_text(bar.text, "p.toml");
  const auto& m = problem.model;
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(m.size());
  const double t = 0.25;
  Eigen::VectorXd F = force(m, problem.q0, v, t);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (long a = 0; a < m.size() / 3; ++a) sum += F.segment<3>(3 * a);
  EXPECT_NEAR(sum[0], 2 * t * 1e6, 1e-8 * 1e6);     // traction on 1000 x 1000 mm
  EXPECT_NEAR(sum[1], -0.1 * t * 2e6, 1e-8 * 1e6);  // pressure on the side y = 1000 pushes back
  EXPECT_NEAR(sum[2], 0, 1e-8 * 1e6);
  double potential = 0;  // of a lift by 1 mm
  Eigen::VectorXd lifted = problem.q0;
  for (long a = 0; a < m.size() / 3; ++a) lifted[3 * a + 2] += 1;
  for (const auto& term : m.terms)
    if (!term.interpolation) potential += value_of(m, term, lifted, v) - value_of(m, term, problem.q0, v);
  EXPECT_NEAR(potential, 9810 * 8.95 - 1e6, 1e-8 * 1e6);
}

TEST(WrongSolid, is_refused_with_the_place) {
  const Bar bar;

  expect_errors(
      bar.text,
      {
          {"bar.msh", "beam.msh", "6:8", "system.solid.mesh: there is no file", ""},
          {"bar.msh", "flat.msh", "6:8", "has no tetrahedra and no hexahedra", "", "a mesh of a solid is of dimension 3"},
          {"bar.msh", "inverted.msh", "6:8",
           "element 1 of the mesh file, a hexahedron8 of steel, near (500, 500, 500) is inverted", ""},
          {"bar.msh", "rubber.msh", "6:8",
           "element 12 of the mesh file, a hexahedron8 of rubber, near (1500, 500, 500) is inverted", ""},
          {"mass = \"lumped\"", "mass = \"heavy\"", "8:8", "system.solid.mass is \"heavy\"", "",
           "it is \"consistent\" or \"lumped\""},
          {"group = \"x0\", comp", "group = \"x2\", comp", "9:20", "system.solid.fixed[0].group: the mesh has no group \"x2\"",
           "\"x2\"", "did you mean \"x0\"? the groups are x0, x1, y0, y1, z0, z1, steel, rubber"},
          {"[\"x\", \"y\"]", "[\"x\", \"w\"]", "9:45", "\"w\" is not a component", "\"w\"", "they are \"x\", \"y\" and \"z\""},
          {"gravity = [0, 0, -9810]", "gravity = [0, -9810]", "10:11", "system.solid.gravity has 2 entries, not 3", ""},
          {"gravity = [0, 0, -9810]", "gravity = [0, 0, \"-9.8*X\"]", "10:24", "unknown name \"X\"", "X"},
          {"5*sin(4*t) + 0*X", "5*sin(4*s)", "11:39", "unknown name \"s\"", "s"},
          {"z = \"5*sin(4*t) + 0*X\"", "x = 1", "11:26",
           "system.solid.driven: the x of the node at (0, 0, 0) is fixed by \"bar.x0\" already", "x",
           "drive a group without these nodes"},
          {"driven = { group = \"x0\", z = \"5*sin(4*t) + 0*X\" }",
           "driven = [{ name = \"jaw\", group = \"x1\", z = 1 }, { group = \"z1\", z = 2 }]", "11:66",
           "system.solid.driven[1]: the z of the node at (2000, 0, 1000) is driven by system.solid.driven[0] (\"jaw\") already",
           "z", "drive a group without these nodes"},
          {"driven = { group = \"x0\", z = \"5*sin(4*t) + 0*X\" }",
           "driven = [{ name = \"jaw\", group = \"x1\", z = 1 }, { name = \"jaw\", group = \"x0\", z = 2 }]", "11:59",
           "system.solid.driven[1]: there is a reaction \"bar.jaw.z\" already", "\"jaw\""},
          {"fixed = [{ group = \"x0\", components = [\"x\", \"y\"] }]\ngravity = [0, 0, -9810]\ndriven = { group = \"x0\", z = "
           "\"5*sin(4*t) + "
           "0*X\" }",
           "fixed = [\"steel\", \"rubber\"]", "9:1", "every node is fixed: nothing moves", "fixed"},
          {"traction = { group", "traction = { name = \"wind\", group", "12:14", "unknown key \"name\"", "name"},
          {", z = \"5*sin(4*t) + 0*X\"", "", "11:10", "system.solid.driven drives nothing", ""},
          {"group = \"x1\", value", "group = \"steel\", value", "12:22", "the group \"steel\" has no faces", "\"steel\""},
          {"[\"2*t\", 0, 1]", "[\"2*t\", 0]", "12:36", "system.solid.traction.value has 2 entries", ""},
          {"value = \"0.1*t\"", "value = \"0.1*bar[0]\"", "13:41", "bar is a coordinate, not allowed", ""},
          {"rayleigh = [0.1, 1e-4]", "rayleigh = [0.1]", "14:24", "system.solid.damping.rayleigh has 1 entry, not 2", ""},
          {"rayleigh = [0.1, 1e-4]", "rayleigh = [0.1, -1]", "14:30", "rayleigh[1] is -1; it must not be negative", "-1"},
          {"\"corner\"", "\"tip\"", "15:51", "system.solid.probe[1].name: another probe is named \"tip\"", "\"tip\""},
          {"at = [2000, 0, 0]", "at = [2000, 1200, 0]", "15:66",
           "system.solid.probe[1].at: (2000, 1200, 0) is outside of the solid, 200 from its nearest node at (2000, 1000, 0)", "",
           "the mesh, scaled, lies between (0, 0, 0) and (2000, 1000, 1000)"},
          {"at = [2000, 0, 0]", "at = [2000, 0]", "15:66", "has 2 entries, not 3", ""},
          {"[\"linear\"]", "[\"spin\"]", "16:13", "there is no momentum \"spin\"", "\"spin\"",
           "they are \"linear\" and \"angular\""},
          {"group = \"steel\"\n", "group = \"steal\"\n", "18:9", "the mesh has no group \"steal\"", "\"steal\"",
           "did you mean \"steel\"? the groups are x0, x1, y0, y1, z0, z1, steel, rubber"},
          {"group = \"steel\"\n", "group = \"egg\"\n", "18:9", "the mesh has no group \"egg\"", "\"egg\"",
           "the groups are x0, x1, y0, y1, z0, z1, steel, rubber"},
          {"group = \"steel\"\n", "group = \"x0\"\n", "18:9", "the group \"x0\" has no elements of dimension 3", "\"x0\""},
          {"group = \"steel\"\n", "group = [\"steel\", \"rubber\"]\n", "24:9",
           "the group \"rubber\" has two materials, system.solid.material[0] and system.solid.material[1]", "\"rubber\"",
           "each element has one material"},
          {"group = \"rubber\"\n", "group = \"steel\"\n", "24:9",
           "the group \"steel\" has two materials, system.solid.material[0] and system.solid.material[1]", "\"steel\""},
          {"group = \"steel\"\n", "", "23:9",
           "element 12 of the mesh file is in both system.solid.material[0] (all elements) and system.solid.material[1] "
           "(\"rubber\")",
           "\"rubber\""},
          {"\"neo-hookean\"", "\"neo-hooken\"", "19:9", "there is no material \"neo-hooken\"", "",
           "did you mean \"neo-hookean\"?"},
          {"unit = \"GPa\"", "unit = \"GPx\"", "20:27", "system.solid.material[0].E: \"GPx\" is not a unit", "\"GPx\""},
          {"unit = \"GPa\"", "unit = \"kg\"", "20:27",
           "system.solid.material[0].E needs a unit of pressure (kg m^-1 s^-2); \"kg\" is one of mass (kg)", "\"kg\"",
           "for example \"GPa\", \"N/mm^2\""},
          {"kg/m^3", "kg/m^2", "22:34", "system.solid.material[0].density needs a unit of density (kg m^-3); \"kg/m^2\" is", ""},
          {"nu = 0.3", "nu = { value = 0.3, unit = \"mm\" }", "21:28",
           "system.solid.material[0].nu is a pure number; \"mm\" is a unit of length (m)", "\"mm\""},
          {"nu = 0.3", "nu = 0.5", "21:6", "nu is 0.5; it must lie between -1 and 0.5", "0.5",
           "a material without any change of volume has no finite stiffness: 0.49"},
          {"nu = 0.3", "nu = 0.3\nC10 = 1", "22:1", "neo-hookean takes no C10", "C10", "it takes E, nu"},
          {"density = 1.1e-9", "density = 0", "26:11", "density is 0; it must be positive", "0"},
          {"log(J)", "log(K)", "25:30", "unknown name \"K\"", "K"},
          {"log(J)", "log(J - 2)", "25:10", "system.solid.material[1].energy is not finite at rest, F = 1", ""},
          {"E0*(I1 - 3 - 2*log(J)) + 5*(J - 1)^2", "E0", "25:10", "does not depend on the deformation", ""},
          {"E0*(I1", "t*(I1", "25:11", "the time t is not allowed", "t"},
          {"mass = \"t\", time", "mass = \"s\", time", "3:33", "system.units.mass: \"s\" is not a unit of mass", "\"s\""},
          {"[system]\n", "[system]\nmass = 1\n", "2:1", "system.mass is given beside a solid", "mass"},
          {"[system]\n", "[system]\ncoordinates = [\"s\"]\n", "2:1", "system.coordinates is given beside a solid", "coordinates"},
          {"scale = 1000", "scale = -1", "7:9", "system.solid.scale is -1; it must be positive", "-1"},
          {"scale = 1000", "skale = 1000", "7:1", "unknown key \"skale\" in [system.solid]", "skale", "did you mean \"scale\"?"},
          {"\"0.01*X\", 0, 0]", "\"0.01*X\", \"1 + 0*X\", 0]", "", "is fixed, but starts with velocity 1", ""},
          {"\"0.01*X\", 0, 0]", "\"1/X\", 0, 0]", "", "initial.solid.velocity is not finite everywhere", ""},
      });
  const std::string one =
      with(bar.text, bar.text.substr(bar.text.rfind("[[system"), bar.text.find("[initial") - bar.text.rfind("[[system")), "");
  EXPECT_NE(error_of(one).find("1 element of bar has no material"), std::string::npos) << error_of(one);
  EXPECT_NE(error_of(one).find("they are in rubber"), std::string::npos);
}

}  // namespace
}  // namespace actio::io::test
