#pragma once
#include <actio/algebra/symmetric.hpp>
#include <actio/method/kick.hpp>
#include <actio/method/stepper.hpp>
#include <actio/solve/factorisations.hpp>
#include <cmath>
#include <utility>

// Forces F(t, x; h) that kick a step of h in place of f = -grad V + F_ext(t, x), by one symmetric linear solve (TO 16):
//
//   (M + beta h^2 V''(x)) a = f(t, x)
//
//   full         F = M a - 1/2 beta^2 h^4 V'''(x)[a, a]           Zhang and Skeel, TO (3)
//   simplified   F = M a                                          TO (18)
//   stiff        F = M a, with V1'' of the stiff terms for V''    TO (19)
//
// Without F_ext the F of `full` is -grad W, W(x) = V + beta h^2 a'grad V + 1/2 beta^2 h^4 a'V''a + 1/2 beta h^2 a'Ma, where a
// makes W stationary (TO 2). So its Jacobian is symmetric and the step symplectic (TO Lemma 2.1); that of the others is not,
// beyond one degree of freedom.
namespace actio::method {

enum class LinearForm { full, simplified, stiff };

template <system::Separable S, LinearForm form>
class LinearForce {
  static_assert(form != LinearForm::full || system::Cubic<S>,
                "zhang-skeel needs third derivatives: give the potential `third(q, a, out)`, which sets out to V3(q)[a, a], or "
                "take ZhangSkeelSimplifiedStepper");
  static_assert(form != LinearForm::stiff || system::Split<S>, "zhang-skeel-stiff needs a system that offers stiff_stiffness");

 public:
  using System = S;
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  struct Memory {};  // of the last solve: it needs none

  static constexpr const char* failure =
      "the step's matrix M + beta h^2 V'' is singular or not finite, or the step's force is not finite";

  LinearForce(S system, double beta)
      : system_(std::move(system)),
        beta_(beta),
        constant_(matrix_is_constant(system_)),
        a_(system_.space().vector()),
        f_(a_),
        v_(a_),
        K_(constant_ ? Matrix() : system_.space().matrix()),
        solver_(solver_of(system_.space())),
        kept_(system_.space()) {}

  S& system() { return system_; }
  void archive(core::Archive& a) { a.part(solver_)(kept_); }
  long factorisations() const { return kept_.count(); }

  // F(t, x; h) [N] (n); one solve.
  [[gnu::always_inline]] StepReport operator()(double t, const Vector& x, double h, Memory&, Vector& F) {
    using algebra::dot;
    const double shift = beta_ * h * h;
    algebra::Scratch<Space, Vector> a = a_;
    if (!solve(t, x, shift, a)) [[unlikely]]
      return {1, false, 1};
    system_.momentum(a, F);
    if constexpr (form == LinearForm::full) {
      if (!constant_) {
        algebra::Scratch<Space, Vector> third = f_;
        system_.third(t, x, a, third);
        F -= (0.5 * shift * shift) * third;
      }
    }
    const bool finite = std::isfinite(dot(F, F));
    return {1, finite, finite ? 0.0 : 1.0};
  }

  // |K a - f| / (|K a| + |f|), K = M + beta h^2 V''(x)
  double residual(double t, const Vector& x, double h, const Memory&) {
    using algebra::dot;
    const double shift = beta_ * h * h;
    if (!solve(t, x, shift, a_)) return 1;
    if (!(constant_ && kept_.multiply(shift, a_, v_))) {
      if (constant_ && K_.rows() == 0) K_ = system_.space().matrix();
      tangent(t, x, shift, f_, K_);
      Space::multiply(K_, a_, v_);
    }
    const double size = std::sqrt(dot(v_, v_)) + std::sqrt(dot(f_, f_));
    v_ -= 1.0 * f_;
    return size > 0 ? std::sqrt(dot(v_, v_)) / size : 0;
  }

 private:
  template <class T>
  static auto solver_of(const T& space) {
    if constexpr (requires { algebra::SymmetricSolver<T>(space); })
      return algebra::SymmetricSolver<T>(space);
    else
      return solve::Factor<T>(space);
  }
  using Solver = decltype(solver_of(std::declval<const Space&>()));

  static bool matrix_is_constant(const S& system) {
    if constexpr (form == LinearForm::stiff && requires { system.stiff_linear(); }) return system.stiff_linear();
    return system::is_linear(system);
  }

  // a = K^-1 f. False: K is singular, or not finite.
  [[gnu::always_inline]] bool solve(double t, const Vector& x, double shift, Vector& a) {
    if (constant_) [[unlikely]]
      return solve_constant(t, algebra::detached<Space>(x), shift, a);
    algebra::Scratch<Space, Vector> f = f_;
    algebra::Scratch<Space, Matrix> K = K_;
    algebra::Scratch<Space, Solver> solver = solver_;
    tangent(t, x, shift, f, K);
    if constexpr (requires { solver.factor_and_solve(K, f, a); }) {
      return solver.factor_and_solve(K, f, a);  // it pivots where it must
    } else {
      if (!solver.factor(K)) [[unlikely]]
        return solve_pivoted(algebra::detached<Space>(K), algebra::detached<Space>(f), a);
      solver.solve(f, a);
      return true;
    }
  }
  // One factorisation for every h.
  [[gnu::noinline]] bool solve_constant(double t, const Vector& x, double shift, Vector& a) {
    const auto K_of_h = [&](Matrix& K) {
      Vector f = f_;
      tangent(t, x, shift, f, K);
    };
    kick(system_, t, x, v_, f_);
    return kept_.solve(shift, K_of_h, f_, a);
  }
  [[gnu::noinline, gnu::cold]] bool solve_pivoted(const Matrix& K, const Vector& f, Vector& a) {
    if (!solver_.factor_pivoted(K)) return false;
    solver_.solve_pivoted(f, a);
    return true;
  }

  // f, and K = M + shift V''
  [[gnu::always_inline]] void tangent(double t, const Vector& x, double shift, Vector& f, Matrix& K) {
    if constexpr (form == LinearForm::stiff)
      system_.stiff_stiffness(t, x, 1.0, shift, f, K);
    else
      system_.stiffness(t, x, 1.0, shift, f, K);
    add_external(system_, t, x, v_, f);
  }

  S system_;
  double beta_;
  bool constant_;
  Vector a_, f_, v_;
  Matrix K_;
  Solver solver_;
  solve::Factorisations<Space> kept_;
};

}  // namespace actio::method
