#include <gtest/gtest.h>
#include <petscsys.h>

#include <actio/core/error.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/petsc/spread.hpp>
#include <string>
#include <vector>

// Problems as files say them, by one process without PETSc and by all of them together.
namespace {

using namespace actio;

constexpr const char* ring = R"toml(
[system]
parameters = { N = 90, k = 10, g = 1 }
coordinates = ["theta[N]"]
mass = 1.5
[[system.term]]
over = "i = 0..N-1"
periodic = true
potential = "0.5*k*(theta[i+1] - theta[i])^2 + 0.1*(theta[i+1] - theta[i])^4"
[[system.term]]
over = "i = 0..N-1"
potential = "g*(1 - cos(theta[i]))"
[initial]
seed = 3
[initial.position]
theta = "exp(-((i - N/2)/8)^2)"
[initial.velocity]
theta = "0.1*normal()"
[method]
name = "verlet"
[run]
step = 0.05
end = 0.4
)toml";

// With friction, a drive, and a coordinate that never moves.
constexpr const char* rubbed = R"toml(
[system]
parameters = { N = 70, c = 0.3 }
coordinates = ["x[N]", "y[N]"]
mass = 2
fixed = "x[0]"
[[system.term]]
over = "i = 0..N-2"
potential = "5*(x[i+1] - x[i])^2 + (x[i+1] - x[i] + y[i])^4 + 3*(y[i+1] - y[i])^2"
[[system.term]]
over = "i = 0..N-2"
dissipation = "0.5*c*(x'[i+1] - x'[i])^2 + 0.1*c*y'[i]^4"
[[system.term]]
on = "y[N-1]"
force = "sin(3*t) - 0.2*y'[N-1]*x[N-1]"
[initial.position]
x = "0.2*sin(0.3*i)"
y = "0.1*cos(0.2*i)"
[method]
name = "newmark"
[run]
step = 0.02
end = 0.12
)toml";

constexpr const char* rubber = R"toml(
[system.solid]
damping = { rayleigh = [0.4, 1e-3] }
mesh = "cantilever.msh"
scale = 1e-3
fixed = ["clamp"]
gravity = [0, 0, -9.81]
[[system.solid.material]]
group = "rubber"
model = "neo-hookean"
E = 5e6
nu = 0.4
density = 1100
[method]
name = "newmark"
[run]
step = 0.01
end = 0.04
)toml";

Eigen::VectorXd run(method::Integrator& integrator, const io::Problem& p) {
  integrator.start(p.schedule.start, p.q0, p.v0);
  const auto report = integrator.advance(p.schedule.steps, p.schedule.step[0], {});
  EXPECT_TRUE(report.ok) << report.what;
  method::Snapshot s;
  integrator.snapshot(s);
  Eigen::VectorXd all(3 * s.q.size() + 1);
  all << s.q, s.v, s.p, integrator.energy();
  return all;
}

// Position, velocity and momentum, each beside its largest, and the energy.
void expect_same(const std::string& text, const std::vector<std::string>& changes) {
  const io::Problem p = io::load_text(text, "examples/spread.toml", {changes, {}});
  const auto one = method::make_integrator(p.model, p.method, {{}, method::BuildOptions::Space::sparse});
  const auto many = petsc::make_integrator(PETSC_COMM_WORLD, p.model, p.method);
  const Eigen::VectorXd a = run(*one, p), b = run(*many, p);
  const long n = p.model.size();
  for (int part = 0; part < 3; ++part) {
    const double size = a.segment(part * n, n).lpNorm<Eigen::Infinity>();
    EXPECT_LT((a - b).segment(part * n, n).lpNorm<Eigen::Infinity>(), 1e-10 * size) << p.method.name() << ", part " << part;
    EXPECT_GT(size, 0);
  }
  EXPECT_NEAR(a[3 * n], b[3 * n], 1e-10 * std::abs(a[3 * n])) << p.method.name();
}

TEST(Spread, explicit_methods_walk_the_path_of_one_process) {
  for (const char* method : {"method={name=\"verlet\"}", "method={name=\"verlet\",form=\"position\"}",
                             "method={name=\"mclachlan-atela\",order=4}", "method={name=\"verlet\",compose={order=4}}",
                             "method={name=\"symplectic-euler\"}", "method={name=\"central-difference\"}"})
    expect_same(ring, {method});
}

TEST(Spread, implicit_methods_walk_the_path_of_one_process) {
  for (const char* method : {"method={name=\"newmark\"}", "method={name=\"generalized-alpha\",rho=0.6}", "method={name=\"hht\"}",
                             "method={name=\"wbz\"}", "method={name=\"wilson\"}", "method={name=\"midpoint\"}",
                             "method={name=\"variational\",alpha=0.2}", "method={name=\"energy-momentum\"}"})
    expect_same(ring, {method});
}

TEST(Spread, friction_drives_and_fixed_coordinates_are_shared_out_once) {
  for (const char* method : {"method={name=\"newmark\"}", "method={name=\"variational\",alpha=0.2}", "method={name=\"midpoint\"}",
                             "method={name=\"energy-momentum\"}"})
    expect_same(rubbed, {method});
}

TEST(Spread, a_solid_moves_as_on_one_process) {
  for (const char* method : {"method={name=\"newmark\"}", "method={name=\"midpoint\"}", "method={name=\"energy-momentum\"}"})
    expect_same(rubber, {method});
}

TEST(Spread, matrices_from_files_are_shared_out_once) {
  const io::Problem frame = io::load("examples/frame.toml");
  expect_same(frame.text, {"run.end=0.2", "run.every=1"});
}

TEST(Spread, penalties_are_shared_out_once) {
  const io::Problem pendulum = io::load("examples/double-pendulum.toml");
  for (const char* method : {"method={name=\"verlet\"}", "method={name=\"newmark\"}"})
    expect_same(pendulum.text, {"system.constraint_method=\"penalty\"", "system.omega=20", "run.end=0.2", method});
}

TEST(Spread, what_cannot_be_spread_is_told) {
  const io::Problem p = io::load("examples/car-axis.toml");
  EXPECT_NE(petsc::not_spread(p.model, p.method).find("constraints"), std::string::npos);
  EXPECT_THROW((void)petsc::make_integrator(PETSC_COMM_WORLD, p.model, p.method), core::InputError);
  const io::Problem q = io::load("examples/oscillator.toml", {{"method={name=\"rk4\"}"}, {}});
  EXPECT_NE(petsc::not_spread(q.model, q.method).find("newmark"), std::string::npos);
}

}  // namespace
