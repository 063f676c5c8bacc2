#pragma once
#include <actio/system/potential_abi.h>

#include <memory>
#include <string>

namespace actio::system {

// Loads and checks a user's potential. Throws core::InputError. The library stays loaded as long as the pointer lives.
std::shared_ptr<const actio_potential> load_library(const std::string& path, long n, long parameters);

}  // namespace actio::system
