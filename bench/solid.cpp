// A neo-Hookean brick of 1e5 tetrahedra, one side held: nanoseconds an element of its gradient and Hessian, seconds of an
// assembly, a factorisation and whole steps, and memory. Processor time of one thread, least of many; of several threads
// (ACTIO_THREADS, OPENBLAS_NUM_THREADS), factorisations and steps the time on the wall.
#include <models/mesh.hpp>

#include <fmt/format.h>

#include <actio/core/parallel.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/materials.hpp>
#include <actio/system/solid.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "harness.hpp"

namespace {

using namespace actio;
using bench::of_processor;
using bench::on_the_wall;
using System = system::Assembled<algebra::SparseSpace>;

double resident() {  // [MiB]
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  return 0;
}

system::Model brick(system::MassOfSolid mass) {
  const auto mesh = std::make_shared<system::Mesh>(
      models::mesh_of({.kind = system::Cell::tetrahedron4, .elements = {26, 26, 25}, .size = {1.04, 1.04, 1}}));
  system::SolidPart rubber{.name = "rubber", .cells = {}, .graph = {}, .energy = -1, .density = 1000, .viscosity = 0};
  for (const auto& group : mesh->groups)
    if (group.name == "solid") rubber.cells = group.cells;
  rubber.energy = system::neo_hookean(rubber.graph, system::deformation(rubber.graph), system::lame_of(1e6, 0.4));
  system::Model model;
  system::add_solid(model, "x", mesh, std::array{rubber}, mass);
  for (int a = 0; a < static_cast<int>(mesh->points.cols()); ++a)
    if (mesh->points(2, a) == 0)
      for (int i = 0; i < 3; ++i) model.fixed_dofs.push_back(3 * a + i);
  return model;
}

Eigen::VectorXd at_rest(const system::Model& model) {
  return Eigen::Map<const Eigen::VectorXd>(model.solids[0].mesh->points.data(), model.size());
}

void elements() {
  const system::Model model = brick(system::MassOfSolid::lumped);
  const auto compiled = system::compile(model);
  const system::Batch& batch = compiled->lagrangian.batches[0];
  const double count = static_cast<double>(batch.elements);
  const auto print = [&](const char* what, double s) { std::printf("  %-34s %8.1f ns an element\n", what, s / count * 1e9); };
  std::printf("%ld tetrahedra, %ld coordinates\n", batch.elements, model.size());
  const double before = resident();
  System system(compiled, system::layout<algebra::SparseSpace>(*compiled, true));
  Eigen::VectorXd q = at_rest(model), f = q, x = q;
  for (long i = 0; i < q.size(); ++i) q[i] += 2e-3 * std::sin(0.3 * static_cast<double>(i));
  auto K = system.space().matrix();

  const int all = core::threads();
  core::set_threads(1);
  print("gradient, added up", of_processor(20, [&] { system.force(0, q, f); }));
  system::ElementBlock block;
  block.reserve(batch);
  std::vector<double> uniforms = compiled->uniforms;
  uniforms[uniforms.size() - 4] = 1;
  std::array<std::int32_t, 81> where;
  where.fill(block.zero());
  std::int32_t output = 9;
  for (const auto& [row, column, mirrored] : batch.entries) where[9 * row + column] = where[9 * column + row] = output++;
  print("gradient and Hessian, not added up", of_processor(20, [&] {
          for (long e = 0; e < batch.elements; e += system::ElementBlock::lanes) {
            block.take(batch, e);
            block.gather(0, q.data());
            block.clear();
            block.deform(0, 0, 0);
            block.run(batch.second, uniforms.data(), 9);
            block.pull(0, 0, 0);
            block.pull_matrix(0, where.data(), true);
          }
        }));
  print("gradient and Hessian, added up", of_processor(20, [&] { system.stiffness(0, q, 1e6, 1, f, K); }));
  const auto by = [&](const char* what, int threads, auto&& g) {
    core::set_threads(threads);
    print(fmt::format("{}, {} thread{}", what, threads, threads == 1 ? "" : "s").c_str(), on_the_wall(20, g));
  };
  for (const int threads : {1, all}) {
    by("gradient", threads, [&] { system.force(0, q, f); });
    by("gradient and Hessian", threads, [&] { system.stiffness(0, q, 1e6, 1, f, K); });
  }

  auto solver = system.space().solver();
  bool sound = true;
  const double first = on_the_wall(1, [&] { sound = solver.factor(K); });
  const double again = on_the_wall(2, [&] { sound = solver.factor(K) && sound; });
  std::printf("  matrix of %.1f million entries, factor (%s) of %.1f million%s\n", static_cast<double>(K.nonZeros()) / 1e6,
              solver.method(), solver.nonzeros() / 1e6, sound ? "" : ": not sound");
  std::printf("  factorisation %.2f s, %.2f s with its ordering; solution %.3f s\n", again, first,
              on_the_wall(3, [&] { solver.solve(f, x); }));
  const double newton = on_the_wall(2, [&] {
    system.stiffness(0, q, 1e6, 1, f, K);
    sound = solver.factor(K) && sound;
    solver.solve(f, x);
  });
  std::printf("  step of Newton's method %.2f s\n", newton);
  std::printf("  memory %.0f MiB, %.1f kB a coordinate\n\n", resident() - before,
              (resident() - before) * 1024 / static_cast<double>(model.size()));
}

void steps(const char* name, method::Integrator& integrator, double h, long count) {
  method::BatchReport report = integrator.advance(1, h);
  const double s = on_the_wall(1, [&] { report = integrator.advance(count, h); });
  const double each = 1 / static_cast<double>(count);
  std::printf("  %-34s %8.4f s a step, %.1f iterations, %.2f factorisations%s\n", name, s * each,
              static_cast<double>(report.iterations) * each, static_cast<double>(report.factorisations) * each,
              report.ok ? "" : ": failed");
}

// Pulled at the free end.
void pulled(const char* name, const method::AnyMethod& choice, system::MassOfSolid mass, double h, long count) {
  const system::Model model = brick(mass);
  const auto integrator = method::make_integrator(model, {choice, false, {}});
  const Eigen::VectorXd q = at_rest(model);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(q.size());
  for (long a = 0; a < q.size(); a += 3) v[a] = 2 * q[a + 2] * q[a + 2];
  integrator->start(0, q, v);
  steps(name, *integrator, h, count);
}

// A cube whose other end a machine stretches: as many constraints as that has coordinates.
void driven(const std::array<int, 3>& boxes, long count) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("actio-bench-{}.msh", std::random_device()());
  models::write_msh(models::mesh_of({.kind = system::Cell::tetrahedron4, .elements = boxes, .size = {1, 1, 1}}), file);
  const io::Problem problem = io::load_text(fmt::format(R"toml([system.solid]
mesh = "{}"
fixed = ["x0"]
driven = [{{ group = "x1", x = "0.05*(1-cos(2*t))", y = "0", z = "0" }}]
material = {{ model = "neo-hookean", E = 1e6, nu = 0.3, density = 1000 }}
[method]
name = "midpoint"
[run]
step = 0.01
steps = 1
)toml",
                                                        file.string()),
                                            "driven.toml");
  std::filesystem::remove(file);
  const auto integrator = method::make_integrator(problem.model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  steps(fmt::format("midpoint, driven, {} tetrahedra", 6 * boxes[0] * boxes[1] * boxes[2]).c_str(), *integrator, 0.01, count);
}

}  // namespace

int main() {
  elements();
  pulled("verlet, lumped mass", method::Verlet{}, system::MassOfSolid::lumped, 1e-4, 50);
  pulled("newmark, consistent mass", method::Newmark{0.25, 0.5}, system::MassOfSolid::consistent, 2e-3, 20);
  pulled("midpoint, consistent mass", method::Midpoint{}, system::MassOfSolid::consistent, 2e-3, 20);
  driven({16, 12, 12}, 10);
  driven({26, 26, 25}, 10);
}
