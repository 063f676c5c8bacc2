#pragma once
#include <actio/petsc/partition.hpp>
#include <actio/system/model.hpp>
#include <vector>

namespace actio::petsc {

// What one rank computes of a model: elements and constraints whose first coordinate it owns, forces on coordinates it owns, and
// entries (i, j), (j, i) of the matrices where it owns the one with the larger number. The shares of all ranks add up to the
// model.
//
// Its coordinates are those the rank owns, by number, then its ghosts, by number: those of other ranks that its elements and
// entries name, and with symmetries those that the generators at these name.
struct LocalModel {
  system::Model model;      // without symmetries, bodies and solids; M = 1, for the mass is shared out as well:
  system::MassMatrix mass;  // zero in the rows of ghosts that other ranks add to; none, diagonal or full, as the model's
  // Where constraints are taken as a motion (system/motion.hpp): coordinates that are fixed or prescribed, and what the mass has
  // in rows and columns of prescribed ones, which is not in `mass` then.
  std::vector<std::int32_t> dirichlet;
  Eigen::SparseMatrix<double> coupling;
  PetscInt owned = 0;            // coordinates
  std::vector<PetscInt> ghosts;  // their numbers, ascending
  std::vector<PetscInt> number;  // of every local coordinate
};
LocalModel local_model(const system::Model& model, const Partition& partition, bool symmetries = false, bool prescribed = false);

}  // namespace actio::petsc
