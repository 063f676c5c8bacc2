// The certificate as an instrument: how often it is wrong on runs whose verdict is known, by kind, and what measuring costs
// beside the steps. Without arguments both; `rates` or `price` is one of them, `interpreted` takes kernels that are not compiled,
// `text` and `list` print certificates, and any other word is a part of the names of the runs to make.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <certificate/suite/suite.hpp>
#include <certificate/suite/systems.hpp>
#include <models/mesh.hpp>

namespace {

using namespace certificate;

// A droplet of rigid waters (TIP3P; Jorgensen et al., J. Chem. Phys. 79 (1983) 926) in kcal/mol, angstrom and amu, so that the
// unit of time is 48.888 fs: molecules on a lattice about the centre, each turned at random.
std::string droplet(int N) {
  std::mt19937_64 random(3);
  const auto uniform = [&] { return 0x1p-53 * static_cast<double>(random() >> 11); };
  const auto normal = [&] { return std::sqrt(-2 * std::log(uniform() + 0x1p-54)) * std::cos(6.283185307179586 * uniform()); };
  const int side = static_cast<int>(std::ceil(std::cbrt(N)));
  std::vector<Eigen::Vector3d> grid;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) grid.push_back(3.1 * Eigen::Vector3d(i, j, k) - 1.55 * (side - 1) * Eigen::Vector3d::Ones());
  std::stable_sort(grid.begin(), grid.end(), [](const auto& a, const auto& b) { return a.squaredNorm() < b.squaredNorm(); });
  const double r = 0.9572, half = 52.26 * 3.141592653589793 / 180;
  const Eigen::Vector3d atoms[3] = {
      {r * std::sin(half), 0, r * std::cos(half)}, {0, 0, 0}, {-r * std::sin(half), 0, r * std::cos(half)}};
  std::string list[3];
  for (int a = 0; a < N; ++a) {
    Eigen::Vector4d u(normal(), normal(), normal(), normal());
    u.normalize();
    const Eigen::Vector3d v = u.tail<3>();
    for (const Eigen::Vector3d& x : atoms) {  // by the quaternion u
      const Eigen::Vector3d turned = x + 2 * v.cross(v.cross(x) + u[0] * x) + grid[static_cast<std::size_t>(a)];
      for (int c = 0; c < 3; ++c) list[c] += fmt::format("{}{:.17g}", list[c].empty() ? "" : ", ", turned[c]);
    }
  }
  std::string text = fmt::format(
      "[system]\nparameters = {{ N = {}, Kc = 332.0636, A = 582000.0, C = 595.0, rOH = 0.9572, rHH = "
      "\"2*rOH*sin(52.26*pi/180)\" }}\n",
      N);
  text += R"toml(coordinates = ["x[3*N]", "y[3*N]", "z[3*N]"]
tables = { Q = [0.417, -0.834, 0.417], m = [1.008, 15.9994, 1.008] }
mass = { x = "m[i%3]", y = "m[i%3]", z = "m[i%3]" }
[[system.term]]
over = "a = 0..N-2, b = a+1..N-1, i = 0..2, j = 0..2"
potential = "Kc*Q[i]*Q[j]/sqrt((x[3*a+i]-x[3*b+j])^2 + (y[3*a+i]-y[3*b+j])^2 + (z[3*a+i]-z[3*b+j])^2)"
[[system.term]]
over = "a = 0..N-2, b = a+1..N-1"
potential = "A/((x[3*a+1]-x[3*b+1])^2 + (y[3*a+1]-y[3*b+1])^2 + (z[3*a+1]-z[3*b+1])^2)^6 - C/((x[3*a+1]-x[3*b+1])^2 + (y[3*a+1]-y[3*b+1])^2 + (z[3*a+1]-z[3*b+1])^2)^3"
[[system.constraint]]
name = "OH"
over = "a = 0..N-1, i = 0..1"
expression = "(x[3*a+2*i]-x[3*a+1])^2 + (y[3*a+2*i]-y[3*a+1])^2 + (z[3*a+2*i]-z[3*a+1])^2 - rOH^2"
[[system.constraint]]
name = "HH"
over = "a = 0..N-1"
expression = "(x[3*a]-x[3*a+2])^2 + (y[3*a]-y[3*a+2])^2 + (z[3*a]-z[3*a+2])^2 - rHH^2"
[[symmetry]]
name = "momentum x"
translation = [1, 0, 0]
triples = [["x", "y", "z"]]
[[symmetry]]
name = "angular momentum z"
rotation = [0, 0, 1]
triples = [["x", "y", "z"]]
[initial]
project = true
[initial.position]
)toml";
  for (int c = 0; c < 3; ++c) text += fmt::format("{} = [{}]\n", "xyz"[c], list[c]);
  return text + "[method]\nname = \"rattle\"\n[run]\nstep = 0.02\nsteps = 100\nevery = 10\n";
}

