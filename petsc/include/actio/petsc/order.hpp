#pragma once
#include <actio/petsc/vector.hpp>
#include <vector>

namespace actio::petsc {

// Entry i of a model is entry number[i] of x. Such vectors, and copies of them, are archived whole and in the model's order, the
// same bytes on all ranks, which any number of ranks can read; of others each rank archives its own numbers.
void keep_order(Vector& x, const std::vector<PetscInt>& number);

}  // namespace actio::petsc
