#pragma once
#include <vector>

namespace actio::discrete {

// A path of one step that is a polynomial of degree m, q(t + c h) = q0 + h int_0^c v(s) ds, and a quadrature of its action:
//
//   Ld = h sum_k b_k L(q(c_k), v(c_k)),   v(s) = sum_j l_j(s) W_j,   l_j the Lagrange polynomials of the m Gauss nodes
//
// The W_j are where this is stationary with q0, q1 fixed. In position-momentum form, with beta_j the weights of Gauss:
//
//   sum_k E_jk L_v(k) = p0 + h sum_k Abar_jk (L_q + F)(k),   q1 = q0 + h sum_j beta_j W_j,   p1 = p0 + h sum_k b_k (L_q + F)(k)
//   A_kj = int_0^{c_k} l_j,   E_jk = b_k l_j(c_k)/beta_j,   Abar_jk = b_k (1 - A_kj/beta_j)
//
// gauss(m): quadrature at the same nodes, E = 1; the Runge-Kutta method of Gauss where L = 1/2 v'Mv - V. Order 2m; midpoint is
// gauss(1). lobatto(m): at the m + 1 nodes of Lobatto, with both ends. Order 2m; Verlet is lobatto(1).
//   J. E. Marsden, M. West, Acta Numerica 10 (2001) 357, 2.2.6; E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration,
//   VI.6.2.
struct Galerkin {
  using Matrix = std::vector<std::vector<double>>;
  int degree = 1;
  std::vector<double> nodes, weights;    // c_k, b_k (r)
  std::vector<double> path_nodes, beta;  // of the W_j (m)
  Matrix A, values, E, Abar;             // (r, m), l_j(c_k) (r, m), (m, r), (m, r)
  bool collocated = false;               // the nodes are those of the W_j
  // For iterations (method/galerkin.hpp). Of gauss(m): gamma = the least absolute eigenvalue of A, and gamma A^-1. Of lobatto(m):
  // gamma^2 = the mean of the eigenvalues of Abar A.
  double gamma = 0, amplification = 1;  // what gamma A^-1 makes of rounding
  Matrix scaled_inverse{};
  // Of lobatto(m) with constraints at its nodes: the inverses of A_kj for k = 1 .. m, and of C_jk = Abar_jk/b_k for k = 0 .. m
  // - 1.
  Matrix node_inverse{}, force_inverse{};

  static constexpr int most = 6;
  static Galerkin gauss(int degree);    // degree from 1 to most
  static Galerkin lobatto(int degree);  // the same

  // l_j(s) of the nodes of the W_j, beyond the step too.
  double basis(int j, double s) const;
  // The same of the nodes of the quadrature.
  double node_basis(int k, double s) const;
};

}  // namespace actio::discrete
