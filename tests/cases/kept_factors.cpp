#include <gtest/gtest.h>

#include <fmt/format.h>

#include <models/mesh.hpp>

#include <Eigen/Dense>

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <io/solids.hpp>

#include <actio/method/integrator.hpp>
#include <common.hpp>

// Solids whose matrix costs several solves to factor, so that Newton's method keeps factors over iterations and steps.
namespace actio {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using io::test::Folder;
using io::test::with;
using Space = method::BuildOptions::Space;

using actio::test::eps;
constexpr double h = 0.05;

// A block of rubber of 125 cubes, 648 coordinates, that turns, bends and swings; its slowest oscillation takes about 40 steps.
const io::Problem& block() {
  static const io::Problem problem = [] {
    const Folder folder;
    models::write_msh(models::mesh_of({system::Cell::hexahedron8, {5, 5, 5}, {1, 1, 1}}), folder / "block.msh");
    return io::load_text(with(R"toml([system.solid]
mesh = "MESH"
mass = "lumped"
material = { model = "neo-hookean", E = 1, nu = 0.3, density = 1 }
momentum = ["linear", "angular"]
[initial.solid]
velocity = ["0.2*Z^2", 0, "0.1*sin(3*X)"]
angular_velocity = [0, 0.3, 0.2]
[method]
name = "newmark"
[run]
step = 0.05
steps = 20
)toml",
                              "MESH", folder / "block.msh"),
                         "block.toml");
  }();
  return problem;
}

// The same clamped at its bottom, with a top that a machine lifts, turns sideways and lets down; and constraints beside.
io::Problem driven_block_with(const std::string& system) {
  const Folder folder;
  models::write_msh(models::mesh_of({system::Cell::hexahedron8, {5, 5, 5}, {1, 1, 1}}), folder / "block.msh");
  return io::load_text(with(system + R"toml(
[system.solid]
mesh = "MESH"
fixed = ["z0"]
driven = [{ group = "z1", x = "0.1*(1-cos(t))", z = "0.05*sin(t)^2" }]
material = { model = "neo-hookean", E = 1, nu = 0.3, density = 1 }
[method]
name = "midpoint"
[run]
step = 0.05
steps = 20
)toml",
                            "MESH", folder / "block.msh"),
                       "block.toml");
}
const io::Problem& driven_block() {
  static const io::Problem problem = driven_block_with("");
  return problem;
}
// Two edges of it are tied together by a rod, and a node slides on a plane.
const io::Problem& tied_block() {
  static const io::Problem problem = driven_block_with(R"toml([system]
constraints = [
  "(x[216] - x[429])^2 + (x[217] - x[430])^2 + (x[218] - x[431])^2 - 2.04",
  "x[333] + 0.2*x[335] - 0.12",
])toml");
  return problem;
}

std::string name_of(const method::AnyMethod& by) { return method::Spec{by, false, {}}.name(); }

struct Motion {
  std::unique_ptr<method::Integrator> integrator;
  method::Snapshot now;
  long iterations = 0, factorisations = 0;
  Motion(const method::AnyMethod& by, Space space, const io::Problem& of = block())
      : integrator(method::make_integrator(of.model, {by, false, {}}, {{}, space})) {
    integrator->start(0, of.q0, of.v0);
  }
  void go(long steps, double step = h) {
    const auto report = integrator->advance(steps, step);
    ASSERT_TRUE(report.ok) << report.what;
    iterations += report.iterations;
    factorisations += report.factorisations;
    integrator->snapshot(now);
  }
};

const std::array<method::AnyMethod, 3> implicit_methods{method::Newmark{0.25, 0.5}, method::Midpoint{}, method::EnergyMomentum{}};

TEST(KeptFactorsOfASolid, are_fewer_than_iterations_and_end_where_a_factor_an_iteration_does) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of other tests";
  constexpr int steps = 8;
  for (const method::AnyMethod& by : implicit_methods) {
    if (std::holds_alternative<method::Midpoint>(by)) continue;  // full matrices take their time
    if (ACTIO_TEST_SHORT && !std::holds_alternative<method::Newmark>(by)) continue;
    SCOPED_TRACE(name_of(by));
    Motion kept(by, Space::sparse), anew(by, Space::dense);
    kept.go(steps);
    anew.go(steps);
    EXPECT_EQ(anew.factorisations, anew.iterations);
    EXPECT_LT(kept.factorisations, steps);
    EXPECT_GT(kept.iterations, 3 * kept.factorisations);
    // each step to 16 eps |q|, in the velocity that over h: twice the sum over the steps that follow
    EXPECT_LT((kept.now.q - anew.now.q).norm(), 2 * steps * steps * 16 * eps * anew.now.q.norm());
  }
}

