#pragma once
#include <array>

// p += h b_i f(q),   q += h a_i M^-1 p,   i = 1..s: the b_i and a_i of explicit splitting methods.
namespace actio::method {

struct SplittingCoefficients {
  int stages = 1;
  std::array<double, 6> kick{}, drift{};
};

// p1 = p0 + h f(q0), q1 = q0 + h M^-1 p1
constexpr SplittingCoefficients symplectic_euler() { return {1, {1}, {1}}; }
// q += h/2 M^-1 p, p += h f, q += h/2 M^-1 p
constexpr SplittingCoefficients position_verlet() { return {2, {0, 1}, {0.5, 0.5}}; }
// McLachlan and Atela, Nonlinearity 5 (1992) 541, order 2 to 5
SplittingCoefficients mclachlan_atela(int order);

}  // namespace actio::method
