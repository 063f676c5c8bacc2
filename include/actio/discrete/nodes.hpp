#pragma once
#include <array>

namespace actio::discrete {

// A quadrature over a step: weights b_j, and nodes c_j between its ends.
struct Nodes {
  int count = 1;
  std::array<double, 2> b{1, 0}, c{0.5, 0};

  static constexpr Nodes one(double alpha) { return {1, {1, 0}, {alpha, 0}}; }
  static constexpr Nodes symmetric(double alpha) { return alpha == 0.5 ? one(0.5) : Nodes{2, {0.5, 0.5}, {alpha, 1 - alpha}}; }
};

}  // namespace actio::discrete
