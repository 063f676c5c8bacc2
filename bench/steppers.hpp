#pragma once
#include "hand.hpp"

// Actio's steppers on the C++ system of oscillator_system.hpp.
namespace bench {

Phase actio_verlet(Phase s, double h, long steps);
Phase actio_midpoint(Phase s, double h, long steps);
Phase actio_newmark(Phase s, double h, long steps);  // beta = 1/4, gamma = 1/2
Phase actio_rk4(Phase s, double h, long steps);

}  // namespace bench
