#include <actio/algebra/sparse.hpp>
#include <actio/core/parallel.hpp>
#include <algorithm>
#include <cassert>

namespace actio::algebra {

using core::worth_a_thread;

// Four sums a row: one would wait for each addition to end before the next.
void add_symmetric_product(double s, const SparseMatrix& K, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  assert(K.isCompressed());
  const int* const starts = K.outerIndexPtr();
  const int* const indices = K.innerIndexPtr();
  const double* const values = K.valuePtr();
  const double* const from = x.data();
  double* const to = y.data();
  const auto rows = [=](long begin, long end) {
    for (long i = begin; i < end; ++i) {
      double sum[4] = {};
      int k = starts[i];
      const int last = starts[i + 1];
      for (; k + 4 <= last; k += 4)
        for (int l = 0; l < 4; ++l) sum[l] += values[k + l] * from[indices[k + l]];
      for (; k < last; ++k) sum[0] += values[k] * from[indices[k]];
      to[i] += s * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
  };
  const long n = K.cols(), entries = K.nonZeros();
  if (entries < 2 * worth_a_thread) return rows(0, n);
  core::parallel_ranges(n, 1 + worth_a_thread * n / entries, rows);
}

void clear_entries(SparseMatrix& K) {
  double* const values = K.valuePtr();
  core::parallel_ranges(K.nonZeros(), worth_a_thread,
                        [=](long begin, long end) { std::fill(values + begin, values + end, 0.0); });
}

void add_entries(double s, const SparseMatrix& H, SparseMatrix& K) {
  assert(H.nonZeros() == K.nonZeros());
  const double* const from = H.valuePtr();
  double* const to = K.valuePtr();
  core::parallel_ranges(K.nonZeros(), worth_a_thread, [=](long begin, long end) {
    for (long k = begin; k < end; ++k) to[k] += s * from[k];
  });
}

}  // namespace actio::algebra
