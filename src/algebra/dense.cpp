#include <actio/algebra/dense.hpp>

#include <actio/algebra/dense_kkt.hpp>

#include "lapack.hpp"

namespace actio::algebra {

template class PivotedSolver<Eigen::Dynamic>;
template class FullKktSolver<Eigen::Dynamic, Eigen::Dynamic>;

bool invert_positive_definite(const Eigen::MatrixXd& M, Eigen::MatrixXd& inverse) {
  const int n = static_cast<int>(M.rows());  // at least 1
  int info = 0;
  inverse = M;
  dpotrf_("L", &n, inverse.data(), &n, &info, 1);
  if (info == 0) dpotri_("L", &n, inverse.data(), &n, &info, 1);
  if (info != 0 || !inverse.allFinite()) return false;
  inverse.triangularView<Eigen::StrictlyUpper>() = inverse.transpose();
  return true;
}

}  // namespace actio::algebra
