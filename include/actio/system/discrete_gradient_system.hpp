#pragma once
#include <actio/system/constrained.hpp>

// What the energy-momentum method asks of a system L = 1/2 v'Mv - V(t, q): the discrete gradient of V between q0 and q1, with
// DV . (q1 - q0) = V(t, q1) - V(t, q0) at one time t, and that of each constraint. Models have it term by term
// (discrete_gradient_model.hpp), systems of your own by WithDiscreteGradient (with_discrete_gradient.hpp).
namespace actio::system {

template <class S>
concept DiscreteGradientSystem = Separable<S> && requires(S& s, double t, double w, const typename S::Space::Vector& q,
                                                          typename S::Space::Vector& f, typename S::Space::Matrix& K) {
  s.begin_step(t, q);                   // q0, and the time; what follows is between it and a q1
  s.discrete_force(q, f);               // f = -DV(q0, q1) [N] (n), from q1
  s.discrete_stiffness(q, w, w, f, K);  // that, and K = wM M + wV dDV/dq1 (n x n)
  s.discrete_roundoff(f);               // |f_i| that rounding of V made of the last of those [N] (n)
};

// DG, with DG (q1 - q0) = g(t, q1) - g(t, q0), has the pattern of dg/dq.
template <class S>
concept ConstrainedDiscreteGradientSystem = DiscreteGradientSystem<S> && Constrained<S> &&
    requires(S& s, double w, const typename S::Space::Vector& q, const typename S::KktSolver::Multipliers& eta,
             typename S::KktSolver::Jacobian& DG, typename S::Space::Matrix& K) {
  s.discrete_jacobian(q, DG);             // DG(q0, q1) (m x n), from q1
  s.discrete_jacobian(q, eta, w, DG, K);  // that, and K += w d(DG' eta)/dq1
};

}  // namespace actio::system
