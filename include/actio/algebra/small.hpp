#pragma once
#include <Eigen/Core>
#include <cmath>
#include <concepts>

// Vectors and square matrices of a few numbers, kept in scalar registers. Eigen's types of the same size are read and written as
// packets; state that is written by scalars then waits in memory for every packet read of it, a third of a step and more. Both
// convert from and to Eigen, element by element.
namespace actio::algebra {

// x = {1.2, 0.0}; x[i]; linear combinations; dot, squaredNorm, norm, cwiseProduct. Zero when made.
template <int N>
class SmallVector {
 public:
  constexpr SmallVector() = default;
  constexpr SmallVector(const SmallVector& x) { *this = x; }
  constexpr SmallVector& operator=(const SmallVector& x) {  // by scalars: a copy made by the compiler may be one packet
    for (int i = 0; i < N; ++i) x_[i] = x.x_[i];
    return *this;
  }
  template <std::convertible_to<double>... T>
  requires(sizeof...(T) == N && N > 1) constexpr SmallVector(T... x) : x_{static_cast<double>(x)...} {}
  constexpr explicit SmallVector(double x) requires(N == 1) : x_{x} {}
  template <class D>
  SmallVector(const Eigen::MatrixBase<D>& x) {  // of N entries
    *this = x;
  }
  template <class D>
  SmallVector& operator=(const Eigen::MatrixBase<D>& x) {
    eigen_assert(x.size() == N);
    for (int i = 0; i < N; ++i) x_[i] = x[i];
    return *this;
  }
  operator Eigen::Matrix<double, N, 1>() const { return eigen(); }
  Eigen::Map<const Eigen::Matrix<double, N, 1>> eigen() const { return Eigen::Map<const Eigen::Matrix<double, N, 1>>(x_); }
  Eigen::Map<Eigen::Matrix<double, N, 1>> eigen() { return Eigen::Map<Eigen::Matrix<double, N, 1>>(x_); }

  static constexpr SmallVector Zero(Eigen::Index = N) { return {}; }
  static constexpr Eigen::Index size() { return N; }
  constexpr double operator[](Eigen::Index i) const { return x_[i]; }
  constexpr double& operator[](Eigen::Index i) { return x_[i]; }
  const double* data() const { return x_; }
  double* data() { return x_; }
  constexpr void setZero() { *this = SmallVector(); }

  constexpr SmallVector& operator+=(const SmallVector& y) {
    for (int i = 0; i < N; ++i) x_[i] += y.x_[i];
    return *this;
  }
  constexpr SmallVector& operator-=(const SmallVector& y) {
    for (int i = 0; i < N; ++i) x_[i] -= y.x_[i];
    return *this;
  }
  constexpr SmallVector& operator*=(double s) {
    for (int i = 0; i < N; ++i) x_[i] *= s;
    return *this;
  }
  friend constexpr SmallVector operator+(SmallVector x, const SmallVector& y) { return x += y; }
  friend constexpr SmallVector operator-(SmallVector x, const SmallVector& y) { return x -= y; }
  friend constexpr SmallVector operator-(SmallVector x) {
    for (int i = 0; i < N; ++i) x.x_[i] = -x.x_[i];
    return x;
  }
  friend constexpr SmallVector operator*(double s, SmallVector x) { return x *= s; }
  friend constexpr SmallVector operator*(SmallVector x, double s) { return x *= s; }
  friend constexpr SmallVector operator/(SmallVector x, double s) { return x *= 1 / s; }

  constexpr double dot(const SmallVector& y) const {
    double sum = x_[0] * y.x_[0];
    for (int i = 1; i < N; ++i) sum += x_[i] * y.x_[i];
    return sum;
  }
  constexpr double squaredNorm() const { return dot(*this); }
  double norm() const { return std::sqrt(squaredNorm()); }
  constexpr SmallVector cwiseProduct(const SmallVector& y) const {
    SmallVector z;
    for (int i = 0; i < N; ++i) z.x_[i] = x_[i] * y.x_[i];
    return z;
  }

