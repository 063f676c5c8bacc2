#pragma once
#include <actio/system/model.hpp>
#include <vector>

namespace actio::discrete {

// Of each coordinate (n) the body whose rotation it belongs to, or -1.
std::vector<long> owners_of_rotations(const system::Model& model);

}  // namespace actio::discrete
