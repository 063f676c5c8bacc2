#pragma once
#include <string>

#include <Eigen/SparseCore>

#include <actio/algebra/alignment.hpp>
#include <actio/core/error.hpp>

namespace actio::io {

// A real matrix from a Matrix Market file: coordinate or array, real or integer, general or symmetric, blank lines and any case.
// Entries that are given twice add up; of a symmetric matrix both triangles are returned. Sizes are checked against the file's
// length, and against `rows` and `columns` (when not negative), before memory is taken. Work grows linearly with the entries.
// Throws core::InputError at the file's line and column.
//   Boisvert, Pozo, Remington, The Matrix Market exchange formats: initial design, NISTIR 5935 (1996).
Eigen::SparseMatrix<double> read_matrix_market(const std::string& path, long rows = -1, long columns = -1);

// The rows of the square matrix in a file; only its first lines are read. Throws as above.
long matrix_market_size(const std::string& path);

// Where entry (i, j), counted from 0, stands in the file, or (j, i) where it is symmetric; the line with the sizes where it is
// not listed.
core::Source matrix_market_place(const std::string& path, long i, long j);

// The lower triangle of a symmetric matrix, as "coordinate real symmetric", with values that read back to the same bits.
// `comment`: lines that begin with %. Throws core::InputError when it cannot be written.
void write_matrix_market(const std::string& path, const Eigen::SparseMatrix<double>& matrix, const std::string& comment);

}  // namespace actio::io
