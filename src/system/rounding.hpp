#pragma once
#include <actio/expr/graph.hpp>

namespace actio::system {

// A bound of what rounding makes of f, to first order: of each operation r = r(a, b, c)
//
//   e_r = |dr/da| e_a + |dr/db| e_b + |dr/dc| e_c + eps |r|
//
// with columns and uniforms exact, and 4 eps for functions of the C library (Higham, Accuracy and Stability of Numerical
// Algorithms, 3.3).
expr::Id rounding_of(expr::Graph& g, expr::Id f);

}  // namespace actio::system
