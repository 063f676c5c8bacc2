#pragma once
#include <actio/system/callbacks.hpp>
#include <memory>
#include <string>
#include <vector>

namespace actio::system {

// Loads and checks a user's potential (potential_abi.h) for n coordinates. Throws core::InputError. The library stays loaded as
// long as the pointer lives.
std::shared_ptr<const Callbacks> load_library(const std::string& path, long n, const std::vector<double>& parameters);

}  // namespace actio::system
