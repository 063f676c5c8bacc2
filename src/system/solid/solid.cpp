#include <actio/system/solid.hpp>

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/system/materials.hpp>
#include <actio/system/mesh_part.hpp>

#include "order.hpp"

namespace actio::system {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse diagonal(const Eigen::VectorXd& entries) {
  Sparse out(entries.size(), entries.size());
  out.reserve(Eigen::VectorXi::Ones(entries.size()));
  for (long i = 0; i < entries.size(); ++i) out.insert(i, i) = entries[i];
  out.makeCompressed();
  return out;
}

// M of the coordinates that follow the n before.
void append(MassMatrix& mass, long n, const MassMatrix& M) {
  using Kind = MassMatrix::Kind;
  if (n == 0) {
    mass = M;
    return;
  }
  if (mass.kind == Kind::none) throw core::InputError("the coordinates before a solid have no mass");
  if (mass.kind == Kind::diagonal && M.kind == Kind::diagonal) {
    Eigen::VectorXd both(n + M.diagonal.size());
    both << mass.diagonal, M.diagonal;
    mass.diagonal = std::move(both);
    return;
  }
  const Sparse a = mass.kind == Kind::full ? mass.full : diagonal(mass.diagonal);
  const Sparse b = M.kind == Kind::full ? M.full : diagonal(M.diagonal);
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(static_cast<std::size_t>(a.nonZeros() + b.nonZeros()));
  for (int j = 0; j < a.outerSize(); ++j)
    for (Sparse::InnerIterator it(a, j); it; ++it) entries.emplace_back(static_cast<int>(it.row()), j, it.value());
  const int shift = static_cast<int>(n);
  for (int j = 0; j < b.outerSize(); ++j)
    for (Sparse::InnerIterator it(b, j); it; ++it)
      entries.emplace_back(shift + static_cast<int>(it.row()), shift + j, it.value());
  mass = {Kind::full, {}, Sparse(n + b.rows(), n + b.cols()), {}};
  mass.full.setFromTriplets(entries.begin(), entries.end());
}

MassMatrix mass_of(const Mesh& mesh, std::span<const SolidPart> parts, MassOfSolid which) {
  const long nodes = mesh.points.cols();
  Eigen::VectorXd lumped = Eigen::VectorXd::Zero(nodes);
  Sparse consistent(nodes, nodes);
  for (const SolidPart& part : parts)
    for (const Cells& cells : by_kind(mesh, part.cells)) {
      if (which == MassOfSolid::lumped)
        lumped += lumped_mass(mesh, cells, part.density);
      else
        consistent = Sparse(consistent + consistent_mass(mesh, cells, part.density));
    }
  if (which == MassOfSolid::consistent) return {MassMatrix::Kind::full, {}, for_each_coordinate(consistent), {}};
  return {MassMatrix::Kind::diagonal, lumped.replicate(1, 3).transpose().reshaped(), {}, {}};
}

void need_all_nodes(const Mesh& mesh, std::span<const SolidPart> parts) {
  std::vector<bool> used(static_cast<std::size_t>(mesh.points.cols()), false);
  for (const SolidPart& part : parts)
    for (const auto& cell : part.cells)
      for (const std::int32_t a : nodes_of(mesh, cell)) used[static_cast<std::size_t>(a)] = true;
  const auto loose = std::ranges::find(used, false);
  if (loose == used.end()) return;
  const Eigen::Vector3d X = mesh.points.col(loose - used.begin());
  throw core::InputError(
      fmt::format("the node at ({:.6g}, {:.6g}, {:.6g}) belongs to no element with a material", X[0], X[1], X[2]),
      "it would have no mass");
}

}  // namespace

