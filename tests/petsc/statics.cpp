#include <gtest/gtest.h>
#include <unistd.h>

#include <actio/core/error.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/statics.hpp>
#include <actio/petsc/distributed.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <models/mesh.hpp>
#include <string>
#include <vector>

#include "petsc/options.hpp"

// Equilibria that processes find together are those that one finds without PETSc.
namespace actio::petsc {
namespace {

using test::Options;

const std::vector<std::string> multigrid{"-ksp_type", "cg", "-pc_type", "gamg", "-ksp_rtol", "1e-10"};

// 10 x 1 x 1 m of 5 Pa, along x.
io::Problem bar(const std::string& load, const char* model = "neo-hookean") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("actio-static-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  models::write_msh(models::mesh_of({system::Cell::hexahedron8, {12, 3, 3}, {10, 1, 1}}), (folder / "bar.msh").string());
  io::Problem made = io::load_text("[system.solid]\nmesh = \"" + (folder / "bar.msh").string() + "\"\n" + load +
                                       "\nmaterial = { model = \"" + model +
                                       R"toml(", E = 5, nu = 0.3, density = 1 }
[initial]
static = true
[method]
name = "midpoint"
[run]
step = 0.1
end = 1
)toml",
                                   "bar.toml");
  std::filesystem::remove_all(folder);
  return made;
}

method::Statics alone(const io::Problem& p) { return method::equilibrium(p.model, p.schedule.start, p.q0); }
method::Statics together(const io::Problem& p) { return equilibrium(PETSC_COMM_WORLD, p.model, p.schedule.start, p.q0); }

// To 1e-10 of how far it moves: the last increment of Newton's method is shorter, and what it leaves shorter still.
void expect_same(const io::Problem& p, const method::Statics& many) {
  const method::Statics one = alone(p);
  EXPECT_GT(one.moved, 0.01);
  EXPECT_LT((many.q - one.q).norm(), 1e-10 * (one.q - p.q0).norm());
  EXPECT_NEAR(many.moved, one.moved, 1e-10 * one.moved);
  for (const std::int32_t i : p.model.fixed_dofs) EXPECT_EQ(many.q[i], p.q0[i]);
  for (const system::Constraint& c : p.model.constraints)
    for (const std::int32_t i : c.dofs) EXPECT_EQ(many.q[i], p.q0[i]);
}

std::string refused(const io::Problem& p) {
  try {
    (void)together(p);
  } catch (const core::InputError& error) { return error.what(); }
  return "";
}

const std::string clamp = "fixed = [\"x0\"]\n";
const std::string heavy = clamp + "gravity = [0, 0, -0.002]";
const std::string pressed = clamp + "pressure = { group = \"z1\", value = 3e-4 }";  // follows: no potential

TEST(DistributedStatics, a_heavy_beam_hangs_as_on_one_process) {
  const io::Problem beam = bar(heavy);
  EXPECT_GT(alone(beam).moved, 3);  // of its 10 m
  expect_same(beam, together(beam));
  const Options options(multigrid);
  expect_same(beam, together(beam));
}

TEST(DistributedStatics, a_pressure_that_follows_bends_it_as_on_one_process) {
  const io::Problem beam = bar(pressed);
  expect_same(beam, together(beam));
  const Options options({"-ksp_type", "gmres", "-pc_type", "gamg", "-ksp_rtol", "1e-10"});
  expect_same(beam, together(beam));
}

// Pulled to twice its length; turned by 2 about its axis.
TEST(DistributedStatics, what_is_driven_far_takes_the_others_along) {
  int load_steps = 0;
  for (const char* way :
       {"x = 10, y = 0.5, z = 0",
        "x = 0, y = \"(Y - 0.5)*(cos(2) - 1) - (Z - 0.5)*sin(2)\", z = \"(Y - 0.5)*sin(2) + (Z - 0.5)*(cos(2) - 1)\""}) {
    const io::Problem p = bar(clamp + "driven = { group = \"x1\", " + way + " }");
    load_steps = std::max(load_steps, alone(p).load_steps);
    expect_same(p, together(p));
    const Options options(multigrid);
    expect_same(p, together(p));
  }
  EXPECT_GT(load_steps, 1);
}

