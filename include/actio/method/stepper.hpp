#pragma once
#include <actio/system/lagrangian.hpp>
#include <concepts>

// The contract of a stepper. step(state, h) advances from state.t to state.t + h. When the solve fails it says so in its report
// and leaves the state as it was. It allocates nothing.
namespace actio::method {

struct [[nodiscard]] StepReport {
  int iterations = 0;
  bool converged = true;
  double increment_squared = 0;  // estimated next increment of the solver, relative, squared
};

// Work done in one step by what is no part of the Lagrangian, each as the method itself counts it: with these, for Newmark 1/4
// 1/2 on a linear system, E1 - E0 = external - dissipated + residual exactly (Karow 13). Optional member of a forced stepper:
//   Work work(const State& before, const State& after, double h);
struct Work {
  double external = 0;    // by F [J]
  double dissipated = 0;  // lost to friction, by -dphi/dv [J]
  double residual = 0;    // by what the solver left of the equations [J]
};

// A relative residual below this is not looked into further.
inline constexpr double small_residual = 1e-10, some_eps = 0x1p-48;

// (t, q, p) on T*Q
template <class V>
struct PhaseState {
  double t = 0;
  V q, p;
};

template <class T>
concept Stepper = requires(T& stepper, typename T::State& state, const typename T::Space::Vector& q,
                           typename T::Space::Vector& out, double h) {
  { stepper.start(h, q, q) } -> std::same_as<typename T::State>;  // from t, q, p
  { stepper.step(state, h) } -> std::same_as<StepReport>;
  stepper.phase(state, out, out);                                        // q, p of the state
  { stepper.residual(state, state, h) } -> std::convertible_to<double>;  // of the step before -> after, relative to the momenta
  stepper.own_coordinates(state, h, out, out);                           // x, p in which the flow map is canonical
  stepper.system();
};

}  // namespace actio::method
