#pragma once
#include <actio/algebra/kkt.hpp>
#include <actio/system/lagrangian.hpp>

// Holonomic constraints g(t, q) = 0, m equations kept by the forces G' lambda with G = dg/dq (WM; TO 6):
//
//   d/dt dL/dv - dL/dq = F + G' lambda,   g(t, q) = 0
//
// A system without these members has none.
namespace actio::system {

template <class S>
concept Constrained = Lagrangian<S> && algebra::KktSolver<typename S::KktSolver> &&
    std::same_as<typename S::KktSolver::Vector, typename S::Space::Vector> &&
    requires(S& s, double t, const typename S::Space::Vector& q, typename S::KktSolver::Multipliers& g,
             typename S::KktSolver::Jacobian& G) {
  { s.constraints() } -> std::convertible_to<long>;  // m; 0: there are none
  { s.moving() } -> std::convertible_to<bool>;       // g depends on t
  { s.kkt_solver() } -> std::same_as<typename S::KktSolver>;
  s.constraint(t, q, g);                // g(t, q) (m)
  s.constraint_tangent(t, q, g, g, G);  // that, g_t = dg/dt (m), and G
};

template <class S>
bool is_constrained(const S& system) {
  if constexpr (Constrained<S>) return system.constraints() > 0;
  return false;
}

}  // namespace actio::system
