#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <actio/method/linearisation.hpp>
#include <actio/session/session.hpp>

// Modal analysis: a problem linearised at its start, and its lowest modes. What the program and the Python package share.
//
//   OneProcess here(stop);
//   LinearProblem linear = linear_problem(io::load("frame.toml"), {}, here);
//   Modes m = modes(linear, 10);
namespace actio::session {

// M u'' + K u = 0 of the coordinates that move, about the start; in equilibrium where initial.static asks for that.
struct LinearProblem {
  io::Problem problem;
  method::Linearisation motion;
  bool equilibrium = false;
};
// Throws core::InputError with the reason where a problem has none.
LinearProblem linear_problem(io::Problem problem, const Choices& choices, Execution& execution);

// A translation r, and what the modes have to do with it.
struct Direction {
  std::string name;
  double mass = 0;                 // of the coordinates that move: r'Mr
  Eigen::VectorXd participation;   // (k) x'Mr
  Eigen::VectorXd effective_mass;  // (k) the square of that; all modes together have the mass
  double share(long k) const { return mass > 0 ? effective_mass[k] / mass : 0; }
};

struct Modes {
  std::vector<std::string> coordinates;  // n names
  Eigen::VectorXd omega;                 // (k) [rad/s] 0 of a rigid mode, NaN of one that grows
  Eigen::VectorXd growth;                // (k) [1/s] of exp(growth t), 0 where it does not grow
  Eigen::VectorXd residual;              // (k) an eigenvalue w^2 is as near as this share of it; NaN of a rigid mode
  Eigen::MatrixXd shape;                 // (n x k) x'Mx = 1, the largest entry positive; 0 at coordinates that do not move
  std::vector<Direction> directions;     // x, y, z of solids; those of base; translations that are symmetries; or none
  long moving = 0;                       // coordinates
  long rigid = 0, growing = 0;           // among these modes
  std::string not_proved;                // "", or why it is not known that no lower mode is missing
  bool equilibrium = false;              // linearised in equilibrium
  std::string unit;                      // of the time, by time_unit

  long size() const { return omega.size(); }
  double frequency(long k) const;  // [1/s]
  double period(long k) const;     // [s], infinite of a rigid mode
  bool is_rigid(long k) const { return omega[k] == 0; }
  bool grows(long k) const { return growth[k] > 0; }
  // From 1, of those that are neither rigid nor growing; else 0. system.rayleigh.modes has these numbers.
  long number(long k) const;
};
// The lowest `count`; nothing: 10, or as many as there are. Throws core::InputError where there are fewer, and where they are not
// found.
Modes modes(const LinearProblem& linear, std::optional<long> count);

// Modes as text, as one JSON object, and as a file: .h5, .csv, or of solids .pvd. Throws core::InputError.
std::string text(const Modes& modes, const io::Problem& problem);
std::string json(const Modes& modes, const io::Problem& problem);
void need_format_of_modes(const std::string& path, const io::Problem& problem);  // throws where write_modes would for the name
void write_modes(const Modes& modes, const LinearProblem& linear, const std::string& path);
// PREFIX.M.mtx and PREFIX.K.mtx.
struct MatrixFiles {
  std::string mass, stiffness;
};
MatrixFiles matrix_files(const std::string& prefix);
void write_matrices(const LinearProblem& linear, const std::string& prefix);

}  // namespace actio::session
