#pragma once
#include <limits>
#include <map>
#include <string>

namespace actio::run {

// When to step and when to look. steps is ceil((end - start) / step) when the file gives an end.
struct Schedule {
  double start = 0;  // [s]
  double step = 0;   // h [s]
  long steps = 0;
  long every = 1;  // steps between two observations
};

// Bounds the user declares; the run stops with exit code 1 when one is left. Infinity: none declared.
struct Bounds {
  double energy = std::numeric_limits<double>::infinity();    // largest |E - E0|, in the units of energy
  double momentum = std::numeric_limits<double>::infinity();  // largest |J - J0| of every declared momentum
  double residual = std::numeric_limits<double>::infinity();  // largest relative residual of a step
};

}  // namespace actio::run
