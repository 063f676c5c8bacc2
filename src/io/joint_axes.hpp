#pragma once
#include <string>
#include <vector>

#include <Eigen/Core>

#include <actio/run/observable.hpp>

#include "expression.hpp"
#include "section.hpp"

// Directions fixed in the bodies of joints.
namespace actio::io {

// Entry k of `axes` of a joint, along the axes of its body, of length 1. Throws where it differs between joints or is 0.
Eigen::Vector3d axis_of_joint(const Expression& e, const Section& section, const Vector& axis, std::size_t k);
// (R_A a) . (R_B b)
expr::Id dot_in_space(expr::Graph& g, const Vector& A, const Eigen::Vector3d& a, const Vector& B, const Eigen::Vector3d& b);

// The angles of revolute joints that are one each, hidden observables "angle(hinge)": of the first body relative to the second,
// right-handed about the axis. It is 0 where the axes of both bodies are parallel; where the joint's axis is not the same in
// both, after the shortest rotation from the one to the other. Each is within half a turn: Observables counts turns.
std::vector<run::Observable> read_joint_angles(const Section& root, const SymbolTable& symbols);

}  // namespace actio::io
