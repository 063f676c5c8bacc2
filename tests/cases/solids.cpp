#include <gtest/gtest.h>

#include <fmt/format.h>

#include <models/mesh.hpp>

#include <cmath>
#include <numbers>

#include <io/solids.hpp>
#include <system/solids.hpp>

#include <actio/run/integrate.hpp>

// Solids against exact solutions, beams, and what methods claim to keep.
namespace actio {
namespace {

using io::test::Folder;
using io::test::with;
using std::numbers::pi;
using system::Cell;

Eigen::VectorXd run(const io::Problem& problem, const method::BuildOptions& options = {}) {
  const auto integrator = method::make_integrator(problem.model, problem.method, options);
  integrator->start(problem.schedule.start, problem.q0, problem.v0);
  const auto report = integrator->advance(problem.schedule.steps, problem.schedule.step[0]);
  EXPECT_TRUE(report.ok) << report.what;
  method::Snapshot state;
  integrator->snapshot(state);
  return state.q;
}

// x = X + a c sin(pi X) in a block between rollers. F = diag(1 + a c pi cos(pi X), 1, 1), P_11 = mu (F - 1/F) + lambda ln F/F,
// so the body force is a sin(pi X) (rho c'' + pi^2 c (mu (1 + 1/F^2) + lambda (1 - ln F)/F^2)).
const std::string between_rollers = R"toml([system]
parameters = { a = 0.1, lambda = 0.576923076923077, mu = 0.384615384615385 }
[system.solid]
mesh = "MESH"
fixed = [{ group = ["x0", "x1"], components = ["x"] }, { group = ["y0", "y1"], components = ["y"] },
         { group = ["z0", "z1"], components = ["z"] }]
body_force = { group = "solid", value = [
  "a*sin(pi*X)*(-(W^2)*cos(W*t) + pi^2*cos(W*t)*(mu*(1 + 1/FF^2) + lambda*(1 - log(FF))/FF^2))", 0, 0] }
material = { model = "neo-hookean", E = 1, nu = 0.3, density = 1 }
[initial.solid]
displacement = ["a*sin(pi*X)", 0, 0]
[method]
name = "newmark"
[run]
step = 0.1
steps = 5
)toml";
std::string manufactured(const std::string& mesh, double W) {
  std::string text = between_rollers;
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"FF", "(1 + a*pi*cos(W*t)*cos(pi*X))"}, {"W", fmt::format("{}", W)}})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from)) text.replace(at, from.size(), to);
  return with(text, "MESH", mesh);
}

// |x - X - a sin(pi X) e_1| over the block, of a solid that should stay where it is put.
double error_of(Cell kind, std::array<int, 3> elements) {
  const Folder folder;
  const system::Mesh mesh = system::test::distorted(models::mesh_of({kind, elements, {1, 1, 1}}), elements[0]);
  models::write_msh(mesh, folder / "block.msh");
  const io::Problem problem = io::load_text(manufactured(folder / "block.msh", 0), "p.toml");
  const Eigen::VectorXd q = run(problem);
  const system::SolidBody& solid = problem.model.solids[0];
  double sum = 0;
  const system::Cells& cells = system::test::group(*solid.mesh, "solid");
  const auto points = system::quadrature(kind, system::Rule::product);
  for (const auto& p : system::integration_points(*solid.mesh, cells)) {
    const Eigen::VectorXd N = system::shape_at(kind, points[static_cast<std::size_t>(p.point)].xi).N;
    const auto nodes = nodes_of(*solid.mesh, cells[static_cast<std::size_t>(p.cell)]);
    Eigen::Vector3d error = -p.X - Eigen::Vector3d(0.1 * std::sin(pi * p.X[0]), 0, 0);
    for (std::size_t a = 0; a < nodes.size(); ++a) error += N[static_cast<long>(a)] * q.segment<3>(3 * nodes[a]);
    sum += p.weight * error.squaredNorm();
  }
  return std::sqrt(sum);
}

