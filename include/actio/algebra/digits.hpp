#pragma once

namespace actio::algebra {

// How much of a solution by a factor is wanted: what rounding leaves; or what an iteration needs that corrects it, a thousandth
// or better.
enum class Digits { all, few };

}  // namespace actio::algebra
