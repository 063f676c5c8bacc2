#pragma once
#include <string>

#include <actio/expr/kernel.hpp>

namespace actio::expr {

// The function of source number k in the C text.
std::string c_name(const KernelSource& source, std::size_t k);

// What stands before the functions of a C text: macros, and the functions of the math library. `batches`: some loop over
// elements.
std::string declarations(bool vector_functions, bool batches);

}  // namespace actio::expr
