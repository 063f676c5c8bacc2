#pragma once
#include <string>

#include <actio/expr/kernel.hpp>

namespace actio::expr {

// The function of source number k in the C text.
std::string c_name(const KernelSource& source, std::size_t k);

}  // namespace actio::expr
