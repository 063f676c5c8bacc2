#pragma once
#include <gtest/gtest.h>

#include <models/mesh.hpp>

#include <array>
#include <random>
#include <vector>

#include <actio/expr/kernel.hpp>
#include <actio/system/materials.hpp>
#include <actio/system/solid.hpp>

// Solids evaluated point after point by the interpreter: slow, and independent of how runs evaluate.
namespace actio::system::test {

inline constexpr std::array kinds{Cell::tetrahedron4, Cell::tetrahedron10, Cell::hexahedron8, Cell::hexahedron20,
                                  Cell::hexahedron27};

// Values of some nodes of a graph from its columns; uniforms 0.
inline std::vector<double> evaluate(const expr::Graph& g, const std::vector<expr::Id>& ids, const std::vector<double>& columns,
                                    const std::vector<double>& uniforms = std::vector<double>(32)) {
  const int n = static_cast<int>(columns.size());
  const std::array sources{expr::KernelSource{"values", &g, ids, false, n, n}};
  expr::CompileOptions options;
  options.compiler = "none";
  std::vector<double> out(ids.size());
  expr::Module::build(sources, options).single(0)(uniforms.data(), columns.data(), columns.data(), out.data());
  return out;
}

struct Evaluated {
  double energy = 0;
  Eigen::VectorXd gradient;                 // dV/dx [N]
  std::vector<Eigen::Matrix3d> F;           // at each point of each element
  std::vector<std::vector<double>> stress;  // dW/dF there
};

// A term of finite elements at the places x (and velocities v, of which the gradient then is).
inline Evaluated evaluate(const Term& term, const Eigen::VectorXd& x, const Eigen::VectorXd* v = nullptr) {
  const Interpolation& at = *term.interpolation;
  expr::Graph g = term.graph;
  std::vector<expr::Id> F;
  for (int k = 0; k < 9; ++k) F.push_back(g.column(v ? 9 + k : k));
  std::vector<expr::Id> wanted = expr::gradient(g, term.value, F);
  wanted.insert(wanted.begin(), term.value);
  Evaluated out;
  out.gradient.setZero(x.size());
  const auto E = static_cast<std::size_t>(term.elements), nodes = static_cast<std::size_t>(at.nodes);
  for (std::size_t e = 0; e < E; ++e)
    for (std::size_t p = 0; p < static_cast<std::size_t>(at.points); ++p) {
      Eigen::Matrix3d inverse;
      for (std::size_t k = 0; k < 9; ++k)
        inverse(static_cast<long>(k / 3), static_cast<long>(k % 3)) = at.inverse[(p * 9 + k) * E + e];
      Eigen::MatrixX3d slopes(at.nodes, 3);
      for (std::size_t k = 0; k < 3 * nodes; ++k)
        slopes(static_cast<long>(k / 3), static_cast<long>(k % 3)) = at.slopes[p * 3 * nodes + k];
      const Eigen::MatrixX3d d = slopes * inverse;  // dN_a/dX_K
      Eigen::Matrix3d gradient[2] = {Eigen::Matrix3d::Zero(), Eigen::Matrix3d::Zero()};
      for (std::size_t a = 0; a < nodes; ++a)
        for (std::size_t i = 0; i < 3; ++i) {
          const auto dof = term.dofs[(3 * a + i) * E + e];
          gradient[0].row(static_cast<long>(i)) += x[dof] * d.row(static_cast<long>(a));
          if (v) gradient[1].row(static_cast<long>(i)) += (*v)[dof] * d.row(static_cast<long>(a));
        }
      std::vector<double> columns;
      for (int k = 0; k < (v ? 18 : 9); ++k) columns.push_back(gradient[k / 9](k % 9 / 3, k % 3));
      const std::vector<double> values = evaluate(g, wanted, columns);
      const double w = at.weight[p * E + e];
      out.energy += w * values[0];
      for (std::size_t a = 0; a < nodes; ++a)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t K = 0; K < 3; ++K)
            out.gradient[term.dofs[(3 * a + i) * E + e]] +=
                w * values[1 + 3 * i + K] * d(static_cast<long>(a), static_cast<long>(K));
      out.F.push_back(gradient[0]);
      out.stress.emplace_back(values.begin() + 1, values.end());
    }
  return out;
}

inline SolidPart neo_hookean_part(const Mesh& mesh, double E = 1, double nu = 0.3, double density = 1) {
  SolidPart part{"rubber", mesh.groups.at(0).cells, {}, -1, density};
  part.energy = neo_hookean(part.graph, deformation(part.graph), lame_of(E, nu));
  return part;
}

inline const Cells& group(const Mesh& mesh, const std::string& name) {
  for (const CellGroup& g : mesh.groups)
    if (g.name == name) return g.cells;
  throw std::out_of_range(name);
}

// The places of the nodes as coordinates.
inline Eigen::VectorXd places(const Mesh& mesh) { return mesh.points.reshaped(); }
// x = A X + c
inline Eigen::VectorXd places(const Mesh& mesh, const Eigen::Matrix3d& A, const Eigen::Vector3d& c = Eigen::Vector3d::Zero()) {
  return ((A * mesh.points).colwise() + c).reshaped();
}

// Corners inside a unit block move by up to a tenth of its size; edges stay straight.
inline Mesh distorted(Mesh mesh, int n) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> by(-0.1 / n, 0.1 / n);
  const Cell kind = mesh.blocks[0].cell;
  const bool simplex = kind == Cell::tetrahedron4 || kind == Cell::tetrahedron10;
  const Cell linear = simplex ? Cell::tetrahedron4 : Cell::hexahedron8;
  std::vector<int> corner(static_cast<std::size_t>(mesh.points.cols()));
  for (const auto& cell : mesh.groups[0].cells)
    for (const auto a : nodes_of(mesh, cell).first(static_cast<std::size_t>(nodes_of(linear))))
      corner[static_cast<std::size_t>(a)] = 1;
  for (long a = 0; a < mesh.points.cols(); ++a)
    if (corner[static_cast<std::size_t>(a)] == 1 && (mesh.points.col(a).array() > 1e-9).all() &&
        (mesh.points.col(a).array() < 1 - 1e-9).all())
      for (long i = 0; i < 3; ++i) mesh.points(i, a) += by(random);
  const Eigen::Matrix3Xd xi = reference_nodes(kind);
  for (const auto& cell : mesh.groups[0].cells) {
    const auto nodes = nodes_of(mesh, cell);
    for (long a = nodes_of(linear); a < xi.cols(); ++a) {
      const Eigen::VectorXd N = shape_at(linear, xi.col(a)).N;
      Eigen::Vector3d X = Eigen::Vector3d::Zero();
      for (long b = 0; b < N.size(); ++b) X += N[b] * mesh.points.col(nodes[static_cast<std::size_t>(b)]);
      mesh.points.col(nodes[static_cast<std::size_t>(a)]) = X;
    }
  }
  return mesh;
}

}  // namespace actio::system::test
