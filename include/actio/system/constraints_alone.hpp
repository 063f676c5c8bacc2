#pragma once
#include <actio/system/assembled.hpp>

namespace actio::system {

// The constraints of a model, or those that a penalty stands for, as a system without forces, with the diagonal of its mass or
// with unit masses: to evaluate g, g_t and G outside a step.
//
//   auto system = constraints_alone(problem.model);
//   auto g = system.kkt_solver().multipliers();
//   system.constraint(t, q, g);               // (m)
Assembled<algebra::SparseSpace> constraints_alone(const Model& model, const expr::CompileOptions& options = {});

}  // namespace actio::system
