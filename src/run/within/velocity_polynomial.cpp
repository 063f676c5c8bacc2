#include "velocity_polynomial.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace actio::run {

VelocityPolynomial::VelocityPolynomial(std::span<const double> nodes, bool slopes)
    : nodes_(nodes.begin(), nodes.end()), slopes_(slopes) {
  using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;  // a factor of 1e4 is lost
  std::vector<long double> places{0};
  places.insert(places.end(), nodes.begin(), nodes.end());
  places.push_back(1);
  const auto values = static_cast<long>(places.size()), n = values + (slopes ? 2 : 0);
  Matrix conditions = Matrix::Zero(n, n);  // on the coefficients
  for (long i = 0; i < values; ++i) {
    long double power = 1;
    for (long k = 0; k < n; ++k, power *= 2 * places[static_cast<std::size_t>(i)] - 1) conditions(i, k) = power;
  }
  for (long i = values; i < n; ++i)  // d/ds of (2 s - 1)^k at -1, 1
    for (long k = 1; k < n; ++k) conditions(i, k) = 2 * static_cast<long double>(k) * (i == values && k % 2 == 0 ? -1 : 1);
  const Matrix basis = conditions.partialPivLu().inverse().transpose();
  Matrix integral = Matrix::Zero(n, n + 1);
  for (long k = 0; k < n; ++k) {
    integral.col(k + 1) = basis.col(k) / (2 * static_cast<long double>(k + 1));
    integral.col(0) -= (k % 2 == 0 ? -1 : 1) * integral.col(k + 1);  // 0 at s = 0
  }
  basis_ = basis.cast<double>();
  integral_ = integral.cast<double>();
}

bool VelocityPolynomial::is_of(std::span<const double> nodes, bool slopes) const {
  return data() > 0 && slopes == slopes_ && std::ranges::equal(nodes, nodes_);
}

void VelocityPolynomial::shares(double s, Eigen::VectorXd& in_velocity, Eigen::VectorXd& in_position) const {
  const double x = 2 * s - 1;
  const auto horner = [x](const Eigen::MatrixXd& rows, Eigen::VectorXd& sum) {
    sum.setZero(rows.rows());
    for (long k = rows.cols(); k-- > 0;) sum = x * sum + rows.col(k);
  };
  horner(basis_, in_velocity);
  horner(integral_, in_position);
}

}  // namespace actio::run
