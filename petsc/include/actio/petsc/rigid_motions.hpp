#pragma once
#include <petscmat.h>
#include <actio/petsc/handle.hpp>
#include <actio/petsc/matrix.hpp>
#include <span>

namespace actio::petsc {

using NullSpace = Handle<MatNullSpace, MatNullSpaceDestroy>;

// Translations and rotations of the nodes at `places` [m] (three coordinates each), orthonormal: what costs an elastic body no
// energy, for multigrid to keep on its coarse levels. Zero at `fixed` coordinates of this rank (0: its first), which do not move;
// motions that this leaves nothing of, or nothing new, are left out. Collective.
NullSpace rigid_motions(const Vector& places, std::span<const PetscInt> fixed);

// The least energy of a motion z, of those that K has as its near null space or of `z` alone, beside that of its numbers each for
// itself: min |z'Kz|/(z'Dz), D the diagonal of K. Rounding where it moves freely; 1 where there is no motion. Collective.
double least_energy(const Matrix& K);
double least_energy(const Matrix& K, const Vector& z);

}  // namespace actio::petsc
