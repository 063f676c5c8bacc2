#include <actio/algebra/small_kkt.hpp>

#include <Eigen/LU>
#include <Eigen/QR>

namespace actio::algebra {

bool solve_small_system(int size, double* A, double* b, bool redundant) {
  using Whole = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 8, 8>;
  using Right = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 8, 1>;
  constexpr double singular = 1e-13;  // a pivot beside the largest
  const Eigen::Map<const Whole> matrix(A, size, size);
  Eigen::Map<Right> right(b, size);
  if (!matrix.allFinite()) return false;
  if (redundant) {
    Eigen::CompleteOrthogonalDecomposition<Whole> decomposition(size, size);
    decomposition.setThreshold(singular);
    decomposition.compute(matrix);
    const Right x = decomposition.solve(right);
    right = x;
    return true;
  }
  Eigen::FullPivLU<Whole> lu(size, size);
  lu.setThreshold(singular);
  if (!lu.compute(matrix).isInvertible()) return false;
  const Right x = lu.solve(right);
  right = x;
  return true;
}

}  // namespace actio::algebra
