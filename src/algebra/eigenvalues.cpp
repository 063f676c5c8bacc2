#include "eigenvalues.hpp"

#include <vector>

#include "lapack.hpp"

namespace actio::algebra {

Eigen::VectorXcd eigenvalues(Eigen::MatrixXd A) {
  const int n = static_cast<int>(A.rows()), none = 1, size = 8 * n;
  if (n == 0 || !A.allFinite()) return {};
  Eigen::VectorXd re(n), im(n), work(size);
  int info = 0;
  dgeev_("N", "N", &n, A.data(), &n, re.data(), im.data(), nullptr, &none, nullptr, &none, work.data(), &size, &info, 1, 1);
  Eigen::VectorXcd out(info == 0 ? n : 0);
  for (int i = 0; i < out.size(); ++i) out[i] = {re[i], im[i]};
  return out;
}

SymmetricEigenvalues symmetric_eigenvalues(Eigen::MatrixXd A) {
  const int n = static_cast<int>(A.rows()), size = 1 + 6 * n + 2 * n * n, integers = 3 + 5 * n;
  if (n == 0 || !A.allFinite()) return {};
  Eigen::VectorXd values(n), work(size);
  std::vector<int> iwork(static_cast<std::size_t>(integers));
  int info = 0;
  dsyevd_("V", "L", &n, A.data(), &n, values.data(), work.data(), &size, iwork.data(), &integers, &info, 1, 1);
  if (info != 0) return {};
  return {std::move(values), std::move(A)};
}

Eigen::VectorXd symmetric_eigenvalues(Eigen::MatrixXd A, Eigen::MatrixXd M) {
  const int n = static_cast<int>(A.rows()), problem = 1, size = 1 + 2 * n, integers = 1;
  if (n == 0 || !A.allFinite() || !M.allFinite()) return {};
  Eigen::VectorXd values(n), work(size);
  int info = 0, iwork = 0;
  dsygvd_(&problem, "N", "L", &n, A.data(), &n, M.data(), &n, values.data(), work.data(), &size, &iwork, &integers, &info, 1, 1);
  if (info != 0) return {};
  return values;
}

SymmetricEigenvalues symmetric_eigenvectors(Eigen::MatrixXd A, Eigen::MatrixXd M) {
  const int n = static_cast<int>(A.rows()), problem = 1, size = 1 + 6 * n + 2 * n * n, integers = 3 + 5 * n;
  if (n == 0 || !A.allFinite() || !M.allFinite()) return {};
  Eigen::VectorXd values(n), work(size);
  std::vector<int> iwork(static_cast<std::size_t>(integers));
  int info = 0;
  dsygvd_(&problem, "V", "L", &n, A.data(), &n, M.data(), &n, values.data(), work.data(), &size, iwork.data(), &integers, &info,
          1, 1);
  if (info != 0) return {};
  return {std::move(values), std::move(A)};
}

}  // namespace actio::algebra
