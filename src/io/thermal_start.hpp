#pragma once
#include <actio/io/problem.hpp>

#include "quantity.hpp"
#include "section.hpp"

namespace actio::io {

// initial.temperature: velocities of the Maxwell-Boltzmann distribution exp(-1/2 v'Mv / k_B T) among those that the constraints
// allow at q0, at the time t,
//
//   v = sqrt(k_B T) M^{-1/2} xi,   v <- v - M^-1 G' (G M^-1 G')^-1 (G v + g_t)
//
// and without the momenta of the translations that the file declares, in place of those that are given. xi is normal, of the
// coordinate's number and initial.seed alone. The draw is not scaled: its kinetic energy is f/2 k_B T in the mean, f the degrees
// of freedom. Does nothing where no temperature is given.
void draw_velocities(const Section& root, const Quantities& quantities, double t, Problem& problem);

}  // namespace actio::io
