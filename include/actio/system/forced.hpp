#pragma once
#include <actio/system/lagrangian.hpp>
#include <utility>

// Friction and external forces for any system of your own, by two small structs:
//
//   d/dt dL/dv - dL/dq = F(t, q, v) - dphi/dv(t, q, v)                                                   (KMOW 3.14, 5.1)
//
//   struct Drag {                                             // phi = c/3 |v|^3, a force -c |v| v
//     double c = 0.1;
//     double value(double t, const Vector& q, const Vector& v) const;                                        // phi [W]
//     void gradient(double t, const Vector& q, const Vector& v, Vector& phi_q, Vector& phi_v) const;         // (n) each
//     void hessian(double t, const Vector& q, const Vector& v, actio::system::Weights w, Matrix& K) const {  // K += of (n x n)
//       const double s = v.norm();
//       if (s > 0) K += w.vv * c * (s * Matrix::Identity() + v * v' / s);         // and w.qq phi_qq + w.qv phi_qv + w.vq phi_vq
//     }
//   };
//   struct Wind {                                             // F = (cos 3t, 0)
//     static constexpr bool needs_velocity = false;           // true when left out
//     void value(double t, const Vector& q, const Vector& v, Vector& F) const { F = {std::cos(3 * t), 0.0}; }
//     void tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Matrix& K) const {}  // K += wq F_q + wv F_v
//   };
//   actio::system::WithForces system(actio::system::Mechanical{Oscillator{}}, Drag{}, Wind{});
//   actio::system::WithForces driven(actio::system::Mechanical{Oscillator{}}, actio::system::NoFriction{}, Wind{});
//
// phi_qv is d2phi/dq dv with rows q. A struct whose second derivatives of phi, or first of F, never change may say
// `static constexpr bool linear = true;`: with a system that says linear() too, one factorisation then serves all steps of one h.
namespace actio::system {

template <class P, class S>
concept Friction = requires(const P& phi, double t, const typename S::Space::Vector& q, typename S::Space::Vector& out, Weights w,
                            typename S::Space::Matrix& K) {
  { phi.value(t, q, q) } -> std::convertible_to<double>;
  phi.gradient(t, q, q, out, out);
  phi.hessian(t, q, q, w, K);
};
template <class F, class S>
concept ExternalForce = requires(const F& force, double t, double w, const typename S::Space::Vector& q,
                                 typename S::Space::Vector& out, typename S::Space::Matrix& K) {
  force.value(t, q, q, out);
  force.tangent(t, q, q, w, w, K);
};

struct NoFriction {
  static constexpr bool linear = true;
  template <class V>
  double value(double, const V&, const V&) const {
    return 0;
  }
  template <class V>
  void gradient(double, const V& q, const V&, V& phi_q, V& phi_v) const {
    phi_q = 0.0 * q;
    phi_v = 0.0 * q;
  }
  template <class V, class M>
  void hessian(double, const V&, const V&, Weights, M&) const {}
};
struct NoForce {
  static constexpr bool linear = true, needs_velocity = false;
  template <class V>
  void value(double, const V& q, const V&, V& F) const {
    F = 0.0 * q;
  }
  template <class V, class M>
  void tangent(double, const V&, const V&, double, double, M&) const {}
};

// S with friction phi and external forces F: everything that S answers, and what `Forced` asks.
template <Lagrangian S, Friction<S> Phi = NoFriction, ExternalForce<S> F = NoForce>
class WithForces : public S {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  explicit WithForces(S system, Phi friction = {}, F force = {})
      : S(std::move(system)), friction_(std::move(friction)), force_(std::move(force)), q_(this->space().vector()), v_(q_) {}

  static constexpr bool dissipative() { return !std::same_as<Phi, NoFriction>; }
  static constexpr bool forced() { return dissipative() || !std::same_as<F, NoForce>; }
  static constexpr bool force_needs_velocity() {
    bool external = true;
    if constexpr (requires { F::needs_velocity; }) external = F::needs_velocity;
    return dissipative() || external;
  }
  bool linear() const {
    if constexpr (requires { Phi::linear&& F::linear; }) return Phi::linear && F::linear && is_linear<S>(*this);
    return false;
  }

  void external(double t, const Vector& q, const Vector& v, Vector& out) { force_.value(t, q, v, out); }
  void external_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& out, Matrix& K) {
    force_.value(t, q, v, out);
    force_.tangent(t, q, v, wq, wv, K);
  }
  void applied(double t, const Vector& q, const Vector& v, Vector& out) {
    force_.value(t, q, v, out);
    if constexpr (dissipative()) {
      friction_.gradient(t, q, v, q_, v_);
      out -= 1.0 * v_;
    }
  }
  void applied_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& out, Matrix& K) {
    applied(t, q, v, out);
    force_.tangent(t, q, v, wq, wv, K);
    friction_.hessian(t, q, v, {.vq = -wq, .vv = -wv}, K);
  }
  double dissipation(double t, const Vector& q, const Vector& v) { return friction_.value(t, q, v); }
  void dissipation_tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& phi_q, Vector& phi_v, Matrix& K) {
    friction_.gradient(t, q, v, phi_q, phi_v);
    friction_.hessian(t, q, v, w, K);
  }

 private:
  Phi friction_;
  F force_;
  Vector q_, v_;
};

}  // namespace actio::system
