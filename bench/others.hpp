#pragma once
#include "hand.hpp"

// The same problem written for other libraries, each by its documented use for a fixed step.
namespace bench {

Phase odeint_verlet(Phase s, double h, long steps);  // Boost.odeint velocity_verlet
Phase odeint_rk4(Phase s, double h, long steps);     // Boost.odeint runge_kutta4
Phase gsl_rk4(Phase s, double h, long steps);        // gsl_odeiv2_step_rk4: two half steps, compared with a whole one

}  // namespace bench