 private:
  double x_[N]{};
};

// A(i, j), stored by columns. From its entries row by row: A = {a00, a01, a10, a11}. Zero when made.
template <int N>
class SmallMatrix {
 public:
  using Vector = SmallVector<N>;
  constexpr SmallMatrix() = default;
  template <std::convertible_to<double>... T>
  requires(sizeof...(T) == N * N && N > 1) constexpr SmallMatrix(T... by_rows) {
    const double a[] = {static_cast<double>(by_rows)...};
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) (*this)(i, j) = a[i * N + j];
  }
  constexpr explicit SmallMatrix(double a) requires(N == 1) : a_{a} {}
  template <class D>
  SmallMatrix(const Eigen::MatrixBase<D>& A) {  // (N x N)
    *this = A;
  }
  template <class D>
  SmallMatrix& operator=(const Eigen::MatrixBase<D>& A) {
    eigen_assert(A.rows() == N && A.cols() == N);
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < N; ++i) (*this)(i, j) = A(i, j);
    return *this;
  }
  operator Eigen::Matrix<double, N, N>() const { return eigen(); }
  Eigen::Map<const Eigen::Matrix<double, N, N>> eigen() const { return Eigen::Map<const Eigen::Matrix<double, N, N>>(a_); }
  Eigen::Map<Eigen::Matrix<double, N, N>> eigen() { return Eigen::Map<Eigen::Matrix<double, N, N>>(a_); }

  static constexpr SmallMatrix Zero(Eigen::Index = N, Eigen::Index = N) { return {}; }
  static constexpr SmallMatrix Identity() {
    SmallMatrix A;
    for (int i = 0; i < N; ++i) A(i, i) = 1;
    return A;
  }
  static constexpr Eigen::Index rows() { return N; }
  static constexpr Eigen::Index cols() { return N; }
  constexpr double operator()(Eigen::Index i, Eigen::Index j) const { return a_[j * N + i]; }
  constexpr double& operator()(Eigen::Index i, Eigen::Index j) { return a_[j * N + i]; }
  constexpr double& coeffRef(Eigen::Index i, Eigen::Index j) { return a_[j * N + i]; }
  const double* data() const { return a_; }
  double* data() { return a_; }
  constexpr void setZero() { *this = SmallMatrix(); }

  constexpr SmallMatrix& operator+=(const SmallMatrix& B) {
    for (int k = 0; k < N * N; ++k) a_[k] += B.a_[k];
    return *this;
  }
  constexpr SmallMatrix& operator-=(const SmallMatrix& B) {
    for (int k = 0; k < N * N; ++k) a_[k] -= B.a_[k];
    return *this;
  }
  constexpr SmallMatrix& operator*=(double s) {
    for (int k = 0; k < N * N; ++k) a_[k] *= s;
    return *this;
  }
  constexpr double squaredNorm() const {  // of Frobenius
    double sum = 0;
    for (int k = 0; k < N * N; ++k) sum += a_[k] * a_[k];
    return sum;
  }
  friend constexpr SmallMatrix operator+(SmallMatrix A, const SmallMatrix& B) { return A += B; }
  friend constexpr SmallMatrix operator-(SmallMatrix A, const SmallMatrix& B) { return A -= B; }
  friend constexpr SmallMatrix operator*(double s, SmallMatrix A) { return A *= s; }
  friend constexpr Vector operator*(const SmallMatrix& A, const Vector& x) {
    Vector y;
    for (int i = 0; i < N; ++i) {
      double sum = A(i, 0) * x[0];
      for (int j = 1; j < N; ++j) sum += A(i, j) * x[j];
      y[i] = sum;
    }
    return y;
  }

 private:
  double a_[N * N]{};
};

template <int N>
constexpr double dot(const SmallVector<N>& x, const SmallVector<N>& y) {
  return x.dot(y);
}
// Zero, of the shape of x.
template <int N>
constexpr SmallVector<N> like(const SmallVector<N>&) {
  return {};
}

// x as Eigen sees it, for assignments to and from vectors of Eigen's.
template <int N>
auto eigen(const SmallVector<N>& x) {
  return x.eigen();
}
template <class D>
const D& eigen(const Eigen::MatrixBase<D>& x) {
  return x.derived();
}

}  // namespace actio::algebra
