#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <initializer_list>
#include <map>
#include <mutex>

#include <Eigen/LU>

#include <actio/system/finite_elements.hpp>

namespace actio::system {
namespace {

using Exponents = std::vector<std::array<int, 3>>;

bool is_simplex(Cell cell) {
  return cell == Cell::triangle3 || cell == Cell::triangle6 || cell == Cell::tetrahedron4 || cell == Cell::tetrahedron10;
}
bool is_quadratic(Cell cell) {
  return cell != Cell::point && cell != Cell::line2 && cell != Cell::triangle3 && cell != Cell::quadrilateral4 &&
         cell != Cell::tetrahedron4 && cell != Cell::hexahedron8;
}
bool is_serendipity(Cell cell) { return cell == Cell::quadrilateral8 || cell == Cell::hexahedron20; }

// The monomials xi1^i xi2^j xi3^k whose span is that of the shape functions.
Exponents monomials(Cell cell) {
  const int d = dimension_of(cell), degree = is_quadratic(cell) ? 2 : d > 0 ? 1 : 0;
  Exponents out;
  for (int k = 0; k <= (d > 2 ? degree : 0); ++k)
    for (int j = 0; j <= (d > 1 ? degree : 0); ++j)
      for (int i = 0; i <= degree; ++i) {
        if (is_simplex(cell) && i + j + k > degree) continue;
        if (is_serendipity(cell) && (i == 2) + (j == 2) + (k == 2) > 1) continue;
        out.push_back({i, j, k});
      }
  assert(static_cast<int>(out.size()) == nodes_of(cell));
  return out;
}

using Nodes = std::initializer_list<int>;

// The middle of some nodes each.
Eigen::Matrix3Xd with_middles(const Eigen::Matrix3Xd& corners, std::initializer_list<Nodes> middles, long nodes) {
  Eigen::Matrix3Xd out = corners;
  out.conservativeResize(3, nodes);
  long at = corners.cols();
  for (const Nodes& between : middles) {
    if (at == nodes) break;
    out.col(at).setZero();
    for (const int a : between) out.col(at) += corners.col(a) / static_cast<double>(between.size());
    ++at;
  }
  assert(at == nodes);
  return out;
}

Eigen::Matrix3Xd corners_of_cube(int dimension) {
  Eigen::Matrix3Xd out = Eigen::Matrix3Xd::Zero(3, 1 << dimension);
  for (int a = 0; a < out.cols(); ++a) {
    out(0, a) = (a & 3) == 1 || (a & 3) == 2 ? 1 : -1;
    if (dimension > 1) out(1, a) = (a & 2) != 0 ? 1 : -1;
    if (dimension > 2) out(2, a) = a < 4 ? -1 : 1;
  }
  return out;
}

Eigen::Matrix3Xd corners_of_simplex(int dimension) {
  Eigen::Matrix3Xd out = Eigen::Matrix3Xd::Zero(3, dimension + 1);
  for (int a = 0; a < dimension; ++a) out(a, a + 1) = 1;
  return out;
}

struct Basis {
  Exponents exponents;
  Eigen::MatrixXd coefficients;  // N_a = sum_m coefficients(a, m) monomial m
};

double power(double x, int n) { return n == 0 ? 1 : n == 1 ? x : x * x; }

Eigen::VectorXd values(const Exponents& exponents, const Eigen::Vector3d& xi) {
  Eigen::VectorXd out(static_cast<long>(exponents.size()));
  for (std::size_t m = 0; m < exponents.size(); ++m) {
    double& x = out[static_cast<long>(m)];
    x = 1;
    for (std::size_t k = 0; k < 3; ++k) x *= power(xi[static_cast<long>(k)], exponents[m][k]);
  }
  return out;
}

const Basis& basis_of(Cell cell) {
  static std::mutex mutex;
  static std::map<Cell, Basis> known;
  const std::scoped_lock lock(mutex);
  const auto [at, fresh] = known.try_emplace(cell);
  if (fresh) {
    Basis& basis = at->second;
    basis.exponents = monomials(cell);
    const Eigen::Matrix3Xd nodes = reference_nodes(cell);
    Eigen::MatrixXd at_nodes(nodes.cols(), nodes.cols());  // monomial m at node b
    for (long b = 0; b < nodes.cols(); ++b) at_nodes.col(b) = values(basis.exponents, nodes.col(b));
    basis.coefficients = at_nodes.fullPivLu().inverse();  // N_a(xi_b) = delta_ab
    // They are multiples of 1/8: what the inverse adds to them is round-off.
    basis.coefficients = (basis.coefficients * 64).array().round() / 64;
  }
  return at->second;
}

}  // namespace

Eigen::Matrix3Xd reference_nodes(Cell cell) {
  const int d = dimension_of(cell);
  if (d == 0) return Eigen::Matrix3Xd::Zero(3, 1);
  const Eigen::Matrix3Xd corners = is_simplex(cell) ? corners_of_simplex(d) : corners_of_cube(d);
  const long n = nodes_of(cell);
  if (d == 1) return with_middles(corners, {{0, 1}}, n);
  if (d == 2 && is_simplex(cell)) return with_middles(corners, {{0, 1}, {1, 2}, {2, 0}}, n);
  if (d == 2) return with_middles(corners, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 1, 2, 3}}, n);
  if (is_simplex(cell)) return with_middles(corners, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}, n);
  return with_middles(corners,
                      {{0, 1},
                       {1, 2},
                       {2, 3},
                       {3, 0},
                       {4, 5},
                       {5, 6},
                       {6, 7},
                       {7, 4},
                       {0, 4},
                       {1, 5},
                       {2, 6},
                       {3, 7},
                       {0, 4, 7, 3},
                       {1, 2, 6, 5},
                       {0, 1, 5, 4},
                       {3, 7, 6, 2},
                       {0, 3, 2, 1},
                       {4, 5, 6, 7},
                       {0, 1, 2, 3, 4, 5, 6, 7}},
                      n);
}

Shape shape_at(Cell cell, const Eigen::Vector3d& xi) {
  const Basis& basis = basis_of(cell);
  Shape out{basis.coefficients * values(basis.exponents, xi), Eigen::MatrixX3d::Zero(nodes_of(cell), 3)};
  for (std::size_t k = 0; k < 3; ++k) {
    Exponents lowered = basis.exponents;  // d/dxi_k of a monomial: its exponent times that
    Eigen::VectorXd factor(static_cast<long>(lowered.size()));
    for (std::size_t m = 0; m < lowered.size(); ++m) {
      factor[static_cast<long>(m)] = lowered[m][k];
      lowered[m][k] = std::max(lowered[m][k] - 1, 0);
    }
    out.d.col(static_cast<long>(k)) = basis.coefficients * factor.cwiseProduct(values(lowered, xi));
  }
  return out;
}

}  // namespace actio::system
