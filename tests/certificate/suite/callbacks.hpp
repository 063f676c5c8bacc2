#pragma once
#include <string_view>

#include "suite.hpp"

namespace certificate {

// What a code of one's own that assembles the ring gets wrong.
enum class Wrong { nothing, twice, half, sign, curl, tangent, energy, time, no_energy };
std::string_view word(Wrong wrong);
// The model of the ring by callbacks, in place of what was read.
void take_callbacks(io::Problem& problem, Wrong wrong);

}  // namespace certificate
