#pragma once
#include <actio/algebra/vector.hpp>
#include <concepts>

// The linear algebra of constrained steps, one type a space: multipliers (m), Jacobians G (m x n), and the solver of
//
//   [ K   -G0' ] [x]   [r]
//   [ G1    .  ] [y] = [g]        (n + m)
//
// where G0 and G1 are Jacobians at two ends of a step: the matrix is not symmetric. K need not be definite, G0 and G1 of full
// rank unless the solver regularises: then the multipliers are any that solve, and the smallest after factor_sharing(K, G),
// where there is one: of K, G, G with a small d for `.`, so that the caller repeats with what is left over. choose_rows(K, G),
// where there is one, finds out anew which rows are redundant.
namespace actio::algebra {

template <class T>
concept KktSolver = Vector<typename T::Vector> && Vector<typename T::Multipliers> &&
    requires(T& s, const T& c, const typename T::Matrix& K, const typename T::Jacobian& G, const typename T::Vector& r,
             const typename T::Multipliers& g, typename T::Vector& x, typename T::Multipliers& y, double w) {
  { c.multipliers() } -> std::same_as<typename T::Multipliers>;  // zero (m)
  { c.jacobian() } -> std::same_as<typename T::Jacobian>;        // zero, with its pattern (m x n)
  T::multiply(G, r, y);                                          // y = G r
  T::add_transposed(w, G, g, x);                                 // x += w G' g
  { c.regularised() } -> std::convertible_to<bool>;
  { s.factor(K, G, G) } -> std::convertible_to<bool>;  // K, G1, G0. False: singular, or not finite
  s.solve(r, g, x, y);                                 // nothing aliases
};

}  // namespace actio::algebra
