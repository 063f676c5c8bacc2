#pragma once
#include <string>

#include <Eigen/SparseCore>

namespace actio::io {

// A real matrix from a Matrix Market file: coordinate or array, real or integer, general or symmetric. Entries that are given
// twice add up; of a symmetric matrix both triangles are returned. Sizes are checked against the file's length, and against
// `expected` (rows and columns, when not negative), before memory is taken.
// Throws core::InputError at the file's line and column.
//   Boisvert, Pozo, Remington, The Matrix Market exchange formats: initial design, NISTIR 5935 (1996).
Eigen::SparseMatrix<double> read_matrix_market(const std::string& path, long expected = -1);

}  // namespace actio::io
