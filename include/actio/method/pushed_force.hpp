#pragma once
#include <actio/method/acceleration_equation.hpp>
#include <cmath>

// The force F(t, x; h) = M a of push-forward Newmark, TO (14), by Newton's method:
//
//   M a = f(t, x + beta h^2 a),   f = -grad V + F_ext(t, q)
//
// q = x + beta h^2 a is Newmark's own position (KMOW Theorem 3.5), so F is -grad of V~(x) = V(q) + 1/2 beta h^2 a'Ma.
namespace actio::method {

template <system::Separable S>
class PushedForce {
 public:
  using System = S;
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  struct Memory {  // of the last solve: where the next one begins
    bool known = false;
    Vector a;
    void archive(core::Archive& to) {
      to(known);
      if (known) to(a);
    }
  };

  static constexpr const char* failure =
      "Newton's method found no acceleration a with M a = f(x + beta h^2 a); a shorter step may have one";

  PushedForce(S system, double beta)
      : equation_(std::move(system)), beta_(beta), q_(equation_.system().space().vector()), v_(q_), a_(q_), r_(q_) {}

  S& system() { return equation_.system(); }
  void archive(core::Archive& a) { a(equation_); }
  long factorisations() const { return equation_.factorisations(); }

  // F(t, x; h) [N] (n)
  [[gnu::always_inline]] StepReport operator()(double t, const Vector& x, double h, Memory& last, Vector& F) {
    using algebra::dot;
    const AccelerationWeights at{t, h, beta_ * h * h, 0};
    algebra::Scratch<Space, Vector> a = a_, q = q_;
    if (last.known) [[likely]]
      a = last.a;
    else
      equation_.start(t, algebra::detached<Space>(x), v_, a);
    const StepReport report =
        equation_.conservative() ? equation_.solve_conservative(at, x, a, q) : solve(at, algebra::detached<Space>(x), a);
    if (!report.converged) [[unlikely]]
      return report;
    equation_.momentum(a, F);
    if (!std::isfinite(dot(F, F))) [[unlikely]]
      return {report.iterations, false, 1};
    last.known = true;
    last.a = a;
    return report;
  }

  // |M a - f| / (|M a| + |f|) at q = x + beta h^2 a
  double residual(double t, const Vector& x, double h, const Memory& last) {
    using algebra::dot;
    q_ = x + (beta_ * h * h) * last.a;
    const double size = equation_.rest(t, q_, v_, last.a, r_);
    return size > 0 ? std::sqrt(dot(r_, r_)) / size : 0;
  }

 private:
  [[gnu::noinline]] StepReport solve(const AccelerationWeights& at, const Vector& x, Vector& a) {
    return equation_.solve(at, x, v_, a);
  }

  AccelerationEquation<S> equation_;
  double beta_;
  Vector q_, v_, a_, r_;  // v_ is zero: no force depends on it
};

}  // namespace actio::method
