#include <gtest/gtest.h>
#include <petscsys.h>

#include <actio/core/archive.hpp>
#include <actio/core/error.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/petsc/distributed.hpp>
#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>

// Friction and noise of a thermostat on several processes: numbers that depend on the coordinate of the whole problem alone.
namespace {

using namespace actio;

// A chain, of which no coordinate gets more than two forces: their sum is the same in any order.
constexpr const char* chain = R"toml(
[system]
parameters = { N = 101 }
coordinates = ["x[N]"]
mass = { x = "2 + cos(i)" }
[[system.term]]
over = "i = 0..N-2"
potential = "0.5*(x[i+1] - x[i])^2 + 0.3*(x[i+1] - x[i])^4"
)toml";

// A lattice, of which a coordinate gets up to four.
constexpr const char* lattice = R"toml(
[system]
parameters = { N = 9 }
coordinates = ["x[N*N]"]
mass = 1.5
[[system.term]]
over = "i = 0..N-1, j = 0..N-2"
potential = "0.5*(x[N*i+j+1] - x[N*i+j])^2 + 0.3*(x[N*i+j+1] - x[N*i+j])^4"
[[system.term]]
over = "i = 0..N-2, j = 0..N-1"
potential = "0.5*(x[N*i+N+j] - x[N*i+j])^2 + 0.3*(x[N*i+N+j] - x[N*i+j])^4"
)toml";

constexpr const char* links = R"toml(
[system]
parameters = { N = 60, g = 9.81 }
coordinates = ["x[N]", "y[N]"]
mass = 0.5
[[system.term]]
over = "i = 0..N-1"
potential = "0.5*g*y[i]"
[[system.constraint]]
name = "first"
expression = "x[0]^2 + y[0]^2 - 1"
[[system.constraint]]
name = "link"
over = "i = 0..N-2"
expression = "(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1"
)toml";

constexpr const char *alike = "rate = 0.7", *apart = "friction = { x = \"1 + sin(i)^2\" }",
                     *apart_in_the_plane = "friction = { x = \"1 + sin(i)^2\", y = 0.5 }";

io::Problem problem(const std::string& system, const std::string& friction, const std::string& scheme, const std::string& method,
                    const std::string& start) {
  const std::string rest = "\ntemperature = 0.3\nseed = 5\nscheme = \"" + scheme + "\"\n[initial.position]\n" + start +
                           "\n[method]\n" + method + "\n[run]\nstep = 0.02\nsteps = 50\n";
  return io::load_text(system + "[system.thermostat]\n" + friction + rest, "examples/bath.toml");
}
constexpr const char *at_rest = "x = 0", *waves = "x = \"0.1*sin(3*i)\"",
                     *hanging = "x = \"0.5*i + 0.5\"\ny = \"-0.8660254037844386*(i + 1)\"";

std::unique_ptr<method::Integrator> started(std::unique_ptr<method::Integrator> integrator, const io::Problem& p) {
  integrator->start(p.schedule.start, p.q0, p.v0);
  return integrator;
}
std::unique_ptr<method::Integrator> on(MPI_Comm comm, const io::Problem& p) {
  return started(petsc::make_integrator(comm, p.model, p.method), p);
}

struct Path {
  method::Snapshot end;
  method::BatchReport report;
  method::Bath bath;
};
Path steps(method::Integrator& integrator, const io::Problem& p, long count) {
  Path out;
  for (long k = 0; k < 5; ++k) {
    out.report = integrator.advance(count / 5, p.schedule.step[0], {out.report.work, false});
    EXPECT_TRUE(out.report.ok) << out.report.what;
    integrator.look_at_temperature();
  }
  integrator.snapshot(out.end);
  const auto bath = integrator.bath();
  EXPECT_TRUE(bath.has_value());
  if (bath) out.bath = *bath;
  return out;
}

void expect_near(double a, double b, double tolerance) {
  if (std::isnan(a) && std::isnan(b)) return;  // not measured
  EXPECT_NEAR(a, b, tolerance * std::abs(a));
}
// Heat, friction and temperatures are sums over all coordinates, which each count of processes rounds in its own way.
void expect_same(const Path& a, const Path& b, double rounding) {
  EXPECT_EQ(a.end.t, b.end.t);
  EXPECT_GT(a.end.p.norm(), 0);
  EXPECT_LE((a.end.q - b.end.q).lpNorm<Eigen::Infinity>(), rounding * a.end.q.lpNorm<Eigen::Infinity>());
  EXPECT_LE((a.end.p - b.end.p).lpNorm<Eigen::Infinity>(), rounding * a.end.p.lpNorm<Eigen::Infinity>());
  EXPECT_GT(a.report.work.heat, 0);
  expect_near(a.report.work.heat, b.report.work.heat, 1e-10);
  expect_near(a.report.work.dissipated, b.report.work.dissipated, 1e-10);
  EXPECT_EQ(a.bath.freedoms, b.bath.freedoms);
  EXPECT_EQ(a.bath.slowest, b.bath.slowest);
  EXPECT_EQ(a.bath.fastest, b.bath.fastest);
  expect_near(a.bath.kinetic.value, b.bath.kinetic.value, 1e-10);
  expect_near(a.bath.configurational.value, b.bath.configurational.value, 1e-9);
}

