#include <actio/invariant/momentum.hpp>
#include <actio/system/constraints_alone.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

namespace actio::invariant {
namespace {

// q moves onto g(t, q) = 0, by the shortest steps that reach its tangents; G there.
template <class System, class Jacobian>
void settle(System& system, double t, Eigen::VectorXd& q, Jacobian& G) {
  auto saddle = system.saddle();
  auto g = saddle.multipliers(), g_t = g, y = g;
  Eigen::VectorXd x(q.size()), zero = Eigen::VectorXd::Zero(q.size());
  auto K = system.space().matrix();
  system.stiffness(t, q, 1, 0, x, K);  // the unit matrix
  for (int k = 0; k < 20; ++k) {
    system.constraint_tangent(t, q, g, g_t, G);
    if (!saddle.factor(K, G, G)) return;
    g = -g;
    saddle.solve(zero, g, x, y);  // x = G' y, G x = -g
    if (!x.allFinite()) return;
    q += x;
    if (x.norm() <= 1e-12 * q.norm()) break;
  }
  system.constraint_tangent(t, q, g, g_t, G);
}

}  // namespace

double MomentumMap::leaves_constraints(std::size_t k, double t, const Eigen::VectorXd& q) {
  if (!constraints_) return 0;
  auto system = *constraints_;
  auto G = system.saddle().jacobian();
  Eigen::VectorXd here = q, xi;
  settle(system, t, here, G);
  field(k, t, here, xi);
  if (!here.allFinite() || !xi.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  double largest = 0;
  for (Eigen::Index row = 0; row < G.rows(); ++row) {
    double sum = 0, sizes = 0, slope = 0;
    for (algebra::SparseJacobian::InnerIterator it(G, row); it; ++it) {
      sum += it.value() * xi[it.col()];
      sizes += std::abs(it.value() * xi[it.col()]);
      slope = std::max(slope, std::abs(it.value()));
    }
    sizes = std::max(sizes, 1e-9 * slope * xi.cwiseAbs().maxCoeff());  // below that it is round-off
    if (sizes > 0) largest = std::max(largest, std::abs(sum) / sizes);
  }
  return largest;
}

}  // namespace actio::invariant