TEST(ManufacturedSolid, converges_with_the_size_of_elements) {
  struct Case {
    Cell kind;
    std::array<int, 3> elements;
    double order;
  };
  for (const auto& [kind, n, order] :
       {Case{Cell::tetrahedron4, {4, 4, 4}, 2}, Case{Cell::hexahedron8, {4, 4, 4}, 2}, Case{Cell::tetrahedron10, {2, 2, 2}, 3},
        Case{Cell::hexahedron20, {3, 1, 1}, 3}, Case{Cell::hexahedron27, {3, 1, 1}, 3}}) {
    if (ACTIO_TEST_SHORT && kind != Cell::tetrahedron4 && kind != Cell::hexahedron20) continue;
    const double coarse = error_of(kind, n), fine = error_of(kind, {2 * n[0], 2 * n[1], 2 * n[2]});
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.2) << name_of(kind) << ' ' << coarse << ' ' << fine;
  }
}

// On one mesh, the differences between steps h, h/2, h/4 fall by four; its fastest wave takes 16 steps and more.
TEST(ManufacturedSolid, converges_with_the_step) {
  const Folder folder;
  models::write_msh(models::mesh_of({Cell::hexahedron8, {4, 2, 2}, {1, 1, 1}}), folder / "block.msh");
  const std::string text = manufactured(folder / "block.msh", 3);
  for (const char* method : {"newmark", "midpoint", "energy-momentum"}) {
    std::vector<Eigen::VectorXd> q;
    for (const int n : {32, 64, 128})
      q.push_back(
          run(io::load_text(text, "p.toml", {{fmt::format("run.step={}", 1.0 / n), fmt::format("run.steps={}", n)}, method})));
    EXPECT_NEAR(std::log2((q[0] - q[1]).norm() / (q[1] - q[2]).norm()), 2, 0.2) << method;
  }
}

// A beam of 10 x 1 x 1 m, E = 1 Pa, nu = 0, 1 kg/m^3.
const std::string soft_beam = R"toml([system.solid]
mesh = "MESH"
fixed = ["x0"]
probe = { name = "tip", group = "x1" }
damping = { rayleigh = [DAMPING, 0] }
LOAD
material = { model = "linear-elastic", E = 1, nu = 0, density = 1 }
INITIAL
[method]
name = "newmark"
[run]
step = STEP
steps = 200
)toml";

// F L^3/(3 E I) + F L/(kappa G A), kappa = 5/6: at rest once a strong damping has taken the motion.
TEST(Cantilever, bends_as_a_beam) {
  const Folder folder;
  models::write_msh(models::mesh_of({Cell::hexahedron20, {10, 1, 1}, {10, 1, 1}}), folder / "beam.msh");
  std::string text = with(with(soft_beam, "MESH", folder / "beam.msh"), "INITIAL", "");
  const double omega = 1.8751 * 1.8751 * std::sqrt(1 / 12.0) / 100;
  text = with(with(text, "DAMPING", fmt::format("{}", 2 * omega)), "STEP", fmt::format("{}", 0.15 / omega));  // exp(-30) is left
  const io::Problem problem = io::load_text(with(text, "LOAD", "traction = { group = \"x1\", value = [0, 0, 1e-6] }"), "p.toml");
  const Eigen::VectorXd q = run(problem);
  double tip = -0.5;
  for (const auto i : problem.probes.at(2).coordinates) tip += q[i] / static_cast<double>(problem.probes[2].coordinates.size());
  const double expected = 1e-6 * (1000 / (3 / 12.0) + 10 / (5 / 6.0 * 0.5));
  EXPECT_NEAR(tip, expected, 0.005 * expected);  // elements of the size of the height
}

