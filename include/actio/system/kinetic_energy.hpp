#pragma once
#include <actio/system/model.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace actio::system {

// What became of the kinetic energies of a model's Lagrangians.
struct KineticEnergy {
  std::string why_not;  // "", or why velocities stay in a Lagrangian, in words: "\"arm\" has x'^2 times something of x"
  std::vector<std::int32_t> no_mass;  // the mass has their row empty, but for a placeholder on the diagonal
};

// Where every Lagrangian is 1/2 v'Mv - V(q, t) with a constant M, these M go into model.mass, added to what is there, and what is
// left of the Lagrangians are potentials. That is decided on the expressions, exactly: all second derivatives by velocities are
// constants, and the first vanish at v = 0. The sum of the M must be positive definite but for empty rows, which get the smallest
// of the other diagonal entries. Otherwise the model stays as it is. Bodies keep masses of their own: no Lagrangian has their
// velocities.
KineticEnergy take_mass_from_terms(Model& model);

// Why v . dL/dv / 2 is not the kinetic energy: a Lagrangian has a part that is neither quadratic in the velocities nor free of
// them. "" where it is.
std::string why_no_kinetic_energy(const Model& model);

}  // namespace actio::system
