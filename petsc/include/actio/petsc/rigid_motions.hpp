#pragma once
#include <petscmat.h>
#include <actio/petsc/handle.hpp>
#include <actio/petsc/vector.hpp>
#include <span>

namespace actio::petsc {

using NullSpace = Handle<MatNullSpace, MatNullSpaceDestroy>;

// Translations and rotations of the nodes at `places` [m] (three coordinates each), orthonormal: what costs an elastic body no
// energy, for multigrid to keep on its coarse levels. Zero at `fixed` coordinates of this rank (0: its first), which do not move;
// motions that this leaves nothing of, or nothing new, are left out. Collective.
NullSpace rigid_motions(const Vector& places, std::span<const PetscInt> fixed);

}  // namespace actio::petsc
