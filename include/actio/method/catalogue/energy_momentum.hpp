#pragma once
#include <actio/method/method.hpp>

// Discrete gradients (energy_momentum.hpp).
namespace actio::method {

struct EnergyMomentum {
  bool equivariant = true;
  static constexpr Description description{
      "energy-momentum", "a discrete gradient of each term conserves energy and momenta; takes constraints",
      "M (v1 - v0)/h = -DV(q0, q1) + DG(q0, q1)' lambda + F(tm, qm, w),  g(t1, q1) = 0,  q1 = q0 + h w,  v1 = 2 w - v0,  "
      "DV = P b + (V1 - V0 - b . d) d/|d|^2,  d = P (q1 - q0)",
      "energy, and with equivariant = true the momenta of the declared symmetries; no symplectic form. Velocities violate the "
      "constraints by O(h^2)",
      "Gonzalez, J. Nonlinear Sci. 6 (1996) 449; with constraints Comput. Methods Appl. Mech. Eng. 174 (1999) 165"};
  static constexpr Traits traits{.separable = true,
                                 .element_energies = true,
                                 .tangent_velocities = false,
                                 .constraints = Constraints::kept,
                                 .distributed = true};
  static constexpr auto fields() {
    return std::tuple{Field{"equivariant", &EnergyMomentum::equivariant,
                            "P projects a term's correction off its declared symmetries, which conserves their momenta; false: "
                            "P = 1, b = grad V(qm), as in Gonzalez"}};
  }
  Properties properties() const { return {.keeps = Keeps::energy, .balances_linear = true}; }
};

}  // namespace actio::method
