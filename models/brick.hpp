#pragma once
#include "structure.hpp"

// An elastic block: a regular mesh of 8-node hexahedra with trilinear displacements, isotropic linear elasticity, 2 x 2 x 2 Gauss
// points (exact here), consistent mass.
//   T. J. R. Hughes, The Finite Element Method (1987), 3.9.
namespace models {

struct Brick {
  std::array<int, 3> elements = {10, 10, 10};
  std::array<double, 3> size = {1, 1, 1};  // [m]
  double E = 210e9, nu = 0.3;              // Young's modulus [Pa], Poisson's ratio: steel
  double rho = 7850;                       // [kg/m^3]
  bool clamped = true;                     // the face x = 0
  Supports supports = Supports::left_out;
};

// Throws std::invalid_argument when a number makes no sense, or the mesh has more than 2e9 matrix entries.
Structure make(const Brick& brick);

}  // namespace models