void add_solid(Model& model, const std::string& name, std::shared_ptr<const Mesh> mesh, std::span<const SolidPart> parts,
               MassOfSolid mass) {
  const long offset = model.size(), n = 3 * mesh->points.cols();
  need_all_nodes(*mesh, parts);
  for (const SolidPart& part : parts) {
    std::vector<Cells> kinds = by_kind(*mesh, part.cells);
    for (Cells& cells : kinds) {
      put_in_order(*mesh, cells);
      Term term;
      term.name = kinds.size() == 1 ? part.name : fmt::format("{} ({})", part.name, name_of(kind_of(*mesh, cells.front())));
      term.graph = part.graph;
      term.value = part.energy;
      term.locals = 9;
      term.elements = static_cast<long>(cells.size());
      term.dofs = dofs_of(*mesh, cells, offset);
      term.interpolation = std::make_shared<Interpolation>(interpolation(*mesh, cells, part.name));
      if (part.viscosity > 0) {
        Term& friction = model.dissipation.emplace_back(term);
        friction.velocities = true;
        friction.graph = {};
        friction.value = viscous(friction.graph, deformation(friction.graph), part.viscosity);
      }
      model.terms.push_back(std::move(term));
    }
  }
  append(model.mass, offset, mass_of(*mesh, parts, mass));
  model.families.push_back({name, n, offset, true});
  model.solids.push_back({name, std::move(mesh), offset});
}

Mesh without_loose_nodes(const Mesh& mesh) {
  std::vector<bool> used(static_cast<std::size_t>(mesh.points.cols()), false);
  for (const CellBlock& block : mesh.blocks)
    if (dimension_of(block.cell) == 3)
      for (const std::int32_t a : block.nodes) used[static_cast<std::size_t>(a)] = true;
  if (std::ranges::find(used, false) == used.end()) return mesh;
  std::vector<std::vector<bool>> whole;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
    for (auto& of = whole.emplace_back(); static_cast<long>(of.size()) < mesh.blocks[b].size();)
      of.push_back(std::ranges::all_of(nodes_of(mesh, {static_cast<std::int32_t>(b), static_cast<std::int32_t>(of.size())}),
                                       [&](std::int32_t a) { return used[static_cast<std::size_t>(a)]; }));
  return part_of(mesh, whole).mesh;
}

std::vector<std::int32_t> nodes_of(const Mesh& mesh, CellSpan cells) {
  std::vector<std::int32_t> out;
  for (const auto& cell : cells) {
    const auto of = nodes_of(mesh, cell);
    out.insert(out.end(), of.begin(), of.end());
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

SolidFigures figures_of(const Model& model, const SolidBody& solid) {
  SolidFigures out{0, 0, 1};
  for (const Term& term : model.terms) {
    if (!is_of(term, solid)) continue;
    const Interpolation& at = *term.interpolation;
    for (long p = 0; p < at.points; ++p) {  // the weights of one point have its det in common with those of other elements
      const Eigen::Map<const Eigen::VectorXd> w(at.weight.data() + p * term.elements, term.elements);
      out.volume += w.sum();
      out.smallest_det = std::min(out.smallest_det, w.minCoeff() / w.mean());
    }
  }
  for (long a = 0; a < solid.mesh->points.cols(); ++a) {
    const long j = solid.offset + 3 * a;
    out.mass += model.mass.kind == MassMatrix::Kind::full ? model.mass.full.col(j).sum() : model.mass.diagonal[j];
  }
  return out;
}

Eigen::VectorXd rest_of(const Model& model) {
  Eigen::VectorXd rest;
  if (model.solids.empty()) return rest;
  rest.setZero(model.size());
  for (const SolidBody& solid : model.solids)
    rest.segment(solid.offset, 3 * solid.mesh->points.cols()) = solid.mesh->points.reshaped();
  return rest;
}

bool is_of(const Term& term, const SolidBody& solid) {
  return term.interpolation && !term.dofs.empty() && term.dofs.front() >= solid.offset &&
         term.dofs.front() < solid.offset + 3 * solid.mesh->points.cols();
}

}  // namespace actio::system