// Nothing is held; the way along y is free; a turn about an edge is.
TEST(DistributedStatics, what_moves_freely_is_told) {
  const std::string falls = "gravity = [0, 0.001, -0.002]";
  io::Problem hinge = bar(falls);
  const auto& X = hinge.model.solids[0].mesh->points;
  for (std::int32_t a = 0; a < X.cols(); ++a)
    if (X(0, a) == 0 && X(2, a) == 0)
      for (const std::int32_t i : {0, 1, 2}) hinge.model.fixed_dofs.push_back(3 * a + i);
  for (const io::Problem& p : {bar(falls), bar("fixed = [{ group = \"x0\", components = [\"x\", \"z\"] }]\n" + falls), hinge}) {
    const auto expect_told = [&] {
      const std::string message = refused(p);
      EXPECT_NE(message.find("no static start"), std::string::npos) << message;
      EXPECT_NE(message.find("the stiffness matrix is singular: some part can move freely; fix more coordinates"),
                std::string::npos)
          << message;
    };
    expect_told();
    const Options options(multigrid);
    expect_told();
  }
}

TEST(DistributedStatics, of_a_chain_of_springs_is_hookes) {
  const io::Problem chain = io::load_text(R"toml([system]
parameters = { N = 100, k = 3, g = 0.01 }
coordinates = ["x[N]"]
mass = 1
fixed = "x[0]"
[[system.term]]
over = "i = 0..N-2"
potential = "0.5*k*(x[i+1] - x[i])^2"
[[system.term]]
over = "i = 0..N-1"
potential = "-g*x[i]"
[initial]
static = true
position = { x = 0 }
[method]
name = "newmark"
[run]
step = 0.1
end = 1
)toml",
                                          "chain.toml");
  const auto expect_hooke = [&] {
    const method::Statics at = together(chain);
    double x = 0;
    for (long i = 1; i < 100; ++i) {
      x += 0.01 * static_cast<double>(100 - i) / 3;
      EXPECT_NEAR(at.q[i], x, 1e-10 * at.moved);
    }
  };
  expect_hooke();
  const Options options({"-ksp_type", "cg", "-pc_type", "jacobi", "-ksp_rtol", "1e-12"});
  expect_hooke();
}

TEST(DistributedStatics, an_iteration_that_does_not_converge_is_told) {
  const Options options({"-ksp_type", "cg", "-pc_type", "none", "-ksp_max_it", "2"});
  const std::string message = refused(bar(heavy));
  EXPECT_NE(message.find("PETSc's cg did not converge in 2 iterations"), std::string::npos) << message;
  EXPECT_EQ(message.find("can move freely"), std::string::npos) << message;
}

// St. Venant and Kirchhoff's bar takes E (f - f^3)/2 <= 0.19 E as it is pressed.
TEST(DistributedStatics, one_that_would_be_inside_out_is_refused_with_the_element) {
  const io::Problem crushed = bar(clamp + "traction = { group = \"x1\", value = [-2.5, 0, 0] }", "st-venant-kirchhoff");
  const std::string message = refused(crushed);
  EXPECT_NE(message.find("no static start"), std::string::npos) << message;
}

TEST(DistributedStatics, what_has_none_is_told) {
  io::Problem turning = bar(clamp);
  turning.model.terms[0].velocities = true;
  EXPECT_NE(refused(turning).find("the Lagrangian is not"), std::string::npos);
  EXPECT_NE(refused(io::load("examples/heavy-top.toml")).find("rigid bodies"), std::string::npos);
}

}  // namespace
}  // namespace actio::petsc
