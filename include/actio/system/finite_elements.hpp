#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <actio/system/mesh.hpp>
#include <actio/system/model.hpp>

// Isoparametric finite elements, X = sum_a N_a(xi) X_a: Hughes, The Finite Element Method (2000), chapter 3. Reference cells are
// -1 <= xi <= 1 of quadrilaterals and hexahedra, and the unit simplex of triangles and tetrahedra.
namespace actio::system {

using Cells = std::vector<std::pair<std::int32_t, std::int32_t>>;  // (block, cell), as in a CellGroup
using CellSpan = std::span<const Cells::value_type>;

// Where the nodes of a cell are in its reference cell, (3 x nodes); coordinates beyond its dimension are 0.
Eigen::Matrix3Xd reference_nodes(Cell cell);

struct Shape {
  Eigen::VectorXd N;   // (nodes)
  Eigen::MatrixX3d d;  // dN_a/dxi_M (nodes x 3)
};
// N_a is 1 at node a and 0 at the others, of the polynomials of the cell: linear, or quadratic; of a hexahedron20 and a
// quadrilateral8 those of them with one square at most.
Shape shape_at(Cell cell, const Eigen::Vector3d& xi);

struct QuadraturePoint {
  Eigen::Vector3d xi;
  double weight;
};
// stiffness: exact for the gradients of undistorted cells (1 point of a tetrahedron4, 4 of a tetrahedron10, 2^3 of a hexahedron8,
// 3^3 of the others). product: exact for N_a N_b of undistorted cells too.
enum class Rule { stiffness, product };
std::vector<QuadraturePoint> quadrature(Cell cell, Rule rule);

// For cells of one kind and dimension 3. Throws core::InputError, which calls them `name`, if det dX/dxi <= 0 at a point.
Interpolation interpolation(const Mesh& mesh, CellSpan cells, const std::string& name);
// Term::dofs of such cells, (3 nodes x cells): coordinate i of node a is offset + 3 a + i.
std::vector<std::int32_t> dofs_of(const Mesh& mesh, CellSpan cells, long offset);

// M_ab = density integral of N_a N_b [kg], (nodes x nodes of the mesh), of cells of one kind.
Eigen::SparseMatrix<double> consistent_mass(const Mesh& mesh, CellSpan cells, double density);
// The diagonal of that, scaled to the mass of each element: Hinton, Rock, Zienkiewicz, Earthquake Eng. Struct. Dyn. 4 (1976) 245.
// Never negative.
Eigen::VectorXd lumped_mass(const Mesh& mesh, CellSpan cells, double density);
// The same for each of the three coordinates of a node.
Eigen::SparseMatrix<double> for_each_coordinate(const Eigen::SparseMatrix<double>& M);

// A point of the integral over a cell at rest.
struct IntegrationPoint {
  std::int32_t cell = 0;   // its number among those given
  std::int32_t point = 0;  // of quadrature(kind, Rule::product)
  Eigen::Vector3d X;       // [m]
  double weight = 0;       // [m^3], of faces [m^2]
};
// For cells of one kind, volumes or faces.
std::vector<IntegrationPoint> integration_points(const Mesh& mesh, CellSpan cells);

// The cells of each kind apart, in the order they came.
std::vector<Cells> by_kind(const Mesh& mesh, CellSpan cells);
inline Cell kind_of(const Mesh& mesh, const Cells::value_type& cell) {
  return mesh.blocks[static_cast<std::size_t>(cell.first)].cell;
}
// The nodes of one.
std::span<const std::int32_t> nodes_of(const Mesh& mesh, const Cells::value_type& cell);

}  // namespace actio::system
