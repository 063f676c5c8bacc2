#pragma once
#include <actio/method/method.hpp>

// Galerkin methods of any order (galerkin.hpp).
namespace actio::method {

struct Gauss {
  int stages = 2;
  static constexpr Description description{
      "gauss", "Galerkin variational method at Gauss' nodes, of order 2 stages, any Lagrangian L(q, v)",
      "L_v(Q_i, W_i) = p0 + h sum_j abar_ij (L_q + F)(Q_j, W_j),  Q_i = q0 + h sum_j a_ij W_j,  q1 = q0 + h sum_j b_j W_j,  p1 = "
      "p0 + h sum_j b_j (L_q + F)(Q_j, W_j)",
      "symplectic form, momentum, quadratic invariants; energy bounded",
      "Marsden and West, Acta Numerica 10 (2001) 357, 2.2.6; KMOW 7"};
  static constexpr Traits traits{.distributed = true};
  static constexpr auto fields() {
    return std::tuple{Field{"stages", &Gauss::stages, 1, 6, "points within a step; the order is twice their number"}};
  }
  Properties properties() const { return {.order = 2 * stages, .balances_linear = true}; }
};

struct Lobatto {
  int degree = 2;
  static constexpr Description description{
      "lobatto",
      "Galerkin variational method at Lobatto's nodes, of order 2 degree, any Lagrangian L(q, v), with constraints; for small "
      "steps",
      "stationary Ld = h sum_k b_k L(q(c_k), q'(c_k)) of polynomials q of the degree, c_k with both ends of the step; with "
      "constraints g(t_k, q(c_k)) = 0 at each, and G1 v1 + g_t = 0",
      "symplectic form, momentum; energy bounded",
      "Marsden and West, Acta Numerica 10 (2001) 357, 2.2.6; L. Jay, SIAM J. Numer. Anal. 33 (1996) 368; KMOW 7"};
  static constexpr Traits traits{.redundant_constraints = false, .constraints = Constraints::kept, .distributed = true};
  static constexpr auto fields() {
    return std::tuple{Field{"degree", &Lobatto::degree, 1, 6, "of the path; the order is twice that"}};
  }
  Properties properties() const { return {.order = 2 * degree}; }
};

}  // namespace actio::method
