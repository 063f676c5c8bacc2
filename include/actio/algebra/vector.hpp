#pragma once
#include <Eigen/Core>
#include <actio/algebra/alignment.hpp>
#include <concepts>
#include <type_traits>

// What a method may do with a vector: linear combinations, an inner product, a new one of the same shape. No indexing, so the
// same text runs on small vectors in registers, on dynamic Eigen vectors, and on vectors distributed over many machines.
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
  y = x + s * x;
  y -= x;
  y *= s;
  { dot(x, x) } -> std::convertible_to<double>;
  { like(x) } -> std::same_as<V>;
};

// Scratch memory of a stepper: `Scratch<Space, Vector> r = r_;` is a local copy for fixed sizes, so that it lives in registers,
// and a reference to what is kept between steps for all others, so that nothing is allocated.
template <class Space, class T>
using Scratch = std::conditional_t<Space::static_size, T, T&>;

// For calls that are not inlined: a copy for fixed sizes, so that the original never leaves its registers; itself for all others.
template <class Space, class T>
Scratch<Space, T> detached(T& x) {
  return x;
}
// x = y after such a call has changed y, the detached copy of x
template <class Space, class T>
void take_back(T& x, const T& y) {
  if constexpr (Space::static_size) x = y;
}

}  // namespace actio::algebra
