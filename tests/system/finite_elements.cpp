#include "solids.hpp"

#include <cmath>

#include <actio/core/error.hpp>
#include <common.hpp>

namespace actio::system::test {
namespace {

using actio::test::eps;
constexpr std::array faces{Cell::triangle3, Cell::triangle6, Cell::quadrilateral4, Cell::quadrilateral8, Cell::quadrilateral9};

std::vector<Cell> all_cells() {
  std::vector<Cell> out(kinds.begin(), kinds.end());
  out.insert(out.end(), faces.begin(), faces.end());
  return out;
}
bool is_simplex(Cell c) {
  return c == Cell::tetrahedron4 || c == Cell::tetrahedron10 || c == Cell::triangle3 || c == Cell::triangle6;
}
bool is_linear(Cell c) {
  return c == Cell::tetrahedron4 || c == Cell::hexahedron8 || c == Cell::triangle3 || c == Cell::quadrilateral4;
}

TEST(ShapeFunctions, are_one_at_their_node_and_zero_at_the_others) {
  for (const Cell cell : all_cells()) {
    const Eigen::Matrix3Xd xi = reference_nodes(cell);
    ASSERT_EQ(xi.cols(), nodes_of(cell));
    for (long b = 0; b < xi.cols(); ++b)
      EXPECT_LE((shape_at(cell, xi.col(b)).N - Eigen::VectorXd::Unit(xi.cols(), b)).cwiseAbs().maxCoeff(), 8 * eps)
          << name_of(cell) << ' ' << b;
  }
}

// Fields of the cell's polynomials are interpolated exactly, and so are their slopes.
TEST(ShapeFunctions, carry_linear_and_quadratic_fields) {
  const Eigen::Vector3d at(0.21, 0.17, 0.33);
  for (const Cell cell : all_cells()) {
    const int d = dimension_of(cell);
    Eigen::Vector3d x = at;
    if (d == 2) x[2] = 0;
    const Eigen::Matrix3Xd nodes = reference_nodes(cell);
    const Shape shape = shape_at(cell, x);
    const double square = is_linear(cell) ? 0 : 1;
    const auto field = [&](const Eigen::Vector3d& y) {
      return 2 + 3 * y[0] - y[1] + 0.5 * y[2] + square * (y[0] * y[0] - 2 * y[0] * y[1]);
    };
    double value = 0;
    Eigen::Vector3d slope = Eigen::Vector3d::Zero();
    for (long a = 0; a < nodes.cols(); ++a) {
      value += shape.N[a] * field(nodes.col(a));
      slope += shape.d.row(a).transpose() * field(nodes.col(a));
    }
    Eigen::Vector3d expected(3 + square * (2 * x[0] - 2 * x[1]), -1 - square * 2 * x[0], 0.5);
    if (d == 2) expected[2] = 0;
    EXPECT_NEAR(value, field(x), 100 * eps) << name_of(cell);
    EXPECT_LE((slope - expected).norm(), 200 * eps) << name_of(cell);
    EXPECT_NEAR(shape.d.colwise().sum().norm(), 0, 50 * eps) << name_of(cell);  // a shift has no slope
  }
}

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

// The integral of xi1^i xi2^j xi3^k over the reference cell.
double exact(Cell cell, int i, int j, int k) {
  const int d = dimension_of(cell);
  if (is_simplex(cell)) return factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + d);
  double out = 1;
  const std::array powers{i, j, k};
  for (std::size_t m = 0; m < static_cast<std::size_t>(d); ++m) out *= powers[m] % 2 == 1 ? 0 : 2.0 / (powers[m] + 1);
  return out;
}

// To the degree of the slopes' square (stiffness), and of the square of the shape functions (product).
TEST(Quadrature, is_exact_to_its_degree) {
  for (const Cell cell : all_cells())
    for (const Rule rule : {Rule::stiffness, Rule::product}) {
      const bool volume = dimension_of(cell) == 3;
      const int p = is_linear(cell) ? 1 : 2;
      const int degree = is_simplex(cell) ? (rule == Rule::product || !volume ? 2 * p : 2 * (p - 1)) : 2 * p;
      const auto points = quadrature(cell, rule);
      for (const QuadraturePoint& q : points) EXPECT_GT(q.weight, 0);
      for (int i = 0; i <= degree; ++i)
        for (int j = 0; j <= degree; ++j)
          for (int k = 0; k <= (volume ? degree : 0); ++k) {
            if (is_simplex(cell) && i + j + k > degree) continue;
            double sum = 0;
            for (const QuadraturePoint& q : points)
              sum += q.weight * std::pow(q.xi[0], i) * std::pow(q.xi[1], j) * std::pow(q.xi[2], k);
            EXPECT_NEAR(sum, exact(cell, i, j, k), 50 * eps) << name_of(cell) << ' ' << i << j << k;
          }
    }
}

// In a distorted mesh a linear field has its F at every point, its energy density times the volume, and no forces inside.
TEST(PatchTest, a_linear_field_is_exact_in_every_element) {
  Eigen::Matrix3d A;
  A << 1.1, 0.2, -0.1, 0.05, 0.9, 0.15, 0.1, -0.2, 1.2;
  for (const Cell kind : kinds) {
    const auto mesh = std::make_shared<Mesh>(distorted(models::mesh_of({kind, {2, 2, 2}, {1, 1, 1}}), 2));
    Model model;
    add_solid(model, "x", mesh, std::array{neo_hookean_part(*mesh)}, MassOfSolid::lumped);
    const Evaluated result = evaluate(model.terms.at(0), places(*mesh, A, {1, 2, 3}));
    for (const Eigen::Matrix3d& F : result.F) EXPECT_LE((F - A).norm(), 1000 * eps) << name_of(kind);
    std::vector<double> columns;
    for (int k = 0; k < 9; ++k) columns.push_back(A(k / 3, k % 3));
    const Term& term = model.terms[0];
    EXPECT_NEAR(result.energy, evaluate(term.graph, {term.value}, columns)[0], 1000 * eps) << name_of(kind);
    long inside = 0;
    for (long a = 0; a < mesh->points.cols(); ++a) {
      if ((mesh->points.col(a).array() < 1e-9).any() || (mesh->points.col(a).array() > 1 - 1e-9).any()) continue;
      EXPECT_LE(result.gradient.segment<3>(3 * a).norm(), 1000 * eps) << name_of(kind);
      ++inside;
    }
    EXPECT_GE(inside, 1);
    EXPECT_GT(result.gradient.norm(), 0.01);
  }
}

// 2 x 1 x 0.5 m, 3 kg/m^3: mass 3 kg, inertia about an edge m (b^2 + c^2)/3; consistent masses of elements that carry quadratic
// products have it exactly, and lumped ones the mass.
TEST(Mass, of_a_brick_has_its_inertia) {
  const std::array<double, 3> size{2, 1, 0.5};
  for (const Cell kind : kinds) {
    const Mesh mesh = models::mesh_of({kind, {3, 2, 2}, size});
    const Cells& cells = mesh.groups[0].cells;
    double volume = 0;
    for (const double w : interpolation(mesh, cells, "brick").weight) volume += w;
    EXPECT_NEAR(volume, 1, 100 * eps);
    const Eigen::SparseMatrix<double> M = consistent_mass(mesh, cells, 3);
    const Eigen::VectorXd lumped = lumped_mass(mesh, cells, 3), one = Eigen::VectorXd::Ones(mesh.points.cols());
    EXPECT_NEAR(one.dot(M * one), 3, 300 * eps) << name_of(kind);
    EXPECT_NEAR(lumped.sum(), 3, 300 * eps) << name_of(kind);
    EXPECT_GT(lumped.minCoeff(), 0) << name_of(kind);
    for (long i = 0; i < 3; ++i) {  // integral of X_i^2
      const Eigen::VectorXd X = mesh.points.row(i);
      EXPECT_NEAR(X.dot(M * X), 3 * size[static_cast<std::size_t>(i)] * size[static_cast<std::size_t>(i)] / 3, 1000 * eps)
          << name_of(kind);
    }
    const Eigen::SparseMatrix<double> M3 = for_each_coordinate(M);
    const Eigen::VectorXd spin = places(mesh, Eigen::Matrix3d{{0, 0, 0}, {0, 0, -1}, {0, 1, 0}});  // about x
    EXPECT_NEAR(spin.dot(M3 * spin), 3 * (1 + 0.25) / 3, 1000 * eps) << name_of(kind);
  }
}

TEST(Interpolation, names_an_inverted_element) {
  for (const Cell kind : kinds) {
    Mesh mesh = models::mesh_of({kind, {2, 1, 1}, {1, 1, 1}});
    mesh.points.row(2) *= -1;
    try {
      (void)interpolation(mesh, mesh.groups[0].cells, "group steel");
      ADD_FAILURE() << name_of(kind);
    } catch (const core::InputError& error) {
      const std::string start = "error: element 0 of group steel, a " + std::string(name_of(kind)) + ", near (";
      EXPECT_EQ(std::string(error.what()).substr(0, start.size()), start);
      EXPECT_NE(std::string(error.what()).find("is inverted: det dX/dxi is -"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace actio::system::test