// The mean velocity of the tip changes its sign once in half a period. omega^2 is 1.8751^4 E I/(rho A L^4), lowered by shear and
// rotary inertia by 1.5 % at most, see tests/models/brick.cpp; the step of a 200th of the period adds (omega h)^2/12 < 1e-4.
TEST(Cantilever, vibrates_as_a_beam) {
  const Folder folder;
  models::write_msh(models::mesh_of({Cell::hexahedron20, {10, 1, 1}, {10, 1, 1}}), folder / "beam.msh");
  const double omega = 1.8751 * 1.8751 * std::sqrt(1 / 12.0) / 100, h = 2 * pi / omega / 200;
  std::string text = with(with(with(soft_beam, "MESH", folder / "beam.msh"), "LOAD", ""), "DAMPING", "0");
  text = with(with(text, "INITIAL", "[initial.solid]\nvelocity = [0, 0, \"1e-6*SHAPE\"]"), "STEP", fmt::format("{}", h));
  const io::Problem problem = io::load_text(
      with(text, "SHAPE", "(cosh(0.18751*X) - cos(0.18751*X) - 0.7340955*(sinh(0.18751*X) - sin(0.18751*X)))"), "p.toml");
  const auto integrator = method::make_integrator(problem.model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  const Eigen::VectorXd mode = problem.model.mass.full * problem.v0;
  method::Snapshot state;
  double before = mode.dot(problem.v0), quarter = 0;  // cos(omega t) crosses 0 at a quarter of the period
  for (int k = 0; k < 100 && quarter == 0; ++k) {
    ASSERT_TRUE(integrator->advance(1, h).ok);
    integrator->snapshot(state);
    const double now = mode.dot(state.v);
    if (now < 0) quarter = (k + before / (before - now)) * h;
    before = now;
  }
  const double square = std::pow(pi / 2 / quarter / omega, 2);
  EXPECT_LT(square, 1.001);
  EXPECT_GT(square, 0.98);
}

// The nodes of a table go where it goes, and nothing else is said of theirs.
TEST(DrivenSolid, follows_its_table) {
  const io::test::Bar bar;
  for (const char* method : {"midpoint", "rattle", "newmark", "hht"}) {
    std::string text = bar.text;  // an explicit method takes no friction, and steps that resolve the waves of steel, 5e6 mm/s
    if (std::string(method) == "rattle") {
      text = with(text, "damping = { rayleigh = [0.1, 1e-4] }\n", "");
      text = with(with(text, "viscosity = { value = 2, unit = \"kPa*s\" }\n", ""), "step = 0.01", "step = 2e-5");
    }
    const io::Problem problem = io::load_text(text, "p.toml", {{}, method});
    const auto& points = problem.model.solids[0].mesh->points;
    const Eigen::VectorXd q = run(problem, {{"none", {}}});
    const double t = problem.schedule.time(problem.schedule.steps);
    for (long a = 0; a < points.cols(); ++a) {
      if (points(0, a) == 0)
        EXPECT_NEAR(q[3 * a + 2], points(2, a) + 5 * std::sin(4 * t), 1e-9) << method;
      else
        EXPECT_GT(std::abs(q[3 * a + 2] - points(2, a)), 1e-9) << method;
    }
  }
}

// A free brick that spins and stretches.
class Spinning : public testing::Test {
 protected:
  Spinning() { models::write_msh(models::mesh_of({Cell::tetrahedron10, {2, 1, 1}, {2, 1, 1}}), folder_ / "brick.msh"); }
  invariant::Certificate certify(const std::string& method, const std::vector<std::string>& overrides = {}) const {
    const std::string text = R"toml([system.solid]
mesh = "MESH"
mass = "lumped"
momentum = ["linear", "angular"]
material = { model = "neo-hookean", E = 100, nu = 0.3, density = 1 }
[initial.solid]
velocity = ["0.5*X", 0.1, 0]
angular_velocity = [0.3, 0.5, 2]
[method]
name = "newmark"
[run]
step = 0.01
steps = 40
)toml";
    io::LoadOptions options;
    options.overrides = overrides;
    options.method = method;
    const io::Problem p = io::load_text(with(text, "MESH", folder_ / "brick.msh"), "p.toml", options);
    const auto integrator = method::make_integrator(p.model, p.method);
    invariant::MomentumMap momentum(p.model);
    run::Task task{p.model.title, p.method, p.q0, p.v0, p.schedule, p.bounds, run::is_autonomous(p.model)};
    task.rest = system::rest_of(p.model);
    return run::integrate(*integrator, momentum, task);
  }
  Folder folder_;
};

