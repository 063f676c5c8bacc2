#include <actio/system/solid.hpp>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <actio/core/error.hpp>
#include <actio/system/neighbours.hpp>

#include "field.hpp"

namespace actio::system {
namespace {

long corners_of(Cell face) { return face == Cell::triangle3 || face == Cell::triangle6 ? 3 : 4; }

// Finds the element a face bounds by the nodes they share.
class Sides {
 public:
  explicit Sides(const Mesh& mesh) : mesh_(mesh), around_(mesh) {}
  // 1 where the normal of a face points out of its element, -1 where it points into it.
  double side(const Cells::value_type& face, const std::string& name) const {
    const long corners = corners_of(kind_of(mesh_, face));
    const auto nodes = nodes_of(mesh_, face).first(static_cast<std::size_t>(corners));
    const Eigen::Vector3d A = mesh_.points.col(nodes[0]);
    const Eigen::Vector3d normal =
        (mesh_.points.col(nodes[1]) - A)
            .cross(Eigen::Vector3d(mesh_.points.col(nodes[static_cast<std::size_t>(corners) - 1]) - A));
    const Cells elements = around_.of(nodes);
    if (elements.size() == 1) {
      const auto of = nodes_of(mesh_, elements.front());
      Eigen::Vector3d middle = Eigen::Vector3d::Zero();
      for (const std::int32_t a : of) middle += mesh_.points.col(a) / static_cast<double>(of.size());
      return normal.dot(A - middle) > 0 ? 1 : -1;
    }
    throw core::InputError(fmt::format("{}: the face near ({:.6g}, {:.6g}, {:.6g}) {}", name, A[0], A[1], A[2],
                                       elements.empty() ? "is a face of no element" : "lies between two elements"),
                           "a pressure acts on the surface of a solid");
  }

 private:
  const Mesh& mesh_;
  Neighbours around_;
};

// f_a = -p integral of N_a x,1 cross x,2 over the reference face; an element of the batch is a node at a point of a face.
void add(Model& model, const SolidBody& solid, const Cells& faces, const Sides& sides, const Field& pressure,
         const std::string& name) {
  const Mesh& mesh = *solid.mesh;
  const Cell kind = kind_of(mesh, faces.front());
  const auto shapes = shapes_of(kind);
  const auto rule = quadrature(kind, Rule::product);
  const auto points = integration_points(mesh, faces);
  const auto n = static_cast<std::size_t>(nodes_of(kind));
  const std::size_t elements = points.size() * n;

  std::vector<std::int32_t> rows(elements), dofs(3 * n * elements);
  std::vector<double> weight(elements);
  std::array<std::vector<double>, 3> X;
  std::vector<std::vector<double>> slopes(2 * n, std::vector<double>(elements));  // dN_b/dxi_M at 2 b + M
  for (auto& x : X) x.resize(elements);
  std::size_t e = 0;
  double side = 1;
  for (const IntegrationPoint& p : points) {
    const auto& face = faces[static_cast<std::size_t>(p.cell)];
    if (p.point == 0) side = sides.side(face, name);
    const auto nodes = nodes_of(mesh, face);
    const Shape& shape = shapes[static_cast<std::size_t>(p.point)];
    for (std::size_t a = 0; a < n; ++a, ++e) {
      rows[e] = static_cast<std::int32_t>(solid.offset + 3 * nodes[a]);
      weight[e] = -side * rule[static_cast<std::size_t>(p.point)].weight * shape.N[static_cast<long>(a)];
      for (std::size_t k = 0; k < 3; ++k) X[k][e] = p.X[static_cast<long>(k)];
      for (std::size_t b = 0; b < n; ++b) {
        for (std::size_t M = 0; M < 2; ++M) slopes[2 * b + M][e] = shape.d(static_cast<long>(b), static_cast<long>(M));
        for (std::size_t i = 0; i < 3; ++i)
          dofs[(3 * b + i) * elements + e] = static_cast<std::int32_t>(solid.offset + 3 * nodes[b] + static_cast<long>(i));
      }
    }
  }

  Local local{{}, static_cast<int>(6 * n), {}};  // positions and velocities come first
  expr::Graph& g = local.graph;
  std::array<std::array<expr::Id, 3>, 2> tangent;  // x_i,M
  for (auto& t : tangent) t.fill(g.constant(0));
  for (std::size_t b = 0; b < n; ++b)
    for (std::size_t M = 0; M < 2; ++M) {
      const expr::Id slope = local.data(slopes[2 * b + M]);
      for (std::size_t i = 0; i < 3; ++i)
        tangent[M][i] = g.add(tangent[M][i], g.mul(slope, g.column(static_cast<int>(3 * b + i))));
    }
  const expr::Id p = g.mul(local.data(weight), local.of(model, pressure, pressure.value[0], X));
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    Force& force = model.forces.emplace_back();
    force.name = name;
    force.value = g.mul(p, g.sub(g.mul(tangent[0][j], tangent[1][k]), g.mul(tangent[0][k], tangent[1][j])));
    force.graph = g;
    force.locals = static_cast<long>(3 * n);
    force.elements = static_cast<long>(elements);
    for (const std::int32_t row : rows) force.rows.push_back(row + static_cast<std::int32_t>(i));
    force.dofs = dofs;
    force.data = local.columns;
  }
}

}  // namespace

void add_pressure(Model& model, const SolidBody& solid, CellSpan faces, const Field& pressure, const std::string& name) {
  const Sides sides(*solid.mesh);
  for (const Cells& cells : by_kind(*solid.mesh, faces)) add(model, solid, cells, sides, pressure, name);
}

}  // namespace actio::system
