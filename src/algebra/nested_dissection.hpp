#pragma once
#include <actio/algebra/sparse.hpp>
#include <vector>

namespace actio::algebra {

// The order of nested dissection of a symmetric pattern, by METIS: row k of the permuted matrix is row order[k].
//   G. Karypis, V. Kumar, A fast and high quality multilevel scheme for partitioning irregular graphs, SIAM J. Sci. Comput. 20
//   (1998) 359.
std::vector<int> nested_dissection(const SparseMatrix& pattern);

}  // namespace actio::algebra
