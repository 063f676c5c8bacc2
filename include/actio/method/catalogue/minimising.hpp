#pragma once
#include <actio/discrete/nodes.hpp>
#include <actio/method/method.hpp>

// Friction by a minimum principle (minimising_newmark.hpp, two_step.hpp).
namespace actio::method {

struct MinimisingNewmark {
  double beta = 0.25, gamma = 0.5, sigma = 0.5;
  static constexpr Description description{
      "minimising-newmark", "Newmark as a minimum principle, friction in an incremental potential; beta = 0 is explicit",
      "q1 minimises (q - q_pre)'M(q - q_pre)/(2 h^2) + beta [V(q) + h phi(q0 + sigma (q - q0), (q - q0)/h) - f(t1) . q],  "
      "M a1 = f(t1) - grad of [...],  v1 = v0 + h [(1 - gamma) a0 + gamma a1]",
      "without friction as newmark; with friction order 1", "KMOW (3.17)-(3.23), 5.4"};
  static constexpr Traits traits{.separable = true, .minimises = true, .symmetric_if = "gamma = 0.5"};
  static constexpr auto fields() {
    return std::tuple{
        Field{"beta", &MinimisingNewmark::beta, 0.0, 10.0, "weight of the new acceleration in the position"},
        Field{"gamma", &MinimisingNewmark::gamma, 0.0, 10.0,
              "weight of the new acceleration in the velocity; 1/2 is second order without friction, more dissipates"},
        Field{"sigma", &MinimisingNewmark::sigma, 0.0, 1.0, "phi takes its q at q0 + sigma (q1 - q0)"}};
  }
  Properties properties() const {
    return {.order = gamma == 0.5 ? 2 : 1,
            .symmetric = gamma == 0.5,
            .keeps = gamma != 0.5 ? Keeps::nothing
                     : beta == 0  ? Keeps::canonical
                                  : Keeps::conjugate_form,
            .order_with_friction = 1,
            .balances_linear = beta == 0.25 && gamma == 0.5};  // Karow (13), with the friction of (3.20)
  }
};

struct TwoStep {
  double alpha = 0.5;
  bool symmetric_sum = true;
  static constexpr Description description{
      "two-step", "discrete Euler-Lagrange predictor of Ld^alpha or Ld^{sym,alpha}, then friction by a minimum principle",
      "p0 = -D1 Ld(q0, q0 + h w_pred) - Fd-,  w minimises (w - w_pred)'M(w - w_pred)/2 + h phi(q0, w),  q1 = q0 + h w,  "
      "p1 = D2 Ld(q0, q1) + Fd+",
      "without friction as variational; with friction order 1", "KMOW 5.3, (5.14)-(5.17), Theorem 5.2"};
  static constexpr Traits traits{.separable = true, .symmetric_if = "symmetric = true or alpha = 0.5"};
  static constexpr auto fields() {
    return std::tuple{Field{"alpha", &TwoStep::alpha, 0.0, 1.0, "where between q0 and q1 the Lagrangian is evaluated"},
                      Field{"symmetric", &TwoStep::symmetric_sum, "the mean of alpha and 1 - alpha"}};
  }
  Properties properties() const {
    const bool symmetric = symmetric_sum || alpha == 0.5;
    return {.order = symmetric ? 2 : 1, .symmetric = symmetric, .order_with_friction = 1};
  }
  discrete::Nodes nodes() const { return symmetric_sum ? discrete::Nodes::symmetric(alpha) : discrete::Nodes::one(alpha); }
};

}  // namespace actio::method
