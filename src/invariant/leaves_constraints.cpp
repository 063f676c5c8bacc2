#include <actio/discrete/projection.hpp>
#include <actio/invariant/momentum.hpp>
#include <actio/system/constraints_alone.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

namespace actio::invariant {

double MomentumMap::leaves_constraints(std::size_t k, double t, const Eigen::VectorXd& q) {
  if (!constraints_) return 0;
  auto system = *constraints_;
  auto G = system.kkt_solver().jacobian();
  auto g = system.kkt_solver().multipliers(), g_t = g;
  Eigen::VectorXd here = q, still = Eigen::VectorXd::Zero(q.size()), xi;
  if (!discrete::project(system, t, here, still).found) here = q;
  system.constraint_tangent(t, here, g, g_t, G);
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
