#pragma once
#include <actio/method/catalogue/takahashi_imada.hpp>
#include <actio/method/linearly_implicit.hpp>

// Verlet, p += h/2 F(q0), q1 = q0 + h M^-1 p, p += h/2 F(q1), with the force of V - h^2/24 grad V' M^-1 grad V (Takahashi and
// Imada 1984; Rowlands 1991):
//
//   F = f - h^2/12 V''(q) a,   a = M^-1 f,   f = -grad V + F_ext(t, q)
//
// With kicks B and drifts A a step of Verlet is exp of h (A + B) + h^3 (1/24 [B,[A,B]] + 1/12 [A,[A,B]]) + O(h^5). The force adds
// h^3/24 [B,[A,B]], and 1/12 [A + B, [A, B]] is left, which a change of variables takes away: started from
// q + h^2/12 M^-1 grad V, p - h^2/12 V'' M^-1 p, and read off by the inverse, the method is of order 4. As it is its order is 2.
// Symmetric, symplectic, keeps the momentum map of every affine symmetry.
namespace actio::method {

template <system::Separable S>
class ModifiedForce {
 public:
  using System = S;
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  struct Memory {};  // of the last evaluation: it needs none

  static constexpr const char* failure = "the force f, or its correction h^2/12 V'' a, is not finite";

  explicit ModifiedForce(S system)
      : system_(std::move(system)), a_(system_.space().vector()), v_(a_), K_(system_.space().matrix()) {}

  S& system() { return system_; }
  long factorisations() const { return 0; }

  // F(t, q; h) [N] (n)
  StepReport operator()(double t, const Vector& q, double h, Memory&, Vector& F) {
    using algebra::dot;
    system_.stiffness(t, q, 0.0, 1.0, F, K_);
    add_external(system_, t, q, v_, F);
    system_.velocity(F, a_);
    Space::multiply(K_, a_, v_);
    F -= (h * h / 12) * v_;
    const bool finite = std::isfinite(dot(F, F));
    return {0, finite, finite ? 0.0 : 1.0};
  }
  double residual(double, const Vector&, double, const Memory&) { return 0; }

 private:
  S system_;
  Vector a_, v_;
  Matrix K_;
};

template <system::Separable S>
class TakahashiImadaStepper : public LinearlyImplicitStepper<ModifiedForce<S>> {
 public:
  explicit TakahashiImadaStepper(S system)
      : TakahashiImadaStepper::LinearlyImplicitStepper(ModifiedForce<S>(std::move(system))) {}
};

template <system::Separable S, class Use>
auto with_stepper(const TakahashiImada&, S system, Use&& use) {
  return use(TakahashiImadaStepper<S>(std::move(system)));
}

}  // namespace actio::method
