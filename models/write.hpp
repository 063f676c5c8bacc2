#pragma once
#include <string>

#include "structure.hpp"

namespace models {

// M.mtx and S.mtx (Matrix Market, symmetric), and ground.csv: a row per coordinate, columns node, k (which of the node's
// coordinates), fixed (1 where it is clamped), x, y, z: the motion of the coordinate when the ground moves by 1 in that
// direction. A ground acceleration a(t) in x is then the load -M x a(t). The folder is made. Throws std::runtime_error when a
// file cannot be written.
void write(const Structure& structure, const std::string& folder);

}  // namespace models
