#pragma once
#include <actio/core/archive.hpp>
#include <actio/discrete/work.hpp>
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

// A State has `archive(core::Archive&)`, all its fields; a stepper too when anything else that it keeps from one step to the next
// has a bearing on a later one: a step after reading is to the bit that without.
//
// Optional member of a stepper of forced systems:  Work work(const State& before, const State& after, double h);
using discrete::Work;

// A relative residual below this is not looked into further.
inline constexpr double small_residual = 1e-10, some_eps = 0x1p-48;

// (t, q, p) on T*Q
template <class V>
struct PhaseState {
  double t = 0;
  V q, p;
  void archive(core::Archive& a) { a(t, q, p); }
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
