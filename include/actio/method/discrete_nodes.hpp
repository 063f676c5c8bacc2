#pragma once
#include <actio/discrete/nodes.hpp>
#include <actio/method/spec.hpp>
#include <optional>

namespace actio::method {

// The nodes of the discrete Lagrangian Ld = h sum_j b_j L(q0 + c_j h w, w) whose steps the method takes
// (discrete/quadrature.hpp); none where its discrete Lagrangian is not of this form, it has none, or its steps are composed.
std::optional<discrete::Nodes> discrete_nodes(const Spec& spec);

}  // namespace actio::method
