#include <actio/system/solid.hpp>

#include <algorithm>

#include "field.hpp"

namespace actio::system {
namespace {

// Where a load acts: on coordinate i of the nodes, by these weights; X of each where the load depends on it.
struct Weighted {
  std::vector<std::int32_t> nodes;
  std::vector<double> weight;
  std::array<std::vector<double>, 3> X;
};

void add_component(Model& model, const SolidBody& solid, const Field& load, std::size_t i, const Weighted& at,
                   const std::string& name) {
  if (at.nodes.empty() || load.graph.is_constant(load.value[i], 0)) return;
  const bool conservative = !depends_on_time(model, load.graph, load.value[i]);
  Local local{{}, conservative ? 1 : 0, {}};
  const expr::Id value = local.graph.mul(local.data(at.weight), local.of(model, load, load.value[i], at.X));
  std::vector<std::int32_t> rows;
  for (const std::int32_t a : at.nodes) rows.push_back(static_cast<std::int32_t>(solid.offset + 3 * a + static_cast<long>(i)));
  ElementFunction function;
  function.name = name;
  function.graph = std::move(local.graph);
  function.value = value;
  function.elements = static_cast<long>(rows.size());
  function.data = std::move(local.columns);
  if (conservative) {
    expr::Graph& g = function.graph;
    function.value = g.neg(g.mul(value, g.column(0)));  // V = -load . x
    function.locals = 1;
    function.dofs = std::move(rows);
    model.terms.push_back({std::move(function)});
  } else {
    function.rows = std::move(rows);
    model.forces.push_back({std::move(function)});
  }
}

// The integrals of N_a, by node.
Weighted by_node(const Mesh& mesh, const std::vector<Cells>& kinds) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(mesh.points.cols());
  for (const Cells& cells : kinds) {
    const auto shapes = shapes_of(kind_of(mesh, cells.front()));
    for (const IntegrationPoint& p : integration_points(mesh, cells)) {
      const auto nodes = nodes_of(mesh, cells[static_cast<std::size_t>(p.cell)]);
      const Eigen::VectorXd& N = shapes[static_cast<std::size_t>(p.point)].N;
      for (std::size_t a = 0; a < nodes.size(); ++a) sum[nodes[a]] += p.weight * N[static_cast<long>(a)];
    }
  }
  Weighted out;
  for (std::int32_t a = 0; a < sum.size(); ++a)
    if (sum[a] != 0) {
      out.nodes.push_back(a);
      out.weight.push_back(sum[a]);
    }
  return out;
}

// weight N_a at each point of each cell.
Weighted by_point(const Mesh& mesh, const std::vector<Cells>& kinds) {
  Weighted out;
  for (const Cells& cells : kinds) {
    const auto shapes = shapes_of(kind_of(mesh, cells.front()));
    for (const IntegrationPoint& p : integration_points(mesh, cells)) {
      const auto nodes = nodes_of(mesh, cells[static_cast<std::size_t>(p.cell)]);
      for (std::size_t a = 0; a < nodes.size(); ++a) {
        out.nodes.push_back(nodes[a]);
        out.weight.push_back(p.weight * shapes[static_cast<std::size_t>(p.point)].N[static_cast<long>(a)]);
        for (std::size_t k = 0; k < 3; ++k) out.X[k].push_back(p.X[static_cast<long>(k)]);
      }
    }
  }
  return out;
}

}  // namespace

std::vector<Shape> shapes_of(Cell kind) {
  std::vector<Shape> out;
  for (const QuadraturePoint& point : quadrature(kind, Rule::product)) out.push_back(shape_at(kind, point.xi));
  return out;
}

void add_load(Model& model, const SolidBody& solid, CellSpan cells, const Field& load, const std::string& name) {
  const std::vector<Cells> kinds = by_kind(*solid.mesh, cells);
  const Weighted nodal = by_node(*solid.mesh, kinds);
  Weighted local;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool varies = !expr::columns_of(load.graph, load.value[i]).empty();
    if (varies && local.nodes.empty()) local = by_point(*solid.mesh, kinds);
    add_component(model, solid, load, i, varies ? local : nodal, name);
  }
}

void add_gravity(Model& model, const SolidBody& solid, const Field& g, const std::string& name) {
  const long nodes = solid.mesh->points.cols();
  Weighted at;
  for (long a = 0; a < nodes; ++a) {  // the sum of a column: what a node has of the whole mass
    const long j = solid.offset + 3 * a;
    at.nodes.push_back(static_cast<std::int32_t>(a));
    at.weight.push_back(model.mass.kind == MassMatrix::Kind::full ? model.mass.full.col(j).sum() : model.mass.diagonal[j]);
  }
  for (std::size_t i = 0; i < 3; ++i) add_component(model, solid, g, i, at, name);
}

void drive(Model& model, const SolidBody& solid, std::span<const std::int32_t> nodes, const Field& displacement,
           const std::string& name) {
  constexpr std::array component{"x", "y", "z"};
  std::array<std::vector<double>, 3> X;
  for (const std::int32_t a : nodes)
    for (std::size_t k = 0; k < 3; ++k) X[k].push_back(solid.mesh->points(static_cast<long>(k), a));
  for (std::size_t i = 0; i < 3; ++i) {
    if (displacement.value[i] < 0) continue;
    Local local{{}, 1, {}};
    const expr::Id rest = local.data(X[i]);
    const expr::Id moved = local.graph.add(rest, local.of(model, displacement, displacement.value[i], X));
    Constraint& constraint = model.constraints.emplace_back();
    constraint.name = name + "." + component[i];
    constraint.value = local.graph.sub(local.graph.column(0), moved);  // x_i - X_i - displacement_i
    constraint.graph = std::move(local.graph);
    constraint.locals = 1;
    constraint.elements = static_cast<long>(nodes.size());
    for (const std::int32_t a : nodes)
      constraint.dofs.push_back(static_cast<std::int32_t>(solid.offset + 3 * a + static_cast<long>(i)));
    constraint.data = std::move(local.columns);
  }
}

}  // namespace actio::system
