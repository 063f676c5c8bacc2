#pragma once
#include <actio/method/acceleration_stepper.hpp>

// Newmark in acceleration form, KMOW (3.3)-(3.5), with forces (5.5)-(5.7); Karow (5)-(10):
//
//   q1 = q0 + h v0 + h^2/2 [(1 - 2 beta) a0 + 2 beta a1],   v1 = v0 + h [(1 - gamma) a0 + gamma a1]
//   M a1 = -grad V(t1, q1) + F(t1, q1, v1),   or   f(a1, v1, q1, t1) = 0
//
// The unknown is a1, so beta = 0 is the same code; it is explicit when no force depends on v. Order 2 at gamma = 1/2, else 1. At
// gamma = 1/2 and without F it is velocity Verlet in x = q - beta h^2 a = q + beta h^2 M^-1 grad V (Theorem 3.5; the printed
// minus is a misprint), so it keeps dx ^ d(Mv) and (Mv) . xi(x). On linear systems with 1/4, 1/2 the energy changes by the work
// of F alone (Karow 13).
namespace actio::method {

// The stepper of a system S; its members are those of AccelerationStepper.
template <system::Lagrangian S>
class NewmarkStepper : public AccelerationStepper<S, true> {
 public:
  // beta and gamma are those of m.
  NewmarkStepper(S system, const Newmark& m) : AccelerationStepper<S, true>(std::move(system), m.coefficients()) {}
};

}  // namespace actio::method
