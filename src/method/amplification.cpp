#include <actio/method/amplification.hpp>

#include <cmath>

namespace actio::method {

Eigen::MatrixXd matrix_of_columns(long rows, core::FunctionRef<bool(long k, double* column)> f) {
  Eigen::MatrixXd A(rows, rows);
  for (long k = 0; k < rows; ++k)
    if (!f(k, A.col(k).data())) return Eigen::MatrixXd::Constant(rows, rows, std::nan(""));
  return A;
}

}  // namespace actio::method
