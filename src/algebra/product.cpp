#include <actio/algebra/sparse.hpp>
#include <cassert>

namespace actio::algebra {

// Four sums a row: one would wait for each addition to end before the next.
void add_symmetric_product(double s, const SparseMatrix& K, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  assert(K.isCompressed());
  const int* const starts = K.outerIndexPtr();
  const int* const indices = K.innerIndexPtr();
  const double* const values = K.valuePtr();
  const double* const from = x.data();
  double* const to = y.data();
  for (Eigen::Index i = 0; i < K.cols(); ++i) {
    double sum[4] = {};
    int k = starts[i];
    const int end = starts[i + 1];
    for (; k + 4 <= end; k += 4)
      for (int l = 0; l < 4; ++l) sum[l] += values[k + l] * from[indices[k + l]];
    for (; k < end; ++k) sum[0] += values[k] * from[indices[k]];
    to[i] += s * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
  }
}

}  // namespace actio::algebra
