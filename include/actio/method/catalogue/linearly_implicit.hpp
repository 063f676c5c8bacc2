#pragma once
#include <actio/method/method.hpp>

// Velocity Verlet with a force that belongs to the step (linearly_implicit.hpp). beta = 0.3 by default: from 1/4 on stable on
// every linear system, the error grows with beta, and a little above 1/4 leaves room for a curvature V'' that changes from step
// to step. TO take 0.3 and 0.4.
namespace actio::method {

inline constexpr const char* linearly_implicit_beta =
    "weight of V'' in the step's matrix M + beta h^2 V''; 1/4 or more is unconditionally stable on linear systems";

struct ZhangSkeel {
  double beta = 0.3;
  static constexpr Description description{
      "zhang-skeel", "Zhang and Skeel: symplectic, one linear solve a step, for stiff potentials with long steps",
      "p += h/2 F(x0), x1 = x0 + h M^-1 p, p += h/2 F(x1),  F = M a - beta^2 h^4/2 V'''(x)[a, a],  (M + beta h^2 V''(x)) a = "
      "f(x)",
      "symplectic form, momentum; energy bounded", "Zhang and Skeel (1997); TO (3), Theorems 1.1, 2.2-2.5"};
  static constexpr Traits traits{.separable = true,
                                 .velocity_forces = false,
                                 .third_derivatives = true,
                                 .matrices = Matrices::potential,
                                 .static_sizes = true};
  static constexpr auto fields() { return std::tuple{Field{"beta", &ZhangSkeel::beta, 0.0, 10.0, linearly_implicit_beta}}; }
  Properties properties() const { return {}; }
};

struct ZhangSkeelSimplified {
  double beta = 0.3;
  static constexpr Description description{
      "zhang-skeel-simplified", "zhang-skeel without third derivatives: symmetric, not symplectic",
      "p += h/2 F(x0), x1 = x0 + h M^-1 p, p += h/2 F(x1),  F = M a,  (M + beta h^2 V''(x)) a = f(x)",
      "nothing; it is symmetric, and its symplecticity defect a step is O(h^5)", "TO (18), Theorem 2.1"};
  static constexpr Traits traits{.separable = true, .velocity_forces = false, .matrices = Matrices::potential};
  static constexpr auto fields() {
    return std::tuple{Field{"beta", &ZhangSkeelSimplified::beta, 0.0, 10.0, linearly_implicit_beta}};
  }
  Properties properties() const { return {.keeps = Keeps::nothing}; }
};

struct ZhangSkeelStiff {
  double beta = 0.3;
  static constexpr Description description{"zhang-skeel-stiff",
                                           "zhang-skeel-simplified with the Hessian of the stiff terms alone",
                                           "p += h/2 F(x0), x1 = x0 + h M^-1 p, p += h/2 F(x1),  F = M a,  (M + beta h^2 "
                                           "V1''(x)) a = f(x),  V1: the terms with stiff = true, and the stiffness matrix",
                                           "nothing; it is symmetric", "TO (19)"};
  static constexpr Traits traits{.separable = true, .velocity_forces = false, .matrices = Matrices::stiff};
  static constexpr auto fields() { return std::tuple{Field{"beta", &ZhangSkeelStiff::beta, 0.0, 10.0, linearly_implicit_beta}}; }
  Properties properties() const { return {.keeps = Keeps::nothing}; }
};

struct PushForwardNewmark {
  double beta = 0.3;
  static constexpr Description description{
      "push-forward-newmark", "Newmark with gamma = 1/2 in the coordinates x = q - beta h^2 a, where it is symplectic",
      "p += h/2 F(x0), x1 = x0 + h M^-1 p, p += h/2 F(x1),  F = M a,  M a = f(x + beta h^2 a)",
      "symplectic form, momentum; energy bounded", "TO (14); KMOW Theorem 3.5"};
  static constexpr Traits traits{.separable = true, .velocity_forces = false};
  static constexpr auto fields() {
    return std::tuple{Field{"beta", &PushForwardNewmark::beta, 0.0, 10.0, linearly_implicit_beta}};
  }
  Properties properties() const { return {}; }
};

}  // namespace actio::method
