#pragma once
#include <actio/system/lagrangian.hpp>
#include <type_traits>
#include <utility>

// A system without its Rayleigh potential: the forces F alone act. S itself stays within reach as the base class.
namespace actio::system {

template <Forced S>
class FrictionlessOf : public S {
 public:
  using Vector = typename S::Space::Vector;
  using Matrix = typename S::Space::Matrix;
  explicit FrictionlessOf(S system) : S(std::move(system)) {}

  static constexpr bool dissipative() { return false; }
  void applied(double t, const Vector& q, const Vector& v, Vector& out) { this->external(t, q, v, out); }
  void applied_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& out, Matrix& K) {
    this->external_tangent(t, q, v, wq, wv, out, K);
  }
  double dissipation(double, const Vector&, const Vector&) { return 0; }
  void dissipation_tangent(double, const Vector& q, const Vector&, Weights, Vector& phi_q, Vector& phi_v, Matrix&) {
    phi_q = 0.0 * q;
    phi_v = 0.0 * q;
  }
};

template <class S>
struct FrictionlessType {
  using type = S;
};
template <Forced S>
struct FrictionlessType<S> {
  using type = FrictionlessOf<S>;
};
template <class S>
using Frictionless = typename FrictionlessType<S>::type;

}  // namespace actio::system
