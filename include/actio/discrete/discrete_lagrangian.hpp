#pragma once
#include <concepts>
#include <type_traits>

// What a discrete Lagrangian Ld(q0, q1) gives to method::VariationalStepper, which solves p0 = -D1 Ld(q0, q1), p1 = D2 Ld(q0, q1)
// (KMOW 2.8). The second point is given by w = (q1 - q0)/h. Ready ones: Quadrature, and LagrangianOf for a formula.
namespace actio::discrete {

template <class Ld>
concept DiscreteLagrangian = requires(Ld& discrete, double t, double h, const typename Ld::Space::Vector& x,
                                      typename Ld::Space::Vector& out, typename Ld::Space::Matrix& K) {
  discrete.system();
  discrete.momentum_before(t, h, x, x, out);  // from t, h, q0, w: -D1 Ld (n)
  discrete.momentum_after(t, h, x, x, out);   // D2 Ld (n)
  discrete.equations(t, h, x, x, x, out, K);  // from t, h, q0, p0, w: r = -D1 Ld - p0 (n), K = dr/dw (n x n)
};

// The same, with a message for each member that is missing.
template <class Ld>
struct IsDiscreteLagrangian {
  static_assert(
      requires { typename Ld::Space; }, "a discrete Lagrangian has a type Space");
  using Vector = typename Ld::Space::Vector;
  using Matrix = typename Ld::Space::Matrix;
  static_assert(
      requires(Ld & d) { d.system().space(); }, "a discrete Lagrangian has system(), by reference");
  static_assert(
      requires(Ld & d, double t, const Vector& x, Vector& p) { d.momentum_before(t, t, x, x, p); },
      "a discrete Lagrangian has momentum_before(t, h, q0, w, p0): p0 = -D1 Ld(q0, q0 + h w)");
  static_assert(
      requires(Ld & d, double t, const Vector& x, Vector& p) { d.momentum_after(t, t, x, x, p); },
      "a discrete Lagrangian has momentum_after(t, h, q0, w, p1): p1 = D2 Ld(q0, q0 + h w)");
  static_assert(
      requires(Ld & d, double t, const Vector& x, Vector& r, Matrix& K) { d.equations(t, t, x, x, x, r, K); },
      "a discrete Lagrangian has equations(t, h, q0, p0, w, r, K): r = -D1 Ld - p0, K = dr/dw");
  static_assert(DiscreteLagrangian<Ld>);
  static constexpr bool value = true;
};

}  // namespace actio::discrete
