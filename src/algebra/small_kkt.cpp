#include <actio/algebra/small_kkt.hpp>
#include <algorithm>
#include <cmath>

#include "lapack.hpp"
#include "minimum_norm_kernel.hpp"

namespace actio::algebra {

bool solve_small_system(int size, double* A, double* b, bool redundant) {
  constexpr int most = 8;
  if (!std::all_of(A, A + size * size, [](double a) { return std::isfinite(a); })) return false;
  int rows[most], columns[most], info = 0;
  double tau[most], tau_z[most], x[most], work[minimum_norm_workspace(most)];
  if (redundant) {
    const int rank = minimum_norm_factor(size, A, columns, tau, tau_z, work);
    minimum_norm_solve(size, rank, A, columns, tau, tau_z, b, x, work);
    return true;
  }
  dgetc2_(&size, A, &size, rows, columns, &info);  // info: the first pivot below eps of the largest entry, replaced by that
  if (info != 0) return false;
  double least = std::abs(A[0]), largest = least;
  for (int i = 1; i < size; ++i) {
    least = std::min(least, std::abs(A[i * (size + 1)]));
    largest = std::max(largest, std::abs(A[i * (size + 1)]));
  }
  if (!(least > singular_pivot * largest)) return false;
  double scale = 1;
  dgesc2_(&size, A, &size, b, rows, columns, &scale);  // of scale b, where else x would overflow
  for (int i = 0; i < size; ++i) b[i] /= scale;
  return true;
}

}  // namespace actio::algebra
