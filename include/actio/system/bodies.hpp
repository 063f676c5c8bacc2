#pragma once
#include <string>
#include <string_view>

#include <actio/system/model.hpp>

// Rigid bodies among the coordinates of a model: what their coordinates are called, their mass, and R'R = 1.
namespace actio::system {

// How many coordinates a body has: 9, or 12 with a position.
inline long size_of(const Body& body) { return body.position < 0 ? 9 : 12; }
// "R11", "R12", ... "R33", "x", "y", "z": the coordinates of a body in their order.
std::string_view body_entry(long k);

// J = tr(I)/2 1 - I [kg m^2], (3 x 3): 1/2 tr(R' J R'^T) is the kinetic energy 1/2 Omega . I Omega.
Eigen::Matrix3d ambient_inertia(const Eigen::Matrix3d& inertia);
// The principal inertias, ascending.
Eigen::Vector3d principal_inertias(const Eigen::Matrix3d& inertia);
// "" when J of every body is positive definite; else a sentence why the entries of R have no mass matrix. J is singular for a
// flat body, whose largest principal inertia is the sum of the others, and indefinite where it is more: no distribution of mass
// has that.
std::string no_ambient_mass(const Model& model);

// model.mass, of the coordinates before the first body's, gets the blocks of the bodies: J for each row of R, the mass for r. It
// stays diagonal where every inertia is.
void add_mass_of_bodies(Model& model);
// R'R = 1 for all bodies, at the end of the constraints: 3 elements a body each, the diagonal entries 11, 22, 33, then 12, 13, 23
// times sqrt 2. So their squares add up to |R'R - 1|^2 (Frobenius), and a penalty knows no axes of the body.
void add_rotation_constraints(Model& model);

// 3 x 3 by rows from the entries of R among the coordinates x (q, v, or momenta).
Eigen::Matrix3d rotation_of(const Body& body, const Eigen::VectorXd& x);

}  // namespace actio::system
