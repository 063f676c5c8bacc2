#pragma once
#include <array>

#include <actio/expr/graph.hpp>

// Energy densities W(F) [J/m^3], per volume at rest, of the deformation gradient F_iK = dx_i/dX_K. Bonet, Wood, Nonlinear
// Continuum Mechanics for Finite Element Analysis (2008), chapters 5 and 6.
namespace actio::system {

// lambda, mu [Pa] from Young's modulus [Pa] and Poisson's ratio, -1 < nu < 1/2.
struct Lame {
  double lambda = 0, mu = 0;
};
constexpr Lame lame_of(double E, double nu) { return {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))}; }

// F, its determinant, and the invariants of C = F'F: I1 = tr C, I2 = (I1^2 - tr C^2)/2.
struct Deformation {
  std::array<expr::Id, 9> F{}, C{};  // by rows
  expr::Id J = -1, I1 = -1, I2 = -1;
};
// With F the columns 0 to 8 of the graph, as in a Term with an interpolation.
Deformation deformation(expr::Graph& g);

// lambda/2 (tr eps)^2 + mu eps:eps, eps = (F + F')/2 - 1. Small rotations only: it is not the same in a rotated frame.
expr::Id linear_elastic(expr::Graph& g, const Deformation& d, const Lame& lame);
// lambda/2 (tr E)^2 + mu E:E, E = (C - 1)/2.
expr::Id st_venant_kirchhoff(expr::Graph& g, const Deformation& d, const Lame& lame);
// mu/2 (I1 - 3 - 2 ln J) + lambda/2 (ln J)^2.
expr::Id neo_hookean(expr::Graph& g, const Deformation& d, const Lame& lame);
// C10 (J^(-2/3) I1 - 3) + C01 (J^(-4/3) I2 - 3) + bulk/2 (J - 1)^2; at rest mu = 2 (C10 + C01), lambda = bulk - 2/3 mu.
expr::Id mooney_rivlin(expr::Graph& g, const Deformation& d, double C10, double C01, double bulk);

// Kelvin and Voigt's dissipation viscosity dE/dt:dE/dt [W/m^3], dE/dt = (F'Fdot + Fdot'F)/2: the stress S gets 2 viscosity dE/dt.
// Fdot are the columns 9 to 17; viscosity [Pa s]. Rotations dissipate nothing.
expr::Id viscous(expr::Graph& g, const Deformation& d, double viscosity);

}  // namespace actio::system
