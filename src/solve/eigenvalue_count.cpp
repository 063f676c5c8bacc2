#include "eigenvalue_count.hpp"

#include <fmt/format.h>

#include <memory>

#include "../algebra/ldl.hpp"

namespace actio::solve {

EigenvalueCount count_eigenvalues(const algebra::SparseMatrix& K, const algebra::SparseMatrix& M, double s, double most) {
  const algebra::MinimumDegree order(K);
  if (order.flops > most || order.nonzeros > 1e9)
    return {-1, fmt::format("the factorisation that counts the modes would take {:.2g} operations, more than {:.2g}", order.flops,
                            most)};
  algebra::SparseMatrix shifted = K;
  shifted.coeffs() -= s * M.coeffs();
  algebra::Ldl ldl(std::make_shared<algebra::LdlAnalysis>(shifted, order));
  if (!ldl.factor(shifted)) return {-1, "the factorisation that counts the modes met an unsound pivot"};
  Eigen::VectorXd pivots;
  ldl.pivots(pivots);
  return {(pivots.array() < 0).count(), ""};
}

}  // namespace actio::solve