TEST(DistributedThermostat, gives_each_coordinate_the_numbers_of_one_process_to_the_bit) {
  for (const char* friction : {alike, apart}) {
    const io::Problem p = problem(chain, friction, "gla", "name = \"verlet\"", at_rest);
    const double h = p.schedule.step[0];
    const auto momenta = [&](std::unique_ptr<method::Integrator> integrator) {  // no force acts in the first step
      EXPECT_TRUE(integrator->advance(1, h, {}).ok);
      method::Snapshot s;
      integrator->snapshot(s);
      return s.p;
    };
    const Eigen::VectorXd alone = momenta(started(method::make_integrator(p.model, p.method), p));
    EXPECT_GT(alone.cwiseAbs().minCoeff(), 0);
    EXPECT_EQ(alone, momenta(on(PETSC_COMM_SELF, p))) << friction;
    EXPECT_EQ(alone, momenta(on(PETSC_COMM_WORLD, p))) << friction;
  }
}

TEST(DistributedThermostat, leads_a_chain_along_the_path_of_one_process_to_the_bit) {
  for (const char* friction : {alike, apart})
    for (const char* scheme : {"gla", "baoab", "obabo"}) {
      SCOPED_TRACE(fmt::format("{}, {}", friction, scheme));
      const io::Problem p = problem(chain, friction, scheme, "name = \"verlet\"", waves);
      expect_same(steps(*on(PETSC_COMM_SELF, p), p, 50), steps(*on(PETSC_COMM_WORLD, p), p, 50), 0);
    }
}

// Forces are added up by each process, and theirs then: in another order, and without PETSc in the order of the elements.
TEST(DistributedThermostat, leads_every_method_along_the_path_of_one_process_to_rounding) {
  for (const char* method : {"name = \"verlet\"", "name = \"verlet\"\ncompose = { order = 4 }", "name = \"midpoint\"",
                             "name = \"newmark\"", "name = \"energy-momentum\""})
    for (const char* scheme : {"gla", "baoab", "obabo"}) {
      if (std::string(scheme) == "baoab" && std::string(method) != "name = \"verlet\"") continue;
      SCOPED_TRACE(fmt::format("{}, {}", method, scheme));
      const io::Problem p = problem(lattice, apart, scheme, method, waves);
      expect_same(steps(*started(method::make_integrator(p.model, p.method), p), p, 50), steps(*on(PETSC_COMM_WORLD, p), p, 50),
                  1e-10);
    }
}

TEST(DistributedThermostat, leaves_links_their_lengths_and_leads_them_as_on_one_process) {
  for (const char* friction : {alike, apart_in_the_plane})
    for (const char* scheme : {"gla", "baoab", "obabo"}) {
      SCOPED_TRACE(fmt::format("{}, {}", friction, scheme));
      const io::Problem p = problem(links, friction, scheme, "name = \"rattle\"", hanging);
      expect_same(steps(*started(method::make_integrator(p.model, p.method), p), p, 20), steps(*on(PETSC_COMM_WORLD, p), p, 20),
                  1e-9);
    }
}

// The noise is counted, so nothing of it is archived but the number of the step.
TEST(DistributedThermostat, goes_on_from_its_archive_to_the_bit_on_any_number_of_processes) {
  for (const char* scheme : {"gla", "baoab", "obabo"}) {
    const io::Problem p = problem(chain, alike, scheme, "name = \"verlet\"", waves);
    const auto together = on(PETSC_COMM_WORLD, p), again = on(PETSC_COMM_WORLD, p), alone = on(PETSC_COMM_SELF, p);
    (void)steps(*together, p, 20);
    core::Archive out;
    together->archive(out);
    for (method::Integrator* next : {again.get(), alone.get()}) {
      core::Archive in(out.bytes());
      next->archive(in);
      EXPECT_TRUE(in.finished());
    }
    const Path whole = steps(*together, p, 20);
    expect_same(whole, steps(*again, p, 20), 0);
    expect_same(whole, steps(*alone, p, 20), 0);
  }
}

TEST(DistributedThermostat, says_that_a_root_of_a_full_matrix_is_found_on_one_process_only) {
  const auto why = [](const char* mass, const char* friction) {
    const io::Problem p = problem(fmt::format("[system]\ncoordinates = [\"x[2]\"]\nmass = {}\npotential = \"x[0]*x[1]\"\n", mass),
                                  friction, "obabo", "name = \"verlet\"", at_rest);
    EXPECT_THROW((void)petsc::make_integrator(PETSC_COMM_WORLD, p.model, p.method), core::InputError);
    return petsc::why_not_distributed(p.model, p.method);
  };
  const char* full = "[[2, 1], [1, 2]]";
  EXPECT_NE(why(full, "rate = 1").find("a root of the matrix"), std::string::npos);
  EXPECT_NE(why("2", "friction = [[2, 1], [1, 2]]").find("the modes of the matrix"), std::string::npos);
}

}  // namespace
