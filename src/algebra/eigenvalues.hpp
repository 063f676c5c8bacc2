#pragma once
#include <Eigen/Core>

// Eigenvalues of full matrices, by LAPACK. Empty where it does not find them, or a matrix is not finite.
namespace actio::algebra {

Eigen::VectorXcd eigenvalues(Eigen::MatrixXd A);  // n x n, in no order

struct SymmetricEigenvalues {
  Eigen::VectorXd values;     // (n) increasing
  Eigen::MatrixXd vectors{};  // (n x n) columns, orthonormal
};
SymmetricEigenvalues symmetric_eigenvalues(Eigen::MatrixXd A);

// Of A x = lambda M x, increasing; empty where M is not positive definite too.
Eigen::VectorXd symmetric_eigenvalues(Eigen::MatrixXd A, Eigen::MatrixXd M);
// The same with the vectors, x'Mx = 1.
SymmetricEigenvalues symmetric_eigenvectors(Eigen::MatrixXd A, Eigen::MatrixXd M);

}  // namespace actio::algebra
