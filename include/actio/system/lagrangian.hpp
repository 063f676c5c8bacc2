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

// Takes a step of Verlet's in one pass over memory, where takes_one_pass().
template <class S>
concept OnePass = Separable<S> && requires(S& s, double t, double h, typename S::Space::Vector& x) {
  { s.takes_one_pass() } -> std::convertible_to<bool>;
  s.kick_drift_kick(t, h, x, x, x);  // of q, p, f: p += h/2 f, q += h M^-1 p, f = -grad V(t, q), p += h/2 f
};

// Third derivatives of V along one direction.
template <class S>
concept Cubic = Separable<S> && requires(S& s, double t, const typename S::Space::Vector& q, typename S::Space::Vector& out) {
  s.third(t, q, q, out);  // out = V'''(t, q)[a, a] from q, a (n)
};

// V = V0 + V1, where V1 holds the stiff terms.
template <class S>
concept Split = Separable<S> && requires(S& s, double t, double w, const typename S::Space::Vector& q,
                                         typename S::Space::Vector& out, typename S::Space::Matrix& K) {
  s.stiff_stiffness(t, q, w, w, out, K);  // f = -grad V of all of V, and K = wM M + wV V1''
};

// Forces that come from no Lagrangian: friction -dphi/dv of a Rayleigh potential phi(t, q, v), and external F(t, q, v).
//   d/dt dL/dv - dL/dq = F(t, q, v) - dphi/dv                    (KMOW 3.14, 5.1)
// A system without these members has no such forces.
template <class S>
concept Forced = Lagrangian<S> && requires(S& s, double t, double w, Weights weights, const typename S::Space::Vector& q,
                                           typename S::Space::Vector& out, typename S::Space::Matrix& K) {
  { s.forced() } -> std::convertible_to<bool>;                // some such force acts
  { s.dissipative() } -> std::convertible_to<bool>;           // phi is not 0
  { s.force_needs_velocity() } -> std::convertible_to<bool>;  // one of them depends on v
  s.applied(t, q, q, out);                                    // F - dphi/dv [N] (n)
  s.applied_tangent(t, q, q, w, w, out, K);                   // that, and K += wq d/dq + wv d/dv of it
  s.external(t, q, q, out);                                   // F alone
  s.external_tangent(t, q, q, w, w, out, K);                  // F, and K += wq dF/dq + wv dF/dv
  { s.dissipation(t, q, q) } -> std::convertible_to<double>;  // phi [W]
  // dphi/dq and dphi/dv (n) each; K += qq phi_qq + qv phi_qv + vq phi_vq + vv phi_vv, where phi_qv = d2phi/dq dv with rows q
  s.dissipation_tangent(t, q, q, weights, out, out, K);
};

template <class S>
bool is_forced(const S& system) {
  if constexpr (Forced<S>) return system.forced();
  return false;
}

// Equations f(a, v, q, t) = 0 in place of a Lagrangian (Karow 10). L is then v'v - E with a declared energy E, or E = 0.
template <class S>
concept Implicit = Lagrangian<S> && requires(S& s, double t, double w, const typename S::Space::Vector& q,
                                             typename S::Space::Vector& r, typename S::Space::Matrix& K) {
  { s.implicit() } -> std::convertible_to<bool>;  // the system is of this kind
  s.balance(t, q, q, q, r);                       // r = f(a, v, q, t) from q, v, a (n)
  s.balance_tangent(t, q, q, q, w, w, w, r, K);   // that, and K = wq df/dq + wv df/dv + wa df/da
};

template <class S>
bool is_implicit(const S& system) {
  if constexpr (Implicit<S>) return system.implicit();
  return false;
}

// Every second derivative of L and phi and every first derivative of F is constant: a step's equations are linear, and one
// factorisation serves every step of one size.
template <class S>
bool is_linear(const S& system) {
  if constexpr (requires { system.linear(); }) return system.linear();
  return false;
}

}  // namespace actio::system
