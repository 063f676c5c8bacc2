#pragma once
#include <utility>
#include <vector>

#include "expression.hpp"

namespace actio::io {

// The pairs (i, j), i < j < points, where a condition of the two loop indices holds, by i and then j. What is an equality of a
// number of i and a number of j, or such joined by `and` and `or`, is found without trying all pairs; else there is an error
// where these are too many.
std::vector<std::pair<long, long>> pairs_where(const Expression& condition, long points);

}  // namespace actio::io
