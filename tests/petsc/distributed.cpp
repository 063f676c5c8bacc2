#include <gtest/gtest.h>
#include <petscsys.h>

#include <actio/core/archive.hpp>
#include <actio/core/error.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/petsc/distributed.hpp>
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

// A chain of rigid links that falls from a slant; the last body is driven.
constexpr const char* links = R"toml(
[system]
parameters = { N = 200, g = 9.81, c = 0.05 }
coordinates = ["x[N]", "y[N]"]
mass = 0.5
[[system.term]]
over = "i = 0..N-1"
potential = "0.5*g*y[i]"
[[system.term]]
over = "i = 0..N-1"
dissipation = "0.5*c*(x'[i]^2 + y'[i]^2)"
[[system.constraint]]
name = "first"
expression = "x[0]^2 + y[0]^2 - 1"
[[system.constraint]]
name = "link"
over = "i = 0..N-2"
expression = "(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1"
[[system.constraint]]
name = "drive"
expression = "x[N-1] - (0.5*N + 0.1*sin(t)^2)"
[initial]
project = true
[initial.position]
x = "0.5*i + 0.5"
y = "-0.8660254037844386*(i + 1)"
[method]
name = "rattle"
[run]
step = 0.01
end = 0.04
)toml";

// One end of a beam is clamped, the other is moved.
constexpr const char* pulled = R"toml(
[system.solid]
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
[[system.solid.driven]]
group = "tip"
z = "0.02*sin(200*t)^2"
[method]
name = "midpoint"
[run]
step = 0.001
end = 0.003
)toml";

Eigen::VectorXd run(method::Integrator& integrator, const io::Problem& p) {
  integrator.start(p.schedule.start, p.q0, p.v0);
  const auto report = integrator.advance(p.schedule.steps, p.schedule.step[0], {});
  EXPECT_TRUE(report.ok) << report.what;
  method::Snapshot s;
  integrator.snapshot(s);
  Eigen::VectorXd lambda, all(3 * s.q.size() + 1 + p.model.constraint_count());
  integrator.multipliers(p.schedule.step[0], lambda);
  EXPECT_EQ(lambda.size(), p.model.constraint_count());
  all << s.q, s.v, s.p, integrator.energy(), lambda;
  return all;
}

// Position, velocity and momentum, and multipliers, which are of the size of forces over those of h^2, each beside its largest,
// and the energy. Sums in another order differ by rounding, as they do on one process between sparse and full matrices: a
// discrete gradient divides differences of energies by small motions.
void expect_same(const std::string& text, const std::vector<std::string>& changes) {
  const io::Problem p = io::load_text(text, "examples/spread.toml", {changes, {}});
  const auto one = method::make_integrator(p.model, p.method, {{}, method::BuildOptions::Space::sparse});
  const auto many = petsc::make_integrator(PETSC_COMM_WORLD, p.model, p.method);
  const auto other = method::make_integrator(p.model, p.method, {{}, method::BuildOptions::Space::dense});
  const Eigen::VectorXd a = run(*one, p), b = run(*many, p), c = run(*other, p);
  const long n = p.model.size();
  for (int part = 0; part < 3; ++part) {
    const auto far = [&](const Eigen::VectorXd& x) { return (a - x).segment(part * n, n).lpNorm<Eigen::Infinity>(); };
    const double size = a.segment(part * n, n).lpNorm<Eigen::Infinity>(), rounding = far(c);
    EXPECT_LT(far(b), 1e-10 * size + 4 * rounding) << p.method.name() << ", part " << part;
    EXPECT_LT(rounding, 1e-9 * size);
    EXPECT_GT(size, 0);
  }
  EXPECT_NEAR(a[3 * n], b[3 * n], 1e-10 * std::abs(a[3 * n])) << p.method.name();
  const long m = p.model.constraint_count();
  if (m == 0) return;
  EXPECT_LT((a - b).tail(m).lpNorm<Eigen::Infinity>(), 1e-9 * a.tail(m).lpNorm<Eigen::Infinity>()) << p.method.name();
}

TEST(Distributed, explicit_methods_walk_the_path_of_one_process) {
  for (const char* method : {"method={name=\"verlet\"}", "method={name=\"verlet\",form=\"position\"}",
                             "method={name=\"mclachlan-atela\",order=4}", "method={name=\"verlet\",compose={order=4}}",
                             "method={name=\"symplectic-euler\"}", "method={name=\"central-difference\"}"})
    expect_same(ring, {method});
}

TEST(Distributed, implicit_methods_walk_the_path_of_one_process) {
  for (const char* method : {"method={name=\"newmark\"}", "method={name=\"generalized-alpha\",rho=0.6}", "method={name=\"hht\"}",
                             "method={name=\"wbz\"}", "method={name=\"wilson\"}", "method={name=\"midpoint\"}",
                             "method={name=\"variational\",alpha=0.2}", "method={name=\"energy-momentum\"}",
                             "method={name=\"gauss\",stages=3}", "method={name=\"lobatto\",degree=2}"})
    expect_same(ring, {method});
}

TEST(Distributed, friction_drives_and_fixed_coordinates_are_shared_out_once) {
  for (const char* method : {"method={name=\"newmark\"}", "method={name=\"variational\",alpha=0.2}", "method={name=\"midpoint\"}",
                             "method={name=\"energy-momentum\"}", "method={name=\"gauss\",stages=2}"})
    expect_same(rubbed, {method});
}

TEST(Distributed, a_solid_moves_as_on_one_process) {
  for (const char* method : {"method={name=\"newmark\"}", "method={name=\"midpoint\"}", "method={name=\"energy-momentum\"}"})
    expect_same(rubber, {method});
}

