#pragma once
#include <actio/core/archive.hpp>

namespace actio::discrete {

// Work done in one step by what is no part of the Lagrangian, each as the method itself counts it: with these, for Newmark 1/4
// 1/2 on a linear system, E1 - E0 = external + constraints + heat - dissipated + residual exactly (Karow 13).
struct Work {
  double external = 0;     // by F [J]
  double constraints = 0;  // by constraints that move, -lambda . g_t [J]
  double heat = 0;         // by the noise of a thermostat [J]
  double dissipated = 0;   // lost to friction, by -dphi/dv or that of a thermostat [J]
  double residual = 0;     // by what the solver left of the equations [J]
  void archive(core::Archive& a) { a(external, constraints, heat, dissipated, residual); }
  Work& operator+=(const Work& other) {
    external += other.external;
    constraints += other.constraints;
    heat += other.heat;
    dissipated += other.dissipated;
    residual += other.residual;
    return *this;
  }
};

}  // namespace actio::discrete
