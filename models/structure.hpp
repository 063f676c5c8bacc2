#pragma once
#include <Eigen/SparseCore>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

// Structures that are linear and elastic, by finite elements: M u'' + S u = 0 in SI units.
namespace models {

struct Structure {
  Eigen::SparseMatrix<double> mass, stiffness;  // M [kg, kg m^2], S [N/m, N m] (n x n), both triangles, one pattern
  std::vector<std::array<double, 3>> nodes;     // [m]
  int per_node = 3;                             // coordinates of a node: displacements x, y, z, then rotations
  std::vector<std::int32_t> coordinate;         // of a node's displacement or rotation: entry per_node * node + k; -1 left out
  std::vector<std::int32_t> fixed;              // coordinates that do not move, sorted, where they were not left out

  long size() const { return mass.rows(); }
  // Row sums of M (n), a diagonal mass for solids.
  Eigen::VectorXd lumped_mass() const { return mass * Eigen::VectorXd::Ones(size()); }
  // The rigid motion u = a + b x (node): displacements a + b x r, rotations b (n).
  Eigen::VectorXd rigid(const std::array<double, 3>& a, const std::array<double, 3>& b) const;
};

// Sums of element matrices. Local l of element e is coordinate dofs[e * locals + l], or none where that is -1.
class Assembly {
 public:
  Assembly(long n, int locals, std::vector<std::int32_t> dofs);
  // matrix(e): the (locals x locals) matrix of element e
  Eigen::SparseMatrix<double> sum(const std::function<const Eigen::MatrixXd&(long)>& matrix) const;

 private:
  int locals_;
  std::vector<std::int32_t> dofs_;
  Eigen::SparseMatrix<double> pattern_;
};

// Numbers the coordinates of nodes one by one and returns how many there are; those of nodes for which is_fixed(node) are listed,
// or left out.
enum class Supports { left_out, listed };
long number_coordinates(Structure& structure, Supports supports, const std::function<bool(long)>& is_fixed);

}  // namespace models
