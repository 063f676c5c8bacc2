#pragma once
#include <actio/discrete/nodes.hpp>
#include <actio/method/method.hpp>

// Discrete Euler-Lagrange equations (variational.hpp), with constraints (constrained.hpp).
namespace actio::method {

struct Variational {
  double alpha = 0.5;
  bool symmetric_sum = true;
  static constexpr Description description{
      "variational", "discrete Euler-Lagrange equations of Ld^alpha or Ld^{sym,alpha}, any Lagrangian L(q, v)",
      "p0 = -D1 Ld(q0, q1),  p1 = D2 Ld(q0, q1),  Ld = h L((1-alpha) q0 + alpha q1, (q1-q0)/h), or the mean of that with alpha "
      "and 1-alpha",
      "symplectic form, momentum; energy bounded", "KMOW (2.2), (2.6), (2.16)"};
  static constexpr Traits traits{.constraints = Constraints::kept,
                                 .distributed = true,
                                 .distributed_constraints = true,
                                 .static_sizes = true,
                                 .symmetric_if = "symmetric = true or alpha = 0.5"};
  static constexpr auto fields() {
    return std::tuple{
        Field{"alpha", &Variational::alpha, 0.0, 1.0, "where between q0 and q1 the Lagrangian is evaluated"},
        Field{"symmetric", &Variational::symmetric_sum, "the mean of alpha and 1 - alpha, second order for every alpha"}};
  }
  Properties properties() const {
    const bool symmetric = symmetric_sum || alpha == 0.5;
    return {.order = symmetric ? 2 : 1,  // of the momentum; positions of Ld^alpha are conjugate to second order
            .symmetric = symmetric,
            .balances_linear = alpha == 0.5};
  }
  discrete::Nodes nodes() const { return symmetric_sum ? discrete::Nodes::symmetric(alpha) : discrete::Nodes::one(alpha); }
};

struct Midpoint {
  static constexpr Description description{"midpoint", "implicit midpoint rule, variational with alpha = 1/2",
                                           "p0 = -D1 Ld(q0, q1),  p1 = D2 Ld(q0, q1),  Ld = h L((q0+q1)/2, (q1-q0)/h)",
                                           "symplectic form, momentum, quadratic invariants; energy bounded",
                                           "KMOW (2.18), Theorem 2.1"};
  static constexpr Traits traits{
      .constraints = Constraints::kept, .distributed = true, .distributed_constraints = true, .static_sizes = true};
  static constexpr auto fields() { return std::tuple{}; }
  Properties properties() const { return {.balances_linear = true}; }
  discrete::Nodes nodes() const { return discrete::Nodes::one(0.5); }
};

struct Rattle {
  static constexpr Description description{
      "rattle", "Verlet with constraints: positions and velocities on them; without any, Verlet. Any Lagrangian L(q, v)",
      "p0 = -D1 Ld(q0, q1) - G0' eta,  g(t1, q1) = 0,  p1 = D2 Ld(q0, q1) + G1' mu,  G1 v1 + g_t = 0,  Ld = h/2 [L(q0, w) + "
      "L(q1, "
      "w)],  w = (q1 - q0)/h",
      "symplectic form on the constraints, momentum; energy bounded",
      "Andersen, J. Comput. Phys. 52 (1983) 24; KMOW (2.16) with alpha = 0 and multipliers"};
  static constexpr Traits traits{.needs_constraints = true,
                                 .matrices = Matrices::mass,
                                 .constraints = Constraints::kept,
                                 .distributed = true,
                                 .distributed_constraints = true,
                                 .static_sizes = true};
  static constexpr auto fields() { return std::tuple{}; }
  Properties properties() const { return {.two_halves = true}; }
  discrete::Nodes nodes() const { return discrete::Nodes::symmetric(0); }
};

struct Shake {
  static constexpr Description description{
      "shake", "Verlet with constraints on positions: the path of rattle; output velocities are projected onto the constraints",
      "p0 = -D1 Ld(q0, q1) - G0' eta,  g(t1, q1) = 0,  p1 = D2 Ld(q0, q1),  Ld = h/2 [L(q0, w) + L(q1, w)],  w = (q1 - q0)/h",
      "symplectic form on the constraints, momentum; energy bounded",
      "Ryckaert, Ciccotti and Berendsen, J. Comput. Phys. 23 (1977) 327; TO 6; WM"};
  static constexpr Traits traits{.needs_constraints = true,
                                 .matrices = Matrices::mass,
                                 .constraints = Constraints::kept,
                                 .distributed = true,
                                 .distributed_constraints = true,
                                 .static_sizes = true};
  static constexpr auto fields() { return std::tuple{}; }
  Properties properties() const { return {}; }
  discrete::Nodes nodes() const { return discrete::Nodes::symmetric(0); }
};

}  // namespace actio::method
