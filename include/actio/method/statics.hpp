#pragma once
#include <Eigen/Core>
#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>

namespace actio::method {

struct Statics {
  Eigen::VectorXd q;   // (n)
  int load_steps = 0;  // in which the load was put on; 0: there was none
  int iterations = 0;  // of Newton's method
  double moved = 0;    // the largest |q - q0|
};

// Where a system at rest stays at rest at time t: r(q) = grad V(t, q) - F(t, q, 0) = 0, near q0 (n). Newton's method on
// r(q) = (1 - s) r(q0), s from 0 to 1 in steps that are halved where it does not converge: of a solid at rest that is to put its
// loads on by parts (Wriggers, Nonlinear Finite Element Methods (2008) 5.1). A coordinate that is fixed, or that a constraint
// gives as a function of time, stays where it is; those of a solid otherwise at rest come there from its mesh in the same steps,
// d, and the others begin each of them at -K_ff^-1 K_fd d. Throws core::InputError: equations in place of a Lagrangian, bodies,
// other constraints, a Lagrangian that is not 1/2 v'Mv - V; nothing found. What is found may be unstable.
Statics equilibrium(const system::Model& model, double t, const Eigen::VectorXd& q0, const expr::CompileOptions& options = {});

}  // namespace actio::method
