#pragma once
#include <limits>
#include <map>
#include <string>

namespace actio::run {

// When to step and when to look. The step is fixed: every law of a step needs one h. When a file gives an end that is not a
// whole number of steps away, steps is ceil((end - start) / step) and the run goes past the end by less than a step.
struct Schedule {
  double start = 0;  // [s]
  double step = 0;   // h [s]
  long steps = 0;
  long every = 1;  // steps between two observations; the last step is always observed
};

// Bounds the user declares; the run stops with exit code 1 when one is left. Infinity: none declared.
struct Bounds {
  double energy = std::numeric_limits<double>::infinity();    // largest |E - E0|, in the units of energy
  double momentum = std::numeric_limits<double>::infinity();  // largest |J - J0| of every declared momentum
  double residual = std::numeric_limits<double>::infinity();  // largest relative residual of a step
};

}  // namespace actio::run
