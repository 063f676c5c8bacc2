#pragma once
#include <actio/method/catalogue/linearly_implicit.hpp>
#include <actio/method/linear_force.hpp>
#include <actio/method/pushed_force.hpp>
#include <actio/method/stepper.hpp>
#include <utility>

// TO's integrators, velocity Verlet with a force F(t, x; h) that belongs to the step (linear_force.hpp, pushed_force.hpp):
//
//   p += h/2 F(x0),   x1 = x0 + h M^-1 p,   p += h/2 F(x1)                TO (3), (14), (18), (19) in p = M v
//
// Order 2, because F = f + O(h^2); symmetric (Theorem 2.4); stable on linear systems where h^2 W^2 (1 - 4 beta) < 4, W the
// largest frequency: always from beta = 1/4 on (Theorem 2.2). Symplectic, and keeps the momentum map of every affine symmetry,
// where F is a gradient: Zhang and Skeel's and push-forward Newmark (Theorem 2.5).
namespace actio::method {

template <class Force>
class LinearlyImplicitStepper {
 public:
  using Space = typename Force::Space;
  using Vector = typename Space::Vector;
  struct State : PhaseState<Vector> {
    Vector F;               // F(t, q; h)
    double h_squared = -1;  // of F, which depends on h by h^2; negative: none is made yet
    [[no_unique_address]] typename Force::Memory memory = {};
    void archive(core::Archive& a) {
      PhaseState<Vector>::archive(a);
      a(F, h_squared).part(memory);
    }
  };

  static constexpr Capabilities capabilities{.factorisations = true, .explains_failure = true};
  static constexpr const char* failure = Force::failure;

  explicit LinearlyImplicitStepper(Force force)
      : force_(std::move(force)), v_(force_.system().space().vector()), q_(v_), F_(v_) {}

  auto& system() { return force_.system(); }
  void archive(core::Archive& a) { a.part(force_); }
  long factorisations() const { return force_.factorisations(); }

  State start(double t, const Vector& q, const Vector& p) { return {{t, q, p}, p, -1, {}}; }

  [[gnu::always_inline]] StepReport step(State& x, double h) {
    StepReport before;
    if (x.h_squared != h * h) [[unlikely]] {
      algebra::Scratch<Space, State> copy = x;
      before = begin(copy, h);
      algebra::take_back<Space>(x, copy);
      if (!before.converged) return before;
    }
    algebra::Scratch<Space, Vector> v = v_, q = q_, F = F_;
    q = x.p + (h / 2) * x.F;
    system().velocity(q, v);
    q = x.q + h * v;
    StepReport report = force_(x.t + h, q, h, x.memory, F);
    report.iterations += before.iterations;
    if (!report.converged) [[unlikely]]
      return report;
    x.t += h;
    x.p += (h / 2) * x.F + (h / 2) * F;
    take(x.q, q);
    take(x.F, F);
    return report;
  }

  void phase(const State& x, Vector& q, Vector& p) const {
    q = x.q;
    p = x.p;
  }
  double residual(const State&, const State& after, double h) { return force_.residual(after.t, after.q, h, after.memory); }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) const { phase(x, q, p); }

 private:
  // x = y of scratch memory: large vectors change hands.
  [[gnu::always_inline]] static void take(Vector& x, Vector& y) {
    if constexpr (Space::static_size)
      x = y;
    else
      std::swap(x, y);
  }
  // F of the state, for steps of this size from now on
  [[gnu::noinline]] StepReport begin(State& x, double h) {
    const StepReport report = force_(x.t, x.q, h, x.memory, F_);
    if (!report.converged) return report;
    x.F = F_;
    x.h_squared = h * h;
    return report;
  }

  Force force_;
  Vector v_, q_, F_;
};

// Zhang and Skeel's method, TO (3). The system is Cubic: it offers V'''(q)[a, a].
template <system::Separable S>
class ZhangSkeelStepper : public LinearlyImplicitStepper<LinearForce<S, LinearForm::full>> {
 public:
  ZhangSkeelStepper(S system, const ZhangSkeel& m)
      : ZhangSkeelStepper::LinearlyImplicitStepper(LinearForce<S, LinearForm::full>(std::move(system), m.beta)) {}
};

// The same without the third derivatives, TO (18).
template <system::Separable S>
class ZhangSkeelSimplifiedStepper : public LinearlyImplicitStepper<LinearForce<S, LinearForm::simplified>> {
 public:
  ZhangSkeelSimplifiedStepper(S system, const ZhangSkeelSimplified& m)
      : ZhangSkeelSimplifiedStepper::LinearlyImplicitStepper(LinearForce<S, LinearForm::simplified>(std::move(system), m.beta)) {}
};

// With the Hessian of the stiff terms alone, TO (19). The system is Split.
template <system::Separable S>
class ZhangSkeelStiffStepper : public LinearlyImplicitStepper<LinearForce<S, LinearForm::stiff>> {
 public:
  ZhangSkeelStiffStepper(S system, const ZhangSkeelStiff& m)
      : ZhangSkeelStiffStepper::LinearlyImplicitStepper(LinearForce<S, LinearForm::stiff>(std::move(system), m.beta)) {}
};

// Newmark with gamma = 1/2 in the coordinates where it is canonical, TO (14).
template <system::Separable S>
class PushForwardNewmarkStepper : public LinearlyImplicitStepper<PushedForce<S>> {
 public:
  PushForwardNewmarkStepper(S system, const PushForwardNewmark& m)
      : PushForwardNewmarkStepper::LinearlyImplicitStepper(PushedForce<S>(std::move(system), m.beta)) {}
};

template <system::Separable S, class Use>
auto with_stepper(const ZhangSkeel& method, S system, Use&& use) {
  return use(ZhangSkeelStepper<S>(std::move(system), method));
}
template <system::Separable S, class Use>
auto with_stepper(const ZhangSkeelSimplified& method, S system, Use&& use) {
  return use(ZhangSkeelSimplifiedStepper<S>(std::move(system), method));
}
template <system::Separable S, class Use>
auto with_stepper(const ZhangSkeelStiff& method, S system, Use&& use) {
  return use(ZhangSkeelStiffStepper<S>(std::move(system), method));
}
template <system::Separable S, class Use>
auto with_stepper(const PushForwardNewmark& method, S system, Use&& use) {
  return use(PushForwardNewmarkStepper<S>(std::move(system), method));
}

}  // namespace actio::method
