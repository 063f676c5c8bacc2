#pragma once
#include <actio/core/error.hpp>
#include <actio/discrete/quadrature.hpp>
#include <actio/solve/newton.hpp>
#include <cmath>
#include <limits>

// One variational integrator, three phase spaces (KMOW 2.3): pairs (q0, q1) in Q x Q, momenta (q, p) in T*Q, velocities (q, v) in
// TQ.
//
//        Q x Q
//          | FLd+ : (q0, q1) -> (q1,  D2 Ld)      FLd- : (q0, q1) -> (q0, -D1 Ld)
//   TQ -> T*Q     FL : (q, v) -> (q, dL/dv)       (both ways: discrete/acceleration.hpp)
//
// On T*Q the flow is FLd+ o (FLd-)^-1, which is what VariationalStepper runs; on Q x Q it is Phi = (FLd-)^-1 o FLd+.
namespace actio::discrete {

// The maps between them for a discrete Lagrangian. Vectors have n entries.
template <class Ld>
class Representations {
 public:
  using Space = typename Ld::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  explicit Representations(Ld discrete)
      : Ld_(std::move(discrete)), newton_(Ld_.system().space()), w_(Ld_.system().space().vector()), p_(w_), r_(w_) {}

  Ld& discrete_lagrangian() { return Ld_; }

  // FLd+ (KMOW 2.8): p1 = D2 Ld(q0, q1), for the step from t to t + h
  void momentum_after(double t, double h, const Vector& q0, const Vector& q1, Vector& p1) {
    w_ = (1 / h) * q1 - (1 / h) * q0;
    Ld_.momentum_after(t, h, q0, w_, p1);
  }
  // FLd-: p0 = -D1 Ld(q0, q1)
  void momentum_before(double t, double h, const Vector& q0, const Vector& q1, Vector& p0) {
    w_ = (1 / h) * q1 - (1 / h) * q0;
    Ld_.momentum_before(t, h, q0, w_, p0);
  }
  // (FLd-)^-1: the q1 with -D1 Ld(q0, q1) = p0, searched from the guess q1 holds. Throws core::InputError when none is found.
  void position_after(double t, double h, const Vector& q0, const Vector& p0, Vector& q1) {
    using algebra::dot;
    w_ = (1 / h) * q1 - (1 / h) * q0;
    const auto floor = [&] { return 16 * std::numeric_limits<double>::epsilon() * std::sqrt(dot(q0, q0)) / std::abs(h); };
    const auto equations = [&](const Vector& w, Vector& r, Matrix& K) { Ld_.equations(t, h, q0, p0, w, r, K); };
    if (!newton_.solve(equations, w_, floor).converged && !newton_.solve_damped(equations, w_, floor()).converged)
      throw core::InputError("the discrete Legendre transform FLd- cannot be inverted: Newton's method found no q1 with this p0",
                             "take a shorter step");
    q1 = q0 + h * w_;
  }
  // Phi (KMOW 2.6): D2 Ld(q0, q1) + D1 Ld(q1, q2) = 0, the first step starting at t
  void next(double t, double h, const Vector& q0, const Vector& q1, Vector& q2) {
    momentum_after(t, h, q0, q1, p_);
    q2 = 2.0 * q1 - q0;
    position_after(t + h, h, q1, p_, q2);
  }

  // KMOW (2.10): J = D2 Ld(q0, q1) . xi, where xi is the generator at q1
  double momentum_map(double t, double h, const Vector& q0, const Vector& q1, const Vector& xi) {
    using algebra::dot;
    momentum_after(t, h, q0, q1, p_);
    return dot(p_, xi);
  }
  // The matrix of the discrete symplectic form, d2 Ld / dq0 dq1 (KMOW 2.1): Omega = sum_ij K_ij dq0_i ^ dq1_j
  void symplectic_form(double t, double h, const Vector& q0, const Vector& q1, Matrix& K) {
    w_ = (1 / h) * q1 - (1 / h) * q0;
    Ld_.equations(t, h, q0, p_, w_, r_, K);
    K *= -1 / h;
  }
  // KMOW (2.11): Ed = -dLd/dh
  double energy(double t, double h, const Vector& q0, const Vector& q1) {
    w_ = (1 / h) * q1 - (1 / h) * q0;
    return Ld_.energy(t, h, q0, w_);
  }

 private:
  Ld Ld_;
  solve::Newton<Space> newton_;
  Vector w_, p_, r_;
};

}  // namespace actio::discrete
