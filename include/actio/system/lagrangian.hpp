#pragma once
#include <actio/algebra/vector.hpp>
#include <concepts>

// What a method may ask of a system. Every system is a Lagrangian L(t, q, v); a separable one, L = 1/2 v'Mv - V(t, q), also
// answers questions about M and V on their own. Systems carry scratch memory, so each stepper owns a copy.
namespace actio::system {

struct Weights {
  double qq = 0, qv = 0, vq = 0, vv = 0;
};

template <class S>
concept Lagrangian = std::copy_constructible<S> && algebra::Vector<typename S::Space::Vector> &&
    requires(S& s, double t, const typename S::Space::Vector& q, typename S::Space::Vector& out, typename S::Space::Matrix& K,
             Weights w) {
  { s.space() } -> std::convertible_to<typename S::Space>;
  { s.lagrangian(t, q, q) } -> std::convertible_to<double>;  // L [J]
  s.derivatives(t, q, q, out, out);                          // f = dL/dq [N], p = dL/dv [kg m/s], (n) each
  // f and p as above; K += qq Lqq + qv Lqv + vq Lvq + vv Lvv, where Lqv = d2L/dq dv with rows q
  s.tangent(t, q, q, w, out, out, K);
  { s.separable() } -> std::convertible_to<bool>;
};

// Offers M and V; they may be used when separable() is true.
template <class S>
concept Separable = Lagrangian<S> && requires(S& s, double t, double w, const typename S::Space::Vector& q,
                                              typename S::Space::Vector& out, typename S::Space::Matrix& K) {
  { s.potential(t, q) } -> std::convertible_to<double>;  // V [J]
  s.force(t, q, out);                                    // f = -grad V [N]
  s.stiffness(t, q, w, w, out, K);                       // f, and K = wM M + wV V''
  s.momentum(q, out);                                    // p = M v
  s.velocity(q, out);                                    // v = M^-1 p
};

}  // namespace actio::system
