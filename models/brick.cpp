#include "brick.hpp"

#include <Eigen/Core>
#include <cmath>
#include <stdexcept>

namespace models {
namespace {

using Eigen::MatrixXd;

// Corners of an element in units of half its size; x first, then y, then z.
int corner(int a, int axis) { return ((a >> axis) & 1) ? 1 : -1; }

// K = int B'CB, M = rho int N'N over a box of edges h, unknowns 3 a + k.
struct Element {
  Element(const Brick& brick, const std::array<double, 3>& h) : K(MatrixXd::Zero(24, 24)), M(MatrixXd::Zero(24, 24)) {
    const double lambda = brick.E * brick.nu / ((1 + brick.nu) * (1 - 2 * brick.nu)), mu = brick.E / (2 * (1 + brick.nu));
    Eigen::Matrix<double, 6, 6> C = Eigen::Matrix<double, 6, 6>::Zero();  // of (xx, yy, zz, xy, yz, zx), engineering shear
    C.topLeftCorner<3, 3>().setConstant(lambda);
    C.topLeftCorner<3, 3>().diagonal().array() += 2 * mu;
    C.bottomRightCorner<3, 3>().diagonal().setConstant(mu);
    const double weight = h[0] * h[1] * h[2] / 8;
    for (int point = 0; point < 8; ++point) {
      const double s[3] = {corner(point, 0) / std::sqrt(3), corner(point, 1) / std::sqrt(3), corner(point, 2) / std::sqrt(3)};
      Eigen::Matrix<double, 6, 24> B = Eigen::Matrix<double, 6, 24>::Zero();
      Eigen::Matrix<double, 3, 24> N = Eigen::Matrix<double, 3, 24>::Zero();
      for (int a = 0; a < 8; ++a) {
        double f[3], d[3];
        for (int k = 0; k < 3; ++k) f[k] = (1 + corner(a, k) * s[k]) / 2;
        for (int k = 0; k < 3; ++k) d[k] = corner(a, k) / h[k] * f[(k + 1) % 3] * f[(k + 2) % 3];  // dN_a/dx_k
        for (int k = 0; k < 3; ++k) {
          N(k, 3 * a + k) = f[0] * f[1] * f[2];
          B(k, 3 * a + k) = d[k];
          B(3 + k, 3 * a + k) = d[(k + 1) % 3];
          B(3 + k, 3 * a + (k + 1) % 3) = d[k];
        }
      }
      K += weight * B.transpose() * C * B;
      M += weight * brick.rho * N.transpose() * N;
    }
    K = MatrixXd(0.5 * (K + K.transpose()));
  }
  MatrixXd K, M;
};

void check(const Brick& b) {
  double entries = 3 * 81;
  for (int k = 0; k < 3; ++k) {
    if (b.elements[k] < 1) throw std::invalid_argument("a brick has at least one element along each edge");
    if (!(b.size[k] > 0)) throw std::invalid_argument("the edges of a brick are positive");
    entries *= b.elements[k] + 1;
  }
  if (entries > 2e9) throw std::invalid_argument("the matrix of this brick has more than 2e9 entries");
  if (!(b.E > 0) || !(b.rho > 0) || !(b.nu > -1 && b.nu < 0.5))
    throw std::invalid_argument("a brick needs E > 0, rho > 0 and -1 < nu < 1/2");
}

}  // namespace

Structure make(const Brick& brick) {
  check(brick);
  const auto [nx, ny, nz] = brick.elements;
  const std::array<double, 3> h = {brick.size[0] / nx, brick.size[1] / ny, brick.size[2] / nz};
  Structure s;
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) s.nodes.push_back({i * h[0], j * h[1], k * h[2]});
  const int row = nx + 1;
  const long n = number_coordinates(s, brick.supports, [&](long node) { return brick.clamped && node % row == 0; });

  std::vector<std::int32_t> dofs;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        for (int a = 0; a < 8; ++a) {
          const int node = i + (a & 1) + row * (j + (a >> 1 & 1) + (ny + 1) * (k + (a >> 2)));
          for (int l = 0; l < 3; ++l) dofs.push_back(s.coordinate[3 * node + l]);
        }
  const Element element(brick, h);
  const Assembly assembly(n, 24, std::move(dofs));
  s.stiffness = assembly.sum([&](long) -> const MatrixXd& { return element.K; });
  s.mass = assembly.sum([&](long) -> const MatrixXd& { return element.M; });
  return s;
}

}  // namespace models
