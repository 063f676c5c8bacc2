#pragma once
#include <petscsys.h>

#include <actio/core/archive.hpp>
#include <actio/system/model.hpp>
#include <cstdint>
#include <vector>

namespace actio::petsc {

// Who owns which coordinates of a model. Ranks number theirs one after another: rank r has the numbers first[r] to
// first[r + 1] - 1. The three coordinates of a node of a solid stay together.
struct Partition {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, ranks = 1;
  std::vector<PetscInt> number;  // of coordinate i of the model
  std::vector<PetscInt> first;   // (ranks + 1)
  std::vector<bool> of_node;     // coordinate i is the first of a node's three
  // The same of constraints, which are of the rank of their first coordinate.
  std::vector<PetscInt> constraint, first_constraint;

  PetscInt owned() const { return count(first); }
  PetscInt constraints() const { return count(first_constraint); }
  int owner(PetscInt number) const;

 private:
  PetscInt count(const std::vector<PetscInt>& of) const {
    return of[static_cast<std::size_t>(rank) + 1] - of[static_cast<std::size_t>(rank)];
  }
};

// By whose numbers an archive of what each rank has of its own goes: it is read by the same only.
class PartitionChecksum {
 public:
  explicit PartitionChecksum(const Partition& p);
  // Throws core::InputError on all ranks where one reads what was dealt out otherwise. Collective when reading.
  void archive(core::Archive& a) const;
  std::uint32_t sum() const { return sum_; }

 private:
  MPI_Comm comm_;
  std::uint32_t sum_;  // of all numbers
};

// Coordinates that meet in an element, a constraint or an entry of a matrix are neighbours; few neighbours end up on two ranks,
// by PT-Scotch or ParMETIS as PETSc has them (-mat_partitioning_type). A few coordinates, and those of a PETSc without either,
// are dealt out in equal blocks. Every rank has the whole model. Collective. Throws core::InputError where there are more ranks
// than nodes.
Partition partition(MPI_Comm comm, const system::Model& model);

}  // namespace actio::petsc