TEST(Distributed, links_keep_their_lengths_with_the_tensions_of_one_process) {
  for (const char* method : {"method={name=\"rattle\"}", "method={name=\"shake\"}", "method={name=\"midpoint\"}",
                             "method={name=\"variational\",alpha=0.2}"})
    expect_same(links, {method});
}

TEST(Distributed, the_driven_end_of_a_solid_pulls_it_as_on_one_process) {
  for (const char* method : {"method={name=\"midpoint\"}", "method={name=\"rattle\"}"})
    expect_same(pulled, {method, "run.step=1e-4", "run.end=3e-4"});
}

TEST(Distributed, newmark_and_its_kind_drive_it_as_on_one_process) {
  const std::string lumped = std::string(pulled).insert(std::string(pulled).find("fixed ="), "mass = \"lumped\"\n");
  for (const char* method :
       {"method={name=\"newmark\"}", "method={name=\"hht\"}", "method={name=\"generalized-alpha\",rho=0.6}"}) {
    expect_same(pulled, {method});
    expect_same(lumped, {method});
  }
}

TEST(Distributed, matrices_from_files_are_shared_out_once) {
  const io::Problem frame = io::load("examples/frame.toml");
  expect_same(frame.text, {"run.end=0.2", "run.every=1"});
}

TEST(Distributed, penalties_are_shared_out_once) {
  const io::Problem pendulum = io::load("examples/double-pendulum.toml");
  for (const char* method : {"method={name=\"verlet\"}", "method={name=\"newmark\"}"})
    expect_same(pendulum.text, {"system.constraint_method=\"penalty\"", "system.omega=20", "run.end=0.2", method});
}

// Three steps, what is archived of them, and three more: by the same, by others like it, and on one process alone.
void expect_to_go_on(const std::string& text, const std::string& change) {
  const io::Problem p = io::load_text(text, "examples/spread.toml", {{change}, {}});
  const auto on = [&](MPI_Comm comm) {
    auto integrator = petsc::make_integrator(comm, p.model, p.method);
    integrator->start(p.schedule.start, p.q0, p.v0);
    return integrator;
  };
  const auto three_steps = [&](method::Integrator& integrator) {
    EXPECT_TRUE(integrator.advance(3, p.schedule.step[0], {}).ok);
    method::Snapshot s;
    integrator.snapshot(s);
    return s;
  };
  const auto same = on(PETSC_COMM_WORLD), other = same->clone(), alone = on(PETSC_COMM_SELF);  // PT-Scotch deals out anew
  (void)three_steps(*same);
  core::Archive out;
  same->archive(out);
  for (method::Integrator* next : {other.get(), alone.get()}) {
    core::Archive in(out.bytes());
    next->archive(in);
    EXPECT_TRUE(in.finished());
  }
  const method::Snapshot a = three_steps(*same), b = three_steps(*other), c = three_steps(*alone);
  EXPECT_EQ(a.t, b.t);
  // MUMPS of several ranks adds in the order in which messages come.
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const double rounding = ranks == 1 || change.find("verlet") != std::string::npos ? 0 : 1e-10;
  EXPECT_LE((a.q - b.q).lpNorm<Eigen::Infinity>(), rounding * a.q.lpNorm<Eigen::Infinity>()) << change;
  EXPECT_LE((a.p - b.p).lpNorm<Eigen::Infinity>(), rounding * a.p.lpNorm<Eigen::Infinity>()) << change;
  EXPECT_LT((a.q - c.q).lpNorm<Eigen::Infinity>(), 1e-10 * a.q.lpNorm<Eigen::Infinity>()) << change;
  EXPECT_LT((a.p - c.p).lpNorm<Eigen::Infinity>(), 1e-10 * a.p.lpNorm<Eigen::Infinity>()) << change;
}

TEST(Distributed, a_run_goes_on_from_its_archive_to_the_bit_and_on_other_processes_to_rounding) {
  for (const char* method :
       {"method={name=\"verlet\",compose={order=4}}", "method={name=\"verlet\",form=\"position\"}", "method={name=\"newmark\"}",
        "method={name=\"generalized-alpha\",rho=0.6}", "method={name=\"midpoint\"}", "method={name=\"energy-momentum\"}"})
    expect_to_go_on(ring, method);
  expect_to_go_on(rubbed, "method={name=\"newmark\"}");
  expect_to_go_on(links, "method={name=\"rattle\"}");
  expect_to_go_on(io::load("examples/frame.toml").text, "run.every=1");
}

TEST(Distributed, what_cannot_be_spread_is_told) {
  const auto why = [](const char* file, const char* change) {
    const io::Problem p = io::load(file, {{change}, {}});
    EXPECT_THROW((void)petsc::make_integrator(PETSC_COMM_WORLD, p.model, p.method), core::InputError);
    return petsc::why_not_distributed(p.model, p.method);
  };
  EXPECT_NE(why("examples/oscillator.toml", "method={name=\"rk4\"}").find("newmark"), std::string::npos);
  EXPECT_NE(why("examples/heavy-top.toml", "method={name=\"rattle\"}").find("rigid bodies"), std::string::npos);
  EXPECT_NE(why("examples/car-axis.toml", "method={name=\"energy-momentum\"}").find("rattle, shake"), std::string::npos);
  EXPECT_NE(why("examples/car-axis.toml", "system.redundant=\"least-squares\"").find("redundant"), std::string::npos);
  EXPECT_NE(why("examples/double-pendulum.toml", "method={name=\"rattle\",compose={order=4}}").find("composed"),
            std::string::npos);
}

}  // namespace
