#pragma once
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <actio/system/model.hpp>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <vector>

// Blocks of finite elements without a problem file: shape functions from monomials by Vandermonde's matrix, nodes in no special
// order but that of the monomials' cell.
namespace actio::solid {

using Eigen::MatrixXd;
using Eigen::Vector3d;

enum class Kind { tetrahedron4, tetrahedron10, hexahedron8, hexahedron20, hexahedron27 };
constexpr std::array every_kind = {Kind::tetrahedron4, Kind::tetrahedron10, Kind::hexahedron8, Kind::hexahedron20,
                                   Kind::hexahedron27};
inline bool is_tetrahedron(Kind kind) { return kind <= Kind::tetrahedron10; }

// Of the cell 0 <= xi_i <= 1, or xi_1 + xi_2 + xi_3 <= 1.
struct Element {
  std::vector<Vector3d> nodes;
  std::vector<std::array<int, 3>> powers;  // the monomials xi^powers
  MatrixXd coefficients;                   // N_a = sum_m coefficients(m, a) xi^powers_m
  std::vector<Vector3d> points;
  std::vector<double> weights;

  // (nodes x 3)
  MatrixXd slopes(const Vector3d& xi) const {
    MatrixXd d(powers.size(), 3);
    for (std::size_t m = 0; m < powers.size(); ++m)
      for (int i = 0; i < 3; ++i) {
        d(static_cast<long>(m), i) = powers[m][i];
        for (int j = 0; j < 3; ++j) d(static_cast<long>(m), i) *= std::pow(xi[j], std::max(powers[m][j] - (i == j), 0));
      }
    return coefficients.transpose() * d;
  }
};

inline Element element(Kind kind) {
  Element out;
  const bool tetrahedron = is_tetrahedron(kind);
  const int degree = kind == Kind::tetrahedron4 || kind == Kind::hexahedron8 ? 1 : 2;
  for (int i = 0; i <= degree; ++i)
    for (int j = 0; j <= degree; ++j)
      for (int k = 0; k <= degree; ++k) {
        const int squares = (i == 2) + (j == 2) + (k == 2), middles = (i == 1) + (j == 1) + (k == 1);
        if (tetrahedron ? i + j + k > degree : false) continue;
        if (kind != Kind::hexahedron20 || squares <= 1) out.powers.push_back({i, j, k});
        if (kind != Kind::hexahedron20 || middles <= 1) out.nodes.push_back(Vector3d(i, j, k) / degree);
      }
  const long n = static_cast<long>(out.nodes.size());
  MatrixXd at(n, n);
  for (long a = 0; a < n; ++a)
    for (long m = 0; m < n; ++m) {
      at(a, m) = 1;
      for (int i = 0; i < 3; ++i) at(a, m) *= std::pow(out.nodes[a][i], out.powers[m][i]);
    }
  out.coefficients = at.inverse();
  const double r = std::sqrt(0.15), s = std::sqrt(1 / 12.);
  const std::vector<std::array<double, 2>> gauss =
      degree == 1 ? std::vector<std::array<double, 2>>{{0.5 - s, 0.5}, {0.5 + s, 0.5}}
                  : std::vector<std::array<double, 2>>{{0.5 - r, 5 / 18.}, {0.5, 8 / 18.}, {0.5 + r, 5 / 18.}};
  if (kind == Kind::tetrahedron4) {
    out.points = {Vector3d::Constant(0.25)};
    out.weights = {1 / 6.};
  } else if (kind == Kind::tetrahedron10) {
    const double a = (5 - std::sqrt(5.)) / 20, b = (5 + 3 * std::sqrt(5.)) / 20;
    out.points = {{a, a, a}, {b, a, a}, {a, b, a}, {a, a, b}};
    out.weights.assign(4, 1 / 24.);
  } else {
    for (const auto& [x, u] : gauss)
      for (const auto& [y, v] : gauss)
        for (const auto& [z, w] : gauss) {
          out.points.push_back({x, y, z});
          out.weights.push_back(u * v * w);
        }
  }
  return out;
}

struct Mesh {
  std::vector<Vector3d> X;                 // places at rest [m]
  std::vector<std::vector<int>> elements;  // their nodes
};

// A brick of cells, each a hexahedron or six tetrahedra; `curve` takes the nodes of [0, cells] to their places.
inline Mesh brick(Kind kind, std::array<int, 3> cells, const std::function<Vector3d(const Vector3d&)>& curve) {
  Mesh mesh;
  std::map<std::array<long, 3>, int> known;
  const auto node = [&](const Vector3d& x) {
    std::array<long, 3> key;
    for (int i = 0; i < 3; ++i) key[i] = std::lround(4 * x[i]);
    const auto [at, is_new] = known.try_emplace(key, static_cast<int>(mesh.X.size()));
    if (is_new) mesh.X.push_back(curve(x));
    return at->second;
  };
  const std::vector<Vector3d> nodes = element(kind).nodes;
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k) {
        const Vector3d corner(i, j, k);
        std::array<int, 3> axes = {0, 1, 2};
        do {  // from (0, 0, 0) to (1, 1, 1) along the axes in one of six orders
          std::vector<int>& e = mesh.elements.emplace_back();
          const Vector3d a = Vector3d::Unit(axes[0]), b = a + Vector3d::Unit(axes[1]), c = Vector3d::Ones();
          const bool even = (axes[1] - axes[0] + 3) % 3 == 1;
          for (const Vector3d& xi : nodes) {
            if (is_tetrahedron(kind))
              e.push_back(node(corner + xi[0] * a + (even ? xi[1] : xi[2]) * b + (even ? xi[2] : xi[1]) * c));
            else
              e.push_back(node(corner + xi));
          }
        } while (is_tetrahedron(kind) && std::next_permutation(axes.begin(), axes.end()));
      }
  return mesh;
}

