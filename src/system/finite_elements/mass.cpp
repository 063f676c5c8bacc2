#include <actio/system/finite_elements.hpp>

namespace actio::system {
namespace {

// f(nodes, m) for the mass matrix m (nodes x nodes) of each cell.
template <class F>
void for_each_mass(const Mesh& mesh, CellSpan cells, double density, F&& f) {
  const Cell kind = kind_of(mesh, cells.front());
  const auto points = quadrature(kind, Rule::product);
  std::vector<Eigen::MatrixXd> products;  // N_a N_b at each point
  for (const QuadraturePoint& point : points) {
    const Eigen::VectorXd N = shape_at(kind, point.xi).N;
    products.emplace_back(N * N.transpose());
  }
  const auto where = integration_points(mesh, cells);
  Eigen::MatrixXd m;
  for (std::size_t e = 0; e < cells.size(); ++e) {
    m.setZero(nodes_of(kind), nodes_of(kind));
    for (std::size_t p = 0; p < points.size(); ++p) m += density * where[e * points.size() + p].weight * products[p];
    f(nodes_of(mesh, cells[e]), m);
  }
}

}  // namespace

Eigen::SparseMatrix<double> consistent_mass(const Mesh& mesh, CellSpan cells, double density) {
  std::vector<Eigen::Triplet<double, int>> entries;
  const auto n = static_cast<std::size_t>(nodes_of(kind_of(mesh, cells.front())));
  entries.reserve(n * n * cells.size());
  for_each_mass(mesh, cells, density, [&](std::span<const std::int32_t> nodes, const Eigen::MatrixXd& m) {
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t a = 0; a < n; ++a) entries.emplace_back(nodes[a], nodes[b], m(static_cast<long>(a), static_cast<long>(b)));
  });
  Eigen::SparseMatrix<double> M(mesh.points.cols(), mesh.points.cols());
  M.setFromTriplets(entries.begin(), entries.end());
  return M;
}

Eigen::VectorXd lumped_mass(const Mesh& mesh, CellSpan cells, double density) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(mesh.points.cols());
  for_each_mass(mesh, cells, density, [&](std::span<const std::int32_t> nodes, const Eigen::MatrixXd& m) {
    const double scale = m.sum() / m.trace();  // the shape functions add up to 1: m.sum() is the mass of the element
    for (std::size_t a = 0; a < nodes.size(); ++a) out[nodes[a]] += scale * m(static_cast<long>(a), static_cast<long>(a));
  });
  return out;
}

Eigen::SparseMatrix<double> for_each_coordinate(const Eigen::SparseMatrix<double>& M) {
  Eigen::SparseMatrix<double> out(3 * M.rows(), 3 * M.cols());
  Eigen::VectorXi counts(3 * M.cols());
  for (int b = 0; b < M.outerSize(); ++b) counts.segment<3>(3 * b).setConstant(static_cast<int>(M.col(b).nonZeros()));
  out.reserve(counts);
  for (int b = 0; b < M.outerSize(); ++b)
    for (int i = 0; i < 3; ++i)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(M, b); entry; ++entry)
        out.insert(3 * static_cast<int>(entry.row()) + i, 3 * b + i) = entry.value();
  out.makeCompressed();
  return out;
}

}  // namespace actio::system
