#include <map>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <actio/core/error.hpp>
#include <actio/system/finite_elements.hpp>

namespace actio::system {
namespace {

// The places of a cell's nodes, (3 x nodes).
Eigen::Matrix3Xd places_of(const Mesh& mesh, const Cells::value_type& cell) {
  const auto nodes = nodes_of(mesh, cell);
  Eigen::Matrix3Xd X(3, static_cast<long>(nodes.size()));
  for (std::size_t a = 0; a < nodes.size(); ++a) X.col(static_cast<long>(a)) = mesh.points.col(nodes[a]);
  return X;
}

[[noreturn]] void inverted(const Mesh& mesh, CellSpan cells, std::size_t e, double det, const std::string& name) {
  const Eigen::Vector3d X = places_of(mesh, cells[e]).rowwise().mean();
  const auto [block, cell] = cells[e];
  const std::vector<std::int64_t>& numbers = mesh.blocks[static_cast<std::size_t>(block)].numbers;
  const std::string kind(name_of(kind_of(mesh, cells[e])));
  throw core::InputError(
      fmt::format("element {} near ({:.6g}, {:.6g}, {:.6g}) is {}",
                  numbers.empty()
                      ? fmt::format("{} of {}, a {},", e, name, kind)
                      : fmt::format("{} of the mesh file, a {} of {},", numbers[static_cast<std::size_t>(cell)], kind, name),
                  X[0], X[1], X[2], det < 0 ? fmt::format("inverted: det dX/dxi is {:.3g} at a point of it", det) : "flat"),
      fmt::format("{}its nodes may be in the order of another program, or the mesh generator made it so",
                  numbers.empty() ? "elements are counted from 0; " : ""));
}

}  // namespace

std::span<const std::int32_t> nodes_of(const Mesh& mesh, const Cells::value_type& cell) {
  const CellBlock& block = mesh.blocks[static_cast<std::size_t>(cell.first)];
  const auto n = static_cast<std::size_t>(nodes_of(block.cell));
  return std::span(block.nodes).subspan(static_cast<std::size_t>(cell.second) * n, n);
}

std::vector<Cells> by_kind(const Mesh& mesh, CellSpan cells) {
  std::vector<Cells> out;
  std::map<Cell, std::size_t> known;
  for (const auto& cell : cells) {
    const auto [at, fresh] = known.try_emplace(kind_of(mesh, cell), out.size());
    if (fresh) out.emplace_back();
    out[at->second].push_back(cell);
  }
  return out;
}

Interpolation interpolation(const Mesh& mesh, CellSpan cells, const std::string& name) {
  Interpolation out;
  const Cell kind = kind_of(mesh, cells.front());
  const std::vector<QuadraturePoint> points = quadrature(kind, Rule::stiffness);
  out.nodes = nodes_of(kind);
  out.points = static_cast<long>(points.size());
  out.cells.assign(cells.begin(), cells.end());
  std::vector<Shape> shapes;
  for (const QuadraturePoint& point : points) {
    shapes.push_back(shape_at(kind, point.xi));
    for (long a = 0; a < out.nodes; ++a)
      for (long M = 0; M < 3; ++M) out.slopes.push_back(shapes.back().d(a, M));
  }
  const std::size_t elements = cells.size(), count = points.size();
  out.inverse.resize(9 * count * elements);
  out.weight.resize(count * elements);
  for (std::size_t e = 0; e < elements; ++e) {
    const Eigen::Matrix3Xd X = places_of(mesh, cells[e]);
    for (std::size_t p = 0; p < count; ++p) {
      const Eigen::Matrix3d dX = X * shapes[p].d;  // dX_K/dxi_M
      const double det = dX.determinant();
      if (!(det > 0)) inverted(mesh, cells, e, det, name);
      const Eigen::Matrix3d inverse = dX.inverse();  // dxi_M/dX_K
      for (std::size_t M = 0; M < 3; ++M)
        for (std::size_t K = 0; K < 3; ++K)
          out.inverse[(p * 9 + 3 * M + K) * elements + e] = inverse(static_cast<long>(M), static_cast<long>(K));
      out.weight[p * elements + e] = points[p].weight * det;
    }
  }
  return out;
}

std::vector<std::int32_t> dofs_of(const Mesh& mesh, CellSpan cells, long offset) {
  const auto nodes = static_cast<std::size_t>(nodes_of(kind_of(mesh, cells.front())));
  std::vector<std::int32_t> out(3 * nodes * cells.size());
  for (std::size_t e = 0; e < cells.size(); ++e) {
    const auto of = nodes_of(mesh, cells[e]);
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t i = 0; i < 3; ++i)
        out[(3 * a + i) * cells.size() + e] = static_cast<std::int32_t>(offset + 3 * of[a] + static_cast<long>(i));
  }
  return out;
}

std::vector<IntegrationPoint> integration_points(const Mesh& mesh, CellSpan cells) {
  std::vector<IntegrationPoint> out;
  const Cell kind = kind_of(mesh, cells.front());
  const std::vector<QuadraturePoint> points = quadrature(kind, Rule::product);
  std::vector<Shape> shapes;
  for (const QuadraturePoint& point : points) shapes.push_back(shape_at(kind, point.xi));
  out.reserve(cells.size() * points.size());
  for (std::size_t e = 0; e < cells.size(); ++e) {
    const Eigen::Matrix3Xd X = places_of(mesh, cells[e]);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const Eigen::Matrix3d dX = X * shapes[p].d;
      const double size = dimension_of(kind) == 3 ? dX.determinant() : dX.col(0).cross(dX.col(1)).norm();
      out.push_back({static_cast<std::int32_t>(e), static_cast<std::int32_t>(p), X * shapes[p].N, points[p].weight * size});
    }
  }
  return out;
}

}  // namespace actio::system
