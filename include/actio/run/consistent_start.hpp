#pragma once
#include <string>
#include <vector>

#include <Eigen/Core>

#include <actio/core/error.hpp>
#include <actio/invariant/constraints.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/model.hpp>

// A constrained run starts on its constraints, g(t, q) = 0, and along them, G v + g_t = 0.
namespace actio::run {

// A start this far off, relative to the size of the positions and velocities, is taken as meant to be on the constraints.
inline constexpr double start_tolerance = 1e-9;

// A start that does not satisfy the constraints: by its velocity, or by its position.
struct StartError : core::InputError {
  StartError(bool by_velocity, std::string_view message, std::string_view hint)
      : InputError(message, hint), velocity(by_velocity) {}
  bool velocity;
};

// Checks q, v at the time t; where `project` asks for it, moves them there the shortest way in the metric of the mass, and says
// how far that was. Throws StartError: not on the constraints and not to be projected, or nothing near that is; and
// system::ConstraintError: constraints that depend on one another (and the model does not take them in the least-squares sense).
// A system without constraints keeps the start that the file gives; so does one with a penalty that is not to be projected.
method::Correction make_consistent(const system::Model& model, invariant::ConstraintMap& constraints,
                                   method::Integrator& integrator, double t, bool project, Eigen::VectorXd& q,
                                   Eigen::VectorXd& v);

// The numbers of constraints whose gradients depend on one another at q; empty when they are independent.
std::vector<long> redundant(invariant::ConstraintMap& constraints, double t, const Eigen::VectorXd& q);

}  // namespace actio::run
