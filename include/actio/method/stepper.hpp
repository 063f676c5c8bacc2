#pragma once
#include <actio/core/archive.hpp>
#include <actio/core/function_ref.hpp>
#include <actio/core/sum.hpp>
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

using discrete::Work;

// What a stepper offers beside the contract, in `static constexpr Capabilities capabilities`. Each is a member; one that is
// declared and missing, or there and not declared, does not compile (HasWhatItDeclares).
struct Capabilities {
  bool factorisations = false;    // long factorisations() const
  bool work = false;              // Work work(before, after, h): of forced systems, of a step
  bool reactions = false;         // bool reactions(state, r): of prescribed coordinates
  bool multipliers = false;       // bool multipliers(state, h, lambda)
  bool on_a_manifold = false;     // project(state), velocity(state, v), constraints(): it keeps to a manifold itself
  bool selects_momenta = false;   // bool keeps_momentum(symmetry) const
  bool explains_failure = false;  // static const char* failure
  bool restarts = false;          // static bool restarts: archiving begins its history anew
  bool tangent_momenta = false;   // bool make_tangent(state, p): momenta lie along constraints
  bool two_halves = false;        // step(state, h, between): with something done to the momenta in the middle of the drift
  bool path = false;              // path(state), path_nodes(): velocities of the last step's polynomial (Integrator::path)
  bool transforms_time = false;  // set_reference(state), physical_step(state, h): the state has the time, steps follow the motion
  bool many_steps = false;       // many_steps(state, count, first, start, h): several at once, to the bit as one after another
};

// (t, q, p) on T*Q
template <class V>
struct PhaseState {
  double t = 0;
  V q, p;
  void archive(core::Archive& a) { a(t, q, p); }
};

// A State has `archive(core::Archive&)`, all its fields; a stepper too when anything else that it keeps from one step to the next
// has a bearing on a later one: steps after reading are the same to the bit as steps without.
template <class T>
concept Stepper = requires(T& stepper, typename T::State& state, const typename T::Space::Vector& q,
                           typename T::Space::Vector& out, double h) {
  { stepper.start(h, q, q) } -> std::same_as<typename T::State>;  // from t, q, p
  { stepper.step(state, h) } -> std::same_as<StepReport>;
  stepper.phase(state, out, out);                                        // q, p of the state
  { stepper.residual(state, state, h) } -> std::convertible_to<double>;  // of the step before -> after, relative to the momenta
  stepper.conjugate_coordinates(state, h, out, out);                     // x, p in which the flow map is canonical
  stepper.system();
  { T::capabilities } -> std::convertible_to<Capabilities>;
};

// The same, with a message for each member that is missing.
template <class T>
struct IsStepper {
  static_assert(
      requires {
        typename T::Space;
        typename T::State;
        typename T::Vector;
      },
      "a stepper has the types Space, Vector and State");
  static_assert(
      requires(T & s) { s.system(); }, "a stepper has system()");
  static_assert(
      requires(T & s, double t, const typename T::Vector& q) {
        { s.start(t, q, q) } -> std::same_as<typename T::State>;
      },
      "a stepper has State start(t, q, p)");
  static_assert(
      requires(T & s, typename T::State& x, double h) {
        { s.step(x, h) } -> std::same_as<StepReport>;
      },
      "a stepper has StepReport step(state, h)");
  static_assert(
      requires(T & s, const typename T::State& x, typename T::Vector& q) { s.phase(x, q, q); },
      "a stepper has phase(state, q, p): the position and the momentum of a state");
  static_assert(
      requires(T & s, const typename T::State& x, double h) {
        { s.residual(x, x, h) } -> std::convertible_to<double>;
      },
      "a stepper has double residual(before, after, h)");
  static_assert(
      requires(T & s, const typename T::State& x, double h, typename T::Vector& q) { s.conjugate_coordinates(x, h, q, q); },
      "a stepper has conjugate_coordinates(state, h, x, p)");
  static_assert(
      requires {
        { T::capabilities } -> std::convertible_to<Capabilities>;
      },
      "a stepper has static constexpr Capabilities capabilities");
  static_assert(Stepper<T>);
  static constexpr bool value = true;
};

namespace detail {

struct AnyMultipliers {};
template <class T>
struct MultipliersOf {
  using type = AnyMultipliers;
};
template <class T>
requires requires { typename T::Multipliers; }
struct MultipliersOf<T> {
  using type = typename T::Multipliers;
};

}  // namespace detail

// Multipliers that a stepper computes are of its type Multipliers.
template <class T>
struct HasWhatItDeclares {
  using State = typename T::State;
  using Vector = typename T::Space::Vector;
  using Multipliers = typename detail::MultipliersOf<T>::type;
  static constexpr Capabilities declared = T::capabilities;
  static_assert(
      declared.factorisations == requires(const T& s) { s.factorisations(); }, "factorisations()");
  static_assert(
      declared.work == requires(T & s, const State& x, double h) { s.work(x, x, h); }, "work(before, after, h)");
  static_assert(
      declared.reactions == requires(T & s, const State& x, Vector& r) { s.reactions(x, r); }, "reactions(state, r)");
  static_assert(
      declared.multipliers == requires(T & s, const State& x, double h, Multipliers& y) { s.multipliers(x, h, y); },
      "multipliers(state, h, lambda)");
  static_assert(
      declared.on_a_manifold == requires(T & s, State& x) { s.project(x); }, "project(state)");
  static_assert(
      declared.on_a_manifold == requires(T & s, const State& x, Vector& v) { s.velocity(x, v); }, "velocity(state, v)");
  static_assert(
      declared.on_a_manifold == requires(const T& s) { s.constraints(); }, "constraints()");
  static_assert(
      declared.selects_momenta == requires(const T& s, std::size_t k) { s.keeps_momentum(k); }, "keeps_momentum(symmetry)");
  static_assert(
      declared.explains_failure == requires { T::failure; }, "failure");
  static_assert(
      declared.restarts == requires { T::restarts; }, "restarts");
  static_assert(
      declared.tangent_momenta == requires(T & s, const State& x, Vector& p) { s.make_tangent(x, p); }, "make_tangent(state, p)");
  static_assert(
      declared.two_halves == requires(T & s, State& x, core::FunctionRef<bool()> f) { s.step(x, 0.0, f); },
      "step(state, h, between)");
  static_assert(
      declared.path == requires(T & s, const State& x) { s.path(x), s.path_nodes(); }, "path(state) and path_nodes()");
  static_assert(
      declared.transforms_time == requires(T & s, const State& x) { s.set_reference(x), s.physical_step(x, 0.0); },
      "set_reference(state) and physical_step(state, h)");
  static_assert(
      declared.many_steps == requires(T & s, State& x) { s.many_steps(x, 1L, 0L, core::Sum(), 0.0); },
      "many_steps(state, count, first, start, h)");
  static constexpr bool value = true;
};

}  // namespace actio::method
