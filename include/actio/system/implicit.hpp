#pragma once
#include <actio/system/lagrangian.hpp>
#include <actio/system/mechanical.hpp>
#include <utility>

// Equations of your own, f(a, v, q, t) = 0, that come from no Lagrangian and need not be solved for a (Karow 10):
//
//   struct Balance {                                          // a + 0.1 a^3 + sin q = 0
//     using Space = actio::algebra::DenseSpace<1>;
//     using Vector = Space::Vector;
//     using Matrix = Space::Matrix;
//     void value(double t, const Vector& q, const Vector& v, const Vector& a, Vector& r) const {
//       r[0] = a[0] + 0.1 * a[0] * a[0] * a[0] + std::sin(q[0]);
//     }
//     void tangent(double t, const Vector& q, const Vector& v, const Vector& a, double wq, double wv, double wa, Matrix& K) const
//     {
//       K(0, 0) = wq * std::cos(q[0]) + wa * (1 + 0.3 * a[0] * a[0]);  // every entry of wq f_q + wv f_v + wa f_a
//     }
//     double energy(double t, const Vector& q, const Vector& v) const;  // [J], to be followed; may be left out
//   };
//   actio::system::Equations system{Balance{}};
//
// What stands for the momentum is v itself.
namespace actio::system {

template <class B>
concept BalanceLaw = requires(const B& f, double t, double w, const typename B::Space::Vector& q, typename B::Space::Vector& r,
                              typename B::Space::Matrix& K) {
  f.value(t, q, q, q, r);
  f.tangent(t, q, q, q, w, w, w, K);
};

template <BalanceLaw B>
class Equations {
 public:
  using Space = typename B::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  explicit Equations(B balance, Space space = {}) : balance_(std::move(balance)), space_(std::move(space)) {}

  const Space& space() const { return space_; }
  static constexpr bool separable() { return false; }
  static constexpr bool implicit() { return true; }

  void balance(double t, const Vector& q, const Vector& v, const Vector& a, Vector& r) { balance_.value(t, q, v, a, r); }
  void balance_tangent(double t, const Vector& q, const Vector& v, const Vector& a, double wq, double wv, double wa, Vector& r,
                       Matrix& K) {
    balance_.value(t, q, v, a, r);
    balance_.tangent(t, q, v, a, wq, wv, wa, K);
  }

  // v'v - E, so that p . v - L is the energy
  double lagrangian(double t, const Vector& q, const Vector& v) {
    using algebra::dot;
    double energy = 0;
    if constexpr (requires { balance_.energy(t, q, v); }) energy = balance_.energy(t, q, v);
    return dot(v, v) - energy;
  }
  void derivatives(double, const Vector& q, const Vector& v, Vector& f, Vector& p) {
    f = 0.0 * q;
    p = v;
  }
  void tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector& p, Matrix& K) {
    derivatives(t, q, v, f, p);
    UnitMass{}.add_to(w.vv, K);
  }

 private:
  B balance_;
  Space space_;
};

}  // namespace actio::system
