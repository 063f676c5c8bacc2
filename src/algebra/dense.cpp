#include <actio/algebra/dense.hpp>

#include <Eigen/Cholesky>

#include <actio/algebra/dense_kkt.hpp>

namespace actio::algebra {

template class PivotedSolver<Eigen::Dynamic>;
template class FullKktSolver<Eigen::Dynamic, Eigen::Dynamic>;

bool invert_positive_definite(const Eigen::MatrixXd& M, Eigen::MatrixXd& inverse) {
  const Eigen::LLT<Eigen::MatrixXd> cholesky(M);
  if (cholesky.info() != Eigen::Success) return false;
  const Eigen::MatrixXd half = 0.5 * cholesky.solve(Eigen::MatrixXd::Identity(M.rows(), M.cols()));
  inverse = half + half.transpose();
  return true;
}

}  // namespace actio::algebra
