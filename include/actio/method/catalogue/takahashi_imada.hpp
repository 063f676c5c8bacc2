#pragma once
#include <actio/method/method.hpp>

namespace actio::method {

struct TakahashiImada {
  static constexpr Description description{
      "takahashi-imada",
      "Verlet with the force of V - h^2/24 grad V' M^-1 grad V: explicit, effective order 4 (up to a change of variables)",
      "p += h/2 F(q0),  q1 = q0 + h M^-1 p,  p += h/2 F(q1),  F = f - h^2/12 V''(q) a,  a = M^-1 f(q)",
      "symplectic form, momentum; energy bounded",
      "Takahashi and Imada, J. Phys. Soc. Jpn. 53 (1984) 3765; Rowlands, J. Comput. Phys. 97 (1991) 235"};
  static constexpr Traits traits{
      .separable = true, .is_explicit = true, .velocity_forces = false, .matrices = Matrices::potential};
  static constexpr auto fields() { return std::tuple{}; }
  Properties properties() const { return {}; }
};

}  // namespace actio::method