TEST_F(Spinning, keeps_linear_and_angular_momentum_under_variational_methods) {
  for (const char* method : {"newmark", "midpoint", "verlet", "variational", "energy-momentum"}) {
    const bool explicit_one = std::string(method) == "verlet";  // its step resolves the fastest wave
    const auto c = certify(method, explicit_one ? std::vector<std::string>{"run.step=0.002"} : std::vector<std::string>{});
    ASSERT_FALSE(c.failure.has_value()) << method << ": " << c.failure->text();
    ASSERT_EQ(c.momentum.size(), 6U);
    for (const auto& J : c.momentum) {
      EXPECT_TRUE(J.claimed) << method << ": " << J.name;
      EXPECT_LE(std::isnan(J.own_max_error) ? J.max_error : J.own_max_error, J.bound) << method << ": " << J.name;
    }
    EXPECT_GT(std::abs(c.momentum[5].initial), 1);
    EXPECT_NE(c.verdict, invariant::Certificate::Verdict::failed) << invariant::text(c);
  }
}

TEST_F(Spinning, keeps_its_energy_under_energy_momentum_alone) {
  const auto kept = certify("energy-momentum"), swings = certify("newmark");
  EXPECT_LE(kept.energy.max_error, 1e-8 * kept.energy.initial);
  EXPECT_GE(swings.energy.max_error, 1e-6 * swings.energy.initial);
}

// Steel that stretches by 1e-6: what its energy may lose to round-off is little of what moves, and it loses no more. Where it
// moves by less than its places are told, nothing is lost either.
TEST_F(Spinning, of_steel_that_hardly_moves_keeps_its_small_energy) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of other tests";
  for (const char* speed : {"1e-2", "1e-9"}) {
    const auto c = certify("energy-momentum", {"system.solid.material.E=2.1e11", "system.solid.material.density=7850",
                                               fmt::format("initial.solid.velocity=[\"{}*X\", 0, 0]", speed),
                                               "initial.solid.angular_velocity=[0, 0, 0]", "run.step=1e-5", "run.steps=400"});
    ASSERT_TRUE(c.ledger.has_value());
    const std::string text = invariant::text(c);
    if (c.energy.largest_kinetic > 1e-6) { EXPECT_LT(c.ledger->round_off, 1e-2 * c.energy.initial) << text; }
    EXPECT_LE(c.ledger->worst_method, c.ledger->round_off) << text;
    EXPECT_EQ(text.find("it stays"), std::string::npos) << text;
    EXPECT_EQ(text.find(": drifts"), std::string::npos) << text;
    EXPECT_NE(c.verdict, invariant::Certificate::Verdict::failed) << text;
  }
}

// Momenta of stiff motions are 1e6 times those of the run: they meet positions alone in the form, so its rounding is told.
TEST_F(Spinning, of_linear_steel_and_a_long_step_is_seen_to_be_symplectic) {
  const auto c = certify("newmark", {"system.solid.material.E=2.1e11", "system.solid.material.density=7850",
                                     "system.solid.material.model=linear-elastic", "run.step=1e-3"});
  EXPECT_LT(c.symplecticity.own.floor, 1e-3);
  EXPECT_TRUE(invariant::none_seen(c.symplecticity.own)) << invariant::text(c);
}

TEST_F(Spinning, loses_energy_in_the_ledger_under_a_dissipative_newmark) {
  const auto c = certify("newmark", {"method.gamma=0.7", "system.solid.material.viscosity=1e-3"});
  ASSERT_TRUE(c.ledger.has_value());
  EXPECT_GT(c.ledger->method, 1e-3 * c.energy.initial);
  EXPECT_NEAR(c.ledger->change, c.ledger->residual - c.ledger->method - c.ledger->dissipated, 1e-9 * c.energy.initial);
}

// linear-elastic energies change in a turned frame: the momentum is not claimed, and is lost.
TEST_F(Spinning, of_a_linear_elastic_material_does_not_keep_its_angular_momentum) {
  const auto c = certify("midpoint", {"system.solid.material.model=linear-elastic"});
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(c.momentum[k].claimed, k < 3) << c.momentum[k].name;
  EXPECT_GT(c.momentum[5].max_error, 1e-3 * std::abs(c.momentum[5].initial));
}

}  // namespace
}  // namespace actio
