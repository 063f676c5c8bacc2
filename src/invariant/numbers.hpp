#pragma once
#include <limits>

namespace actio::invariant {

inline constexpr double eps = std::numeric_limits<double>::epsilon();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace actio::invariant
