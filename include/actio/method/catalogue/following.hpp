#pragma once
#include <actio/method/method.hpp>

// Methods whose steps follow the motion by themselves (log_hamiltonian.hpp, src/method/make/following.cpp).
namespace actio::method {

struct LogHamiltonian {
  static constexpr Description description{
      "log-hamiltonian", "explicit steps that follow the motion where V < 0: exact ellipses, close encounters of few bodies",
      "q += d/2 v/(T + B),  t += d/2 /(T + B),  p += d f/U,  q += d/2 v/(T + B),  t += d/2 /(T + B);  U = -V, B = -E0",
      "symplectic form at each E0, momentum; energy bounded",
      "Preto and Tremaine, Astron. J. 118 (1999) 2532; Mikkola and Tanikawa, Mon. Not. R. Astron. Soc. 310 (1999) 745"};
  static constexpr Traits traits{
      .separable = true, .is_explicit = true, .transforms_time = true, .velocity_forces = false, .matrices = Matrices::none};
  static constexpr auto fields() { return std::tuple{}; }
  Properties properties() const { return {}; }
};

struct SymplecticEnergyMomentum {
  static constexpr Description description{
      "symplectic-energy-momentum", "midpoint with steps as long as its discrete energy asks: for study; see what it needs",
      "p0 = -D1 Ld(q0, q1, h),  -dLd/dh(q0, q1, h) = E,  p1 = D2 Ld(q0, q1, h),  Ld = h L((q0+q1)/2, (q1-q0)/h)",
      "symplectic form and discrete energy at each E, momentum; energy bounded",
      "Kane, Marsden and Ortiz, J. Math. Phys. 40 (1999) 3353"};
  static constexpr Traits traits{
      .separable = true, .transforms_time = true, .finds_step = true, .velocity_forces = false, .matrices = Matrices::potential};
  static constexpr auto fields() { return std::tuple{}; }
  Properties properties() const { return {}; }
};

}  // namespace actio::method
