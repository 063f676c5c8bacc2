// Gradient and Hessian of a neo-Hookean solid, added up into a vector and a sparse matrix: nanoseconds an element, for a mesh
// that other codes read too (bench/solid-dolfinx). Processor time of one thread, least of many; what was added up is printed so
// that two codes can be seen to compute the same.
#include <actio/core/parallel.hpp>
#include <actio/io/mesh.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/materials.hpp>
#include <actio/system/solid.hpp>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

#include "harness.hpp"

using namespace actio;

int main(int argc, char** argv) {
  if (argc != 2) return std::puts("bench_solid_assembly MESH.msh"), 2;
  core::set_threads(1);
  const auto mesh = std::make_shared<system::Mesh>(io::read_mesh(argv[1]));
  system::SolidPart rubber{.name = "rubber", .cells = {}, .graph = {}, .energy = -1, .density = 1000, .viscosity = 0};
  for (const auto& group : mesh->groups)
    if (group.name == "solid") rubber.cells = group.cells;
  rubber.energy = system::neo_hookean(rubber.graph, system::deformation(rubber.graph), system::lame_of(1e6, 0.4));
  system::Model model;
  system::add_solid(model, "x", mesh, std::array{rubber}, system::MassOfSolid::lumped);
  const auto compiled = system::compile(model);
  using System = system::Assembled<algebra::SparseSpace>;
  System system(compiled, system::layout<algebra::SparseSpace>(*compiled, true));

  Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(mesh->points.data(), model.size()), f = q;
  for (long a = 0; a < q.size(); a += 3) {
    const double X = q[a], Y = q[a + 1], Z = q[a + 2];
    q[a] += 2e-3 * std::sin(40 * Y);
    q[a + 1] += 2e-3 * std::sin(40 * Z);
    q[a + 2] += 2e-3 * std::sin(40 * X);
  }
  auto K = system.space().matrix();
  const double elements = static_cast<double>(compiled->lagrangian.batches[0].elements);
  const double first = bench::of_processor(20, [&] { system.force(0, q, f); });
  const double both = bench::of_processor(20, [&] { system.stiffness(0, q, 0, 1, f, K); });
  std::printf("Actio: %.0f elements, %ld coordinates, %.1f million entries\n", elements, model.size(),
              static_cast<double>(K.nonZeros()) / 1e6);
  std::printf("  energy %.12g, |gradient| %.12g, |Hessian| %.12g\n", system.potential(0, q), f.norm(), K.norm());
  std::printf("  gradient             %8.1f ns an element\n", first / elements * 1e9);
  std::printf("  gradient and Hessian %8.1f ns an element\n", both / elements * 1e9);
}
