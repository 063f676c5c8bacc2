#pragma once
#include <actio/method/method.hpp>

// Methods that keep nothing, for comparison (runge_kutta.hpp, cvode.hpp).
namespace actio::method {

struct RungeKutta4 {
  static constexpr Description description{"rk4", "classical Runge-Kutta, for comparison", "four stages, weights 1/6 1/3 1/3 1/6",
                                           "nothing: energy and momentum drift", "KMOW 4.2"};
  static constexpr Traits traits{
      .takes_equations = true, .momentum_of_time = false, .matrices = Matrices::none, .static_sizes = true};
  static constexpr auto fields() { return std::tuple{}; }
  Properties properties() const { return {.order = 4, .symmetric = false, .keeps = Keeps::nothing}; }
};

struct CvodeAdams {
  double rtol = 1e-10, atol = 1e-12;
  static constexpr Description description{"cvode-adams",
                                           "SUNDIALS CVODE, variable-order Adams, for comparison; step is the output interval",
                                           "adaptive multistep PECE", "nothing: energy and momentum drift with the tolerance",
                                           "SUNDIALS; the role of ODE113 in KMOW 4.2"};
  static constexpr Traits traits{
      .chooses_steps = true, .takes_equations = true, .momentum_of_time = false, .matrices = Matrices::none};
  static constexpr auto fields() {
    return std::tuple{Field{"rtol", &CvodeAdams::rtol, 1e-15, 1.0, "relative tolerance"},
                      Field{"atol", &CvodeAdams::atol, 0.0, 1.0, "absolute tolerance, in the units of each unknown"}};
  }
  Properties properties() const { return {.order = 0, .symmetric = false, .keeps = Keeps::nothing}; }
};

}  // namespace actio::method
