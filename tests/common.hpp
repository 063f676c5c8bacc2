#pragma once
#include <actio/expr/kernel.hpp>
#include <limits>

// What the tests of every folder use.
namespace actio::test {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

// Nothing is compiled at run time: for tests of what a kernel's caller does with its values.
inline const expr::CompileOptions interpreted{"none", {}};

}  // namespace actio::test
