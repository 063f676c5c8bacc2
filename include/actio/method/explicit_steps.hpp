#pragma once
#include <actio/core/sum.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/method/splitting_coefficients.hpp>
#include <actio/method/verlet.hpp>
#include <actio/system/model.hpp>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

// Whole steps of an explicit splitting method for a system of few coordinates, generated as C: kicks and drifts with the forces
// of all terms between them, in straight line. What the steppers of verlet.hpp and splitting.hpp make, but for rounding.
namespace actio::method {

class ExplicitSteps {
 public:
  // Of kick-drift-kick, or of the coefficients given; each step made of steps gamma_1 h, gamma_2 h, ... where there are any.
  // Nothing where steps are not generated: for systems with anything but a diagonal mass, a potential and forces F(t, q); of more
  // than 64 coordinates or 4000 operations; where there is no C compiler.
  static std::optional<ExplicitSteps> make(const system::Model& model, const std::optional<SplittingCoefficients>& coefficients,
                                           std::vector<double> gamma, const expr::CompileOptions& options);
  // The C, for tests and for reading.
  static std::string text(const system::Model& model, const std::optional<SplittingCoefficients>& coefficients);

  // Numbers of a state: q, p, and with kick-drift-kick f(q).
  long rows() const { return rows_; }
  bool carries_force() const { return carries_force_; }
  void start(double t, double* x) const;
  // `count` steps from the time start + first h.
  void make(long count, long first, core::Sum start, double h, double* x) const;

 private:
  ExplicitSteps() = default;
  using Start = void (*)(double t, const double* u, double* x);
  using Make = void (*)(long count, long first, double high, double low, double h, long parts, const double* part,
                        const double* begin, const double* u, double* x);
  long rows_ = 0;
  bool carries_force_ = false;
  std::vector<double> uniforms_;  // t, parameters, masses, inverse masses
  std::vector<double> gamma_;     // {1} where steps are not composed
  mutable std::vector<double> part_, begin_;
  Start start_ = nullptr;
  Make make_ = nullptr;
  std::shared_ptr<const void> code_;
};

// Of the state of the stepper whose steps these are, so that either goes on from what the other has archived.
template <system::Separable S, bool carries_force>
class ExplicitStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using State = std::conditional_t<carries_force, typename VerletStepper<S>::State, PhaseState<Vector>>;
  static constexpr Capabilities capabilities{.many_steps = true};

  ExplicitStepper(S system, ExplicitSteps steps)
      : system_(std::move(system)), steps_(std::move(steps)), x_(Eigen::VectorXd::Zero(steps_.rows())) {}

  S& system() { return system_; }
  State start(double t, const Vector& q, const Vector& p) const {
    State state{};
    state.t = t;
    state.q = q;
    state.p = p;
    if constexpr (carries_force) state.f = p;
    with_numbers_of(state, [&] { steps_.start(t, x_.data()); });
    return state;
  }
  StepReport step(State& state, double h) const {
    with_numbers_of(state, [&] { steps_.make(1, 0, {state.t, 0}, h, x_.data()); });
    state.t += h;
    return {};
  }
  // Leaves the time to its caller.
  void many_steps(State& state, long count, long first, core::Sum start, double h) const {
    with_numbers_of(state, [&] { steps_.make(count, first, start, h, x_.data()); });
  }

  void phase(const State& state, Vector& q, Vector& p) const {
    q = state.q;
    p = state.p;
  }
  double residual(const State&, const State&, double) const { return 0; }
  void conjugate_coordinates(const State& state, double, Vector& q, Vector& p) const { phase(state, q, p); }

 private:
  template <class F>
  void with_numbers_of(State& state, F&& change) const {
    const Eigen::Index n = state.q.size();
    x_.head(n) = state.q;
    x_.segment(n, n) = state.p;
    if constexpr (carries_force) x_.tail(n) = state.f;
    change();
    state.q = x_.head(n);
    state.p = x_.segment(n, n);
    if constexpr (carries_force) state.f = x_.tail(n);
  }
  S system_;
  ExplicitSteps steps_;
  mutable Eigen::VectorXd x_;
};

}  // namespace actio::method