TEST(KeptFactorsOfASolid, serve_a_driven_boundary_as_well_and_rods_beside) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of other tests";
  constexpr int steps = 8;
  using Case = std::pair<method::AnyMethod, const io::Problem*>;
  for (const auto& [by, block] : {Case{method::Midpoint{}, &driven_block()}, Case{method::EnergyMomentum{}, &driven_block()},
                                  Case{method::Newmark{}, &driven_block()}, Case{method::Hht{}, &driven_block()},
                                  Case{method::Midpoint{}, &tied_block()}}) {
    SCOPED_TRACE(name_of(by) + std::to_string(block->model.constraints.size()));
    Motion kept(by, Space::sparse, *block), anew(by, Space::dense, *block);
    kept.go(steps);
    anew.go(steps);
    EXPECT_EQ(anew.factorisations, anew.iterations);
    EXPECT_GT(kept.iterations, 3 * kept.factorisations);
    EXPECT_LT((kept.now.q - anew.now.q).norm(), 2 * steps * steps * 16 * eps * anew.now.q.norm());
    VectorXd forces[2];
    kept.integrator->multipliers(h, forces[0]);
    anew.integrator->multipliers(h, forces[1]);
    // impulses of the ends of two steps over h, each rounded as the momenta are that it is a difference of
    EXPECT_LT((forces[0] - forces[1]).norm(), 1e-9 * forces[1].norm());
  }
}

// omega(u, v) of two small variations stays as it is: they grow by central differences.
TEST(KeptFactorsOfASolid, leave_the_step_symplectic_and_its_momenta_kept) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of other tests";
  const long n = block().model.size();
  for (const method::AnyMethod& by : {method::AnyMethod(method::Midpoint{}), method::AnyMethod(method::Variational{})}) {
    SCOPED_TRACE(name_of(by));
    Motion body(by, Space::sparse);
    body.go(3);
    const VectorXd q = body.now.q, p = body.now.p;
    const auto flow = [&](const VectorXd& dq, const VectorXd& dp, double s) {
      body.integrator->start_momentum(0, q + s * dq, p + s * dp);
      body.go(4);
      return std::pair(body.now.q, body.now.p);
    };
    VectorXd u(n), v(n);
    for (long k = 0; k < n; ++k) {
      u[k] = std::sin(1.3 * static_cast<double>(k));
      v[k] = std::cos(0.7 * static_cast<double>(k));
    }
    constexpr double s = 1e-4;
    const auto up = flow(u, 0.01 * v, s), down = flow(u, 0.01 * v, -s), one = flow(v, -0.01 * u, s),
               other = flow(v, -0.01 * u, -s);
    const VectorXd du = (up.first - down.first) / (2 * s), du_p = (up.second - down.second) / (2 * s),
                   dv = (one.first - other.first) / (2 * s), dv_p = (one.second - other.second) / (2 * s);
    const double before = 0.01 * (-u.dot(u) - v.dot(v));
    EXPECT_NEAR(du.dot(dv_p) - dv.dot(du_p), before, 1e-5 * std::abs(before));
  }
  for (const method::AnyMethod& by : implicit_methods) {
    SCOPED_TRACE(name_of(by));
    Motion body(by, Space::sparse);
    const auto momenta = [&] {
      Vector3d P = Vector3d::Zero(), L = Vector3d::Zero();
      for (long a = 0; a < n; a += 3) {
        P += body.now.p.segment<3>(a);
        L += body.now.q.segment<3>(a).cross(body.now.p.segment<3>(a));
      }
      return std::pair(P, L);
    };
    body.integrator->snapshot(body.now);
    const auto [P, L] = momenta();
    constexpr int steps = 30;
    body.go(steps);
    const auto [P1, L1] = momenta();
    EXPECT_LT((P1 - P).norm(), 100 * steps * eps);
    if (std::holds_alternative<method::Newmark>(by)) continue;
    EXPECT_LT((L1 - L).norm(), 100 * steps * eps);
  }
}

