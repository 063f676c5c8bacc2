#pragma once
#include <actio/algebra/vector.hpp>
#include <cmath>

namespace actio::method::detail {

// A relative residual below the first is not looked into further; a change of q by the second, relative, is still resolved.
inline constexpr double small_residual = 1e-10, some_eps = 0x1p-48;

// |r| / size, where size is that of what r is the difference of; or, where stiff forces cancel in that, relative to what cancels:
// some eps of that is what a change of q by some eps |q| along r makes of r, rounding included. change(q) is the size of the
// change of r at the q it is given; `moved` is scratch memory.
template <class Vector, class Change>
double relative_residual(const Vector& r, double size, const Vector& q, Vector& moved, Change&& change) {
  using algebra::dot;
  const double norm = std::sqrt(dot(r, r));
  if (norm > small_residual * size) {
    moved = 1.0 * q + (some_eps * std::sqrt(dot(q, q)) / norm) * r;
    size += change(moved) / some_eps;
  }
  return size > 0 ? norm / size : norm;
}

}  // namespace actio::method::detail