// A block of 14 x 14 x 15 hexahedra of rubber, clamped at one face and let go: 10080 coordinates that move or do not.
std::string block(const std::filesystem::path& folder) {
  models::write_msh(models::mesh_of({actio::system::Cell::hexahedron8, {14, 13, 15}, {1, 1, 1}}),
                    (folder / "block.msh").string());
  return fmt::format("[system.solid]\nmesh = \"{}\"\nfixed = [\"x0\"]\ngravity = [0, 0, -9.81]\n",
                     (folder / "block.msh").string()) +
         R"toml([[system.solid.material]]
group = "solid"
model = "neo-hookean"
E = 5e6
nu = 0.3
density = 1100
[method]
name = "newmark"
[run]
step = 2e-3
steps = 40
)toml";
}

void price(const std::string& part) {
  struct Job {
    const char* name;
    Run run;
  };
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("actio-bench-{}", getpid());
  std::filesystem::create_directories(folder);
  std::vector<Job> jobs;
  jobs.push_back({"oscillator, 1e6 steps, each observed",
                  {.problem = "examples/oscillator.toml", .overrides = {"method={ name = \"verlet\" }", "run.steps=1000000"}}});
  jobs.push_back({"oscillator, 1e6 steps, every 100th",
                  {.problem = "examples/oscillator.toml",
                   .overrides = {"method={ name = \"verlet\" }", "run.steps=1000000", "run.every=100"}}});
  jobs.push_back({"pleiades", {.problem = "examples/pleiades.toml"}});
  jobs.push_back({"100 waters, 100 steps of rattle", {.problem = droplet(100)}});
  jobs.push_back({"a block of 1e4 coordinates, 40 of newmark", {.problem = block(folder)}});
  jobs.push_back({"1000 links, 200 steps of lie-group",
                  {.problem = problem(hanging_chain(1000), "lie-group", 1e-3, 200, 20, "retraction = \"cayley\"")}});
  std::printf("what measuring costs beside the steps and their observation [s]\n");
  std::printf("%-44s %10s %10s %8s  %s\n", "run", "steps", "measuring", "share", "verdict");
  for (const Job& job : jobs) {
    if (std::string(job.name).find(part) == std::string::npos) continue;
    const Result r = make(job.run, {});
    if (!r.started) {
      std::printf("%-44s %s\n", job.name, r.why.c_str());
      continue;
    }
    std::printf("%-44s %10.3f %10.3f %7.1f%%  %s%s\n", job.name, r.seconds, r.measuring,
                100 * r.measuring / (r.seconds + r.measuring), std::string(actio::invariant::word(r.verdict)).c_str(),
                r.failure.empty() ? "" : (": " + r.failure).c_str());
    for (const auto& sentence : r.broken) std::printf("    broken: %s\n", sentence.c_str());
    for (const auto& sentence : r.unresolved) std::printf("    unresolved: %s\n", sentence.c_str());
    std::fflush(stdout);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

}  // namespace

int main(int argc, char** argv) {
  std::string part;
  bool interpreted = false, text = false, list = false, rates = true, cost = true, short_ones = false;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "interpreted")
      interpreted = true;
    else if (word == "text")
      text = true;
    else if (word == "list")
      list = true;
    else if (word == "rates")
      cost = false;
    else if (word == "price")
      rates = false;
    else if (word == "short")
      short_ones = true;
    else
      part = word;
  }
  if (rates) {
    std::vector<Result> results;
    for (const Run& run : all()) {
      if ((run.kind + " " + run.name).find(part) == std::string::npos || (run.long_run && short_ones)) continue;
      results.push_back(make(run, {interpreted ? "none" : "", {}}));
      if (text) std::printf("== %s\n%s\n\n", run.name.c_str(), results.back().text.c_str());
    }
    if (list)
      for (const Result& r : results)
        std::printf("%s | %s | %s: %s\n", r.run->spoiled ? "spoiled" : "sound", r.run->kind.c_str(), r.run->name.c_str(),
                    r.started ? std::string(actio::invariant::word(r.verdict)).c_str() : "refused");
    std::printf("%s\n%s\n", table(results).c_str(), offenders(results).c_str());
    std::fflush(stdout);
  }
  if (cost) price(part);
}
