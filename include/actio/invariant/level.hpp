#pragma once
#include <string_view>

namespace actio::invariant {

// How much of a run's time its certificate may take: quick, one state; standard, a tenth of the run or half a second, whichever
// is larger; full, all states with every difference; off, the step is not measured.
enum class Level { off, quick, standard, full };
std::string_view word(Level level);

}  // namespace actio::invariant