inline std::shared_ptr<const system::Interpolation> interpolation(const Element& of, const Mesh& mesh) {
  auto out = std::make_shared<system::Interpolation>();
  const std::size_t elements = mesh.elements.size(), points = of.points.size(), n = of.nodes.size();
  out->nodes = static_cast<long>(n);
  out->points = static_cast<long>(points);
  out->slopes.resize(points * n * 3);
  out->inverse.resize(points * 9 * elements);
  out->weight.resize(points * elements);
  for (std::size_t p = 0; p < points; ++p) {
    const MatrixXd slopes = of.slopes(of.points[p]);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t M = 0; M < 3; ++M) out->slopes[(p * n + a) * 3 + M] = slopes(static_cast<long>(a), static_cast<long>(M));
    for (std::size_t e = 0; e < elements; ++e) {
      Eigen::Matrix3d dX = Eigen::Matrix3d::Zero();  // dX_K/dxi_M
      for (std::size_t a = 0; a < n; ++a)
        dX += mesh.X[static_cast<std::size_t>(mesh.elements[e][a])] * slopes.row(static_cast<long>(a));
      const Eigen::Matrix3d inverse = dX.inverse();
      for (std::size_t M = 0; M < 3; ++M)
        for (std::size_t K = 0; K < 3; ++K)
          out->inverse[(p * 9 + 3 * M + K) * elements + e] = inverse(static_cast<long>(M), static_cast<long>(K));
      out->weight[p * elements + e] = of.weights[p] * dX.determinant();
    }
  }
  return out;
}

// An energy of F: its graph's columns are the nine of F, then those of dF/dt where `velocities`.
using Energy = std::function<expr::Id(expr::Graph&, const std::vector<expr::Id>& columns)>;

inline expr::Id determinant(expr::Graph& g, const std::vector<expr::Id>& F) {
  const auto minor = [&](int a, int b, int c, int d) { return g.sub(g.mul(F[a], F[b]), g.mul(F[c], F[d])); };
  return g.add(g.sub(g.mul(F[0], minor(4, 8, 5, 7)), g.mul(F[1], minor(3, 8, 5, 6))), g.mul(F[2], minor(3, 7, 4, 6)));
}

// mu/2 (tr F'F - 3) - mu log J + lambda/2 (log J)^2 [J/m^3]
inline Energy neo_hookean(double mu, double lambda) {
  return [=](expr::Graph& g, const std::vector<expr::Id>& F) {
    expr::Id trace = g.constant(-3);
    for (int k = 0; k < 9; ++k) trace = g.add(trace, g.mul(F[k], F[k]));
    const expr::Id log = g.unary(expr::Op::log, determinant(g, F));
    return g.add(g.sub(g.mul(g.constant(0.5 * mu), trace), g.mul(g.constant(mu), log)),
                 g.mul(g.constant(0.5 * lambda), g.mul(log, log)));
  };
}

inline system::Term term(const Element& of, const Mesh& mesh, const Energy& energy, bool velocities = false) {
  system::Term out;
  out.name = "solid";
  out.velocities = velocities;
  out.locals = 9;
  out.elements = static_cast<long>(mesh.elements.size());
  std::vector<expr::Id> columns;
  for (int k = 0; k < (velocities ? 18 : 9); ++k) columns.push_back(out.graph.column(k));
  out.value = energy(out.graph, columns);
  for (std::size_t a = 0; a < of.nodes.size(); ++a)
    for (int i = 0; i < 3; ++i)
      for (const auto& e : mesh.elements) out.dofs.push_back(3 * e[a] + i);
  out.interpolation = interpolation(of, mesh);
  return out;
}

// Rates of change of the places under a shift along axis i, or a turn about it.
inline system::Symmetry symmetry(std::size_t nodes, int axis, bool turn) {
  system::Symmetry out{turn ? "turn" : "shift", {}};
  for (int k = 0; k < (turn ? 2 : 1); ++k) {
    system::GeneratorBlock& block = out.blocks.emplace_back();
    const int row = turn ? (axis + 1 + k) % 3 : axis, column = (axis + 2 - k) % 3;
    expr::Graph& g = block.graph;
    block.value = !turn ? g.constant(1) : k == 0 ? g.neg(g.column(0)) : g.column(0);
    block.locals = turn ? 1 : 0;
    block.elements = static_cast<long>(nodes);
    for (int a = 0; a < static_cast<int>(nodes); ++a) {
      block.rows.push_back(3 * a + row);
      if (turn) block.dofs.push_back(3 * a + column);
    }
  }
  return out;
}

// A free body: equal masses at the nodes, momentum and angular momentum declared.
inline system::Model model(Kind kind, const Mesh& mesh, const Energy& energy, double mass) {
  system::Model out;
  const long n = 3 * static_cast<long>(mesh.X.size());
  out.families = {{"x", n, 0, true}};
  out.mass.kind = system::MassMatrix::Kind::diagonal;
  out.mass.diagonal = Eigen::VectorXd::Constant(n, mass / static_cast<double>(mesh.X.size()));
  out.terms.push_back(term(element(kind), mesh, energy));
  for (const bool turn : {false, true})
    for (int axis = 0; axis < 3; ++axis) out.symmetries.push_back(symmetry(mesh.X.size(), axis, turn));
  return out;
}

inline Eigen::VectorXd rest(const Mesh& mesh) {
  Eigen::VectorXd q(3 * static_cast<long>(mesh.X.size()));
  for (std::size_t a = 0; a < mesh.X.size(); ++a) q.segment<3>(3 * static_cast<long>(a)) = mesh.X[a];
  return q;
}

}  // namespace actio::solid
