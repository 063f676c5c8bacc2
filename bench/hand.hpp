#pragma once

// The oscillator of KMOW 4.1 with unit mass, V = s (s - 1)^2, s = x^2 + y^2, stepped by loops written for it alone: what a
// careful programmer would write without a library. Methods, stop rules and starting guesses are those of Actio.
namespace bench {

struct Phase {
  double x, y, u, v;    // position, velocity
  long iterations = 0;  // of Newton's method, summed
};

Phase hand_verlet(Phase s, double h, long steps);
Phase hand_midpoint(Phase s, double h, long steps);
Phase hand_newmark(Phase s, double h, long steps);  // beta = 1/4, gamma = 1/2
Phase hand_rk4(Phase s, double h, long steps);

}  // namespace bench
