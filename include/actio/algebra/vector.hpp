#pragma once
#include <Eigen/Core>
#include <concepts>

// What a method may do with a vector: linear combinations, an inner product, a new one of the same shape. No indexing, so the
// same text runs on fixed-size Eigen vectors, on dynamic ones, and on vectors spread over many machines.
namespace actio::algebra {

template <class D, class E>
double dot(const Eigen::MatrixBase<D>& x, const Eigen::MatrixBase<E>& y) {
  return x.dot(y);
}

// Same shape and layout as x, all zero.
template <int N>
Eigen::Matrix<double, N, 1> like(const Eigen::Matrix<double, N, 1>& x) {
  return Eigen::Matrix<double, N, 1>::Zero(x.size());
}

template <class V>
concept Vector = std::copyable<V> && requires(V& y, const V& x, double s) {
  y = s * x + s * x - s * x;
  y += s * x;
  y -= s * x;
  { dot(x, x) } -> std::convertible_to<double>;
  { like(x) } -> std::same_as<V>;
};

}  // namespace actio::algebra
