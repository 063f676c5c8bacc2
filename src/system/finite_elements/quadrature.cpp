#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <actio/system/finite_elements.hpp>

namespace actio::system {
namespace {

using Points = std::vector<QuadraturePoint>;

struct Gauss {
  double x, weight;
};
// Gauss-Legendre on -1 <= x <= 1, exact up to degree 2 n - 1.
std::vector<Gauss> gauss(int n) {
  if (n == 2) return {{-std::sqrt(1 / 3.0), 1}, {std::sqrt(1 / 3.0), 1}};
  if (n == 3) return {{-std::sqrt(0.6), 5 / 9.0}, {0, 8 / 9.0}, {std::sqrt(0.6), 5 / 9.0}};
  assert(n == 4);
  const double inner = std::sqrt(3 / 7.0 - 2 / 7.0 * std::sqrt(1.2)), outer = std::sqrt(3 / 7.0 + 2 / 7.0 * std::sqrt(1.2));
  const double a = (18 + std::sqrt(30.0)) / 36, b = (18 - std::sqrt(30.0)) / 36;
  return {{-outer, b}, {-inner, a}, {inner, a}, {outer, b}};
}

Points cube(int dimension, int n) {
  const std::vector<Gauss> line = gauss(n);
  Points out{{Eigen::Vector3d::Zero(), 1}};
  for (int k = 0; k < dimension; ++k) {
    Points finer;
    for (const Gauss& g : line)
      for (QuadraturePoint p : out) {
        p.xi[k] = g.x;
        p.weight *= g.weight;
        finer.push_back(p);
      }
    out = std::move(finer);
  }
  return out;
}

// The points whose barycentric coordinates are the different orders of `b`, each of this weight.
void orbit(std::array<double, 4> b, int corners, double weight, Points& out) {
  std::sort(b.begin(), b.begin() + corners);
  do {
    out.push_back({{b[1], b[2], corners == 4 ? b[3] : 0}, weight});
  } while (std::next_permutation(b.begin(), b.begin() + corners));
}

// Strang and Fix (1973), degree 2; Dunavant, Int. J. Numer. Methods Eng. 21 (1985) 1129, degree 4.
Points triangle(bool quadratic) {
  Points out;
  if (!quadratic) {
    orbit({1 / 6.0, 1 / 6.0, 2 / 3.0, 0}, 3, 1 / 6.0, out);
    return out;
  }
  const double s = std::sqrt(10.0), r = std::sqrt(38 - 44 * std::sqrt(0.4));
  const double a = (8 - s + r) / 18, b = (8 - s - r) / 18, w = std::sqrt(213125 - 53320 * s);
  orbit({a, a, 1 - 2 * a, 0}, 3, (620 + w) / 7440, out);
  orbit({b, b, 1 - 2 * b, 0}, 3, (620 - w) / 7440, out);
  return out;
}

// Degree 1, degree 2, and degree 5: Walkington, Quadrature on simplices of arbitrary dimension (2000).
Points tetrahedron(int degree) {
  Points out;
  if (degree == 1) {
    out.push_back({Eigen::Vector3d::Constant(0.25), 1 / 6.0});
  } else if (degree == 2) {
    const double a = (5 - std::sqrt(5.0)) / 20;
    orbit({a, a, a, 1 - 3 * a}, 4, 1 / 24.0, out);
  } else {
    const double a = 0.31088591926330060980, b = 0.092735250310891226402, c = 0.045503704125649649492;
    orbit({a, a, a, 1 - 3 * a}, 4, 0.018781320953002641800, out);
    orbit({b, b, b, 1 - 3 * b}, 4, 0.012248840519393658257, out);
    orbit({c, c, 0.5 - c, 0.5 - c}, 4, 0.0070910034628469110730, out);
  }
  return out;
}

}  // namespace

std::vector<QuadraturePoint> quadrature(Cell cell, Rule rule) {
  const bool product = rule == Rule::product;
  switch (cell) {
    case Cell::triangle3:
      return triangle(false);
    case Cell::triangle6:
      return triangle(true);
    case Cell::quadrilateral4:
      return cube(2, 2);
    case Cell::quadrilateral8:
    case Cell::quadrilateral9:
      return cube(2, 3);
    case Cell::tetrahedron4:
      return tetrahedron(product ? 2 : 1);
    case Cell::tetrahedron10:
      return tetrahedron(product ? 5 : 2);
    case Cell::hexahedron8:
      return cube(3, product ? 3 : 2);
    case Cell::hexahedron20:
    case Cell::hexahedron27:
      return cube(3, product ? 4 : 3);
    default:
      assert(false);  // nothing is integrated over points and lines
      return {};
  }
}

}  // namespace actio::system