TEST(KeptFactorsOfASolid, are_the_same_to_the_bit_in_a_run_that_is_resumed) {
  std::vector<std::pair<method::AnyMethod, const io::Problem*>> all;
  for (const method::AnyMethod& by : implicit_methods) all.emplace_back(by, &block());
  all.emplace_back(method::Midpoint{}, &driven_block());
  all.emplace_back(method::EnergyMomentum{}, &driven_block());
  all.emplace_back(method::Newmark{}, &driven_block());
  all.emplace_back(method::Midpoint{}, &tied_block());
  all.emplace_back(method::EnergyMomentum{}, &tied_block());
  all.emplace_back(method::Rattle{}, &tied_block());
  for (const auto& [by, problem] : all) {
    SCOPED_TRACE(name_of(by));
    Motion whole(by, Space::sparse, *problem), resumed(by, Space::sparse, *problem);
    whole.go(5);
    core::Archive out;
    whole.integrator->archive(out);
    resumed.go(3, 2 * h);
    core::Archive in(out.bytes());
    resumed.integrator->archive(in);
    EXPECT_TRUE(in.finished());
    whole.factorisations = resumed.factorisations = 0;
    for (const double step : {h, h, h / 2, h}) {
      whole.go(2, step);
      resumed.go(2, step);
      EXPECT_EQ(whole.factorisations, resumed.factorisations);
      ASSERT_EQ(std::memcmp(whole.now.q.data(), resumed.now.q.data(), static_cast<std::size_t>(whole.now.q.size()) * 8), 0);
      ASSERT_EQ(std::memcmp(whole.now.p.data(), resumed.now.p.data(), static_cast<std::size_t>(whole.now.p.size()) * 8), 0);
    }
  }
}

// A cube that stands on a plate, and steps so long that inertia is nothing, 4 M/h^2 < 1e-9 K.
io::Problem pressed(const Folder& folder, const std::string& pressure, int steps) {
  models::write_msh(models::mesh_of({system::Cell::hexahedron8, {4, 4, 4}, {1, 1, 1}}), folder / "cube.msh");
  return io::load_text(with(fmt::format(R"toml([system.solid]
mesh = "MESH"
fixed = ["z0"]
traction = {{ group = "z1", value = [0, 0, "{}"] }}
material = {{ model = "neo-hookean", E = 1, nu = 0.3, density = 1 }}
probe = {{ name = "top", group = "z1" }}
[method]
name = "newmark"
[run]
step = 1e5
steps = {}
)toml",
                                        pressure, steps),
                            "MESH", folder / "cube.msh"),
                       "cube.toml");
}

// A full increment would turn elements inside out, where W is no number.
TEST(PressedCube, loses_half_its_height_in_one_step_as_in_many) {
  const Folder folder;
  VectorXd ends[2];
  for (const int steps : {1, 16}) {
    const io::Problem problem = pressed(folder, fmt::format("-0.65*t/{}", 1e5 * steps), steps);
    const auto integrator = method::make_integrator(problem.model, problem.method, {{}, Space::sparse});
    integrator->start(0, problem.q0, problem.v0);
    const auto report = integrator->advance(steps, 1e5);
    ASSERT_TRUE(report.ok) << report.what;
    method::Snapshot end;
    integrator->snapshot(end);
    ends[steps == 1 ? 0 : 1] = end.q;
    double height = 0;
    for (const auto i : problem.probes.at(2).coordinates)
      height += end.q[i] / static_cast<double>(problem.probes[2].coordinates.size());
    EXPECT_LT(height, 0.5);
    EXPECT_GT(height, 0.45);
  }
  EXPECT_LT((ends[0] - ends[1]).norm(), 1e-9 * ends[1].norm());
}

TEST(PressedCube, says_what_may_help_where_no_step_is_found) {
  const Folder folder;
  const io::Problem problem = pressed(folder, "log(-t)", 1);  // no number
  const auto integrator = method::make_integrator(problem.model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  const auto report = integrator->advance(1, 1e5);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.what.find("a shorter step"), std::string::npos) << report.what;
}

}  // namespace
}  // namespace actio
