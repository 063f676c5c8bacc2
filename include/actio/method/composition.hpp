#pragma once
#include <actio/method/spec.hpp>
#include <actio/method/stepper.hpp>
#include <vector>

// One step of a symmetric method of order 2 replaced by steps gamma_1 h, ..., gamma_s h with a symmetric sequence gamma: order 4,
// 6, 8 or 10. Keeps what the method keeps.
namespace actio::method {

// gamma_1 .. gamma_s. Schemes: "yoshida" (triple jump at order 4; Yoshida's solutions A at 6 and D at 8), "suzuki" (Suzuki's
// fractals), "kahan-li" (order 4: 5 stages; 6: 9; 8: 17), "sofroniou-spaletta" (order 10: 35). Throws core::InputError for
// others.
std::vector<double> composition_coefficients(const Composition& composition);
// Those of a method that is composed; empty where it is not.
std::vector<double> gammas(const Spec& spec);

// The steps gamma_i h of one step h. one(x, h) makes a step of the method.
template <class State>
class Substeps {
 public:
  explicit Substeps(std::vector<double> gamma) : gamma_(std::move(gamma)) {}
  double first() const { return gamma_.front(); }

  // `time_of_state`: a step of h takes the time that the state says.
  template <bool time_of_state = false, class One>
  StepReport step(One&& one, State& x, double h) {
    before_ = x;
    StepReport total;
    for (const double gamma : gamma_) {
      const StepReport report = one(x, gamma * h);
      total.iterations += report.iterations;
      total.increment_squared =
          total.increment_squared > report.increment_squared ? total.increment_squared : report.increment_squared;
      if (!report.converged) {
        x = before_;
        return {total.iterations, false, report.increment_squared};
      }
    }
    if constexpr (!time_of_state) x.t = before_.t + h;
    return total;
  }

  // Makes the step again, and calls see(x0, x1, gamma h) after each substep. False when one fails.
  template <class One, class See>
  bool again(One&& one, const State& before, double h, See&& see) {
    State &x = again_ = before, &last = last_;
    for (const double gamma : gamma_) {
      last = x;
      if (!one(x, gamma * h).converged) return false;
      see(last, x, gamma * h);
    }
    return true;
  }

  // The largest of the substeps' residuals; 1 when one fails.
  template <class One, class Stepper>
  double residual(One&& one, Stepper& base, const State& before, double h) {
    double worst = 0;
    const bool made = again(one, before, h, [&](const State& x0, const State& x1, double substep) {
      const double r = base.residual(x0, x1, substep);
      worst = r > worst ? r : worst;
    });
    return made ? worst : 1;
  }
  template <class One, class Stepper>
  Work work(One&& one, Stepper& base, const State& before, double h) {
    Work sum;
    (void)again(one, before, h, [&](const State& x0, const State& x1, double substep) { sum += base.work(x0, x1, substep); });
    return sum;
  }

 private:
  std::vector<double> gamma_;
  State before_{}, again_{}, last_{};
};

// What a failed step of the base says of itself, if it does.
template <class Base>
struct FailureOf {};
template <class Base>
requires(Base::capabilities.explains_failure) struct FailureOf<Base> {
  static constexpr auto failure = Base::failure;
};

template <Stepper Base>
class ComposedStepper : public FailureOf<Base> {
 public:
  using Space = typename Base::Space;
  using Vector = typename Space::Vector;
  using State = typename Base::State;
  using Multipliers = typename detail::MultipliersOf<Base>::type;
  static constexpr Capabilities capabilities = [] {
    Capabilities of_base = Base::capabilities;
    of_base.two_halves = of_base.tangent_momenta = of_base.many_steps = of_base.path = false;
    return of_base;
  }();

  ComposedStepper(Base base, std::vector<double> gamma) : base_(std::move(base)), substeps_(std::move(gamma)) {}

  decltype(auto) system() { return base_.system(); }
  State start(double t, const Vector& q, const Vector& p) { return base_.start(t, q, p); }
  StepReport step(State& x, double h) { return substeps_.template step<capabilities.transforms_time>(one(), x, h); }
  void archive(core::Archive& a) { a.part(base_); }
  void phase(const State& x, Vector& q, Vector& p) { base_.phase(x, q, p); }
  double residual(const State& before, const State&, double h) { return substeps_.residual(one(), base_, before, h); }
  void conjugate_coordinates(const State& x, double h, Vector& q, Vector& p) { base_.conjugate_coordinates(x, h, q, p); }

  Work work(const State& before, const State&, double h) requires(capabilities.work) {
    return substeps_.work(one(), base_, before, h);
  }
  // Between the last substep and the first of the next step.
  bool multipliers(const State& x, double h, Multipliers& lambda) requires(capabilities.multipliers) {
    return base_.multipliers(x, substeps_.first() * h, lambda);
  }
  bool reactions(const State& x, Vector& r) requires(capabilities.reactions) { return base_.reactions(x, r); }
  long constraints() const requires(capabilities.on_a_manifold) { return base_.constraints(); }
  void velocity(const State& x, Vector& v) requires(capabilities.on_a_manifold) { base_.velocity(x, v); }
  auto project(State& x) requires(capabilities.on_a_manifold) { return base_.project(x); }
  bool keeps_momentum(std::size_t symmetry) const requires(capabilities.selects_momenta) {
    return base_.keeps_momentum(symmetry);
  }
  long factorisations() const requires(capabilities.factorisations) { return base_.factorisations(); }
  void set_reference(const State& x) requires(capabilities.transforms_time) { base_.set_reference(x); }
  double physical_step(const State& x, double h) requires(capabilities.transforms_time) { return base_.physical_step(x, h); }

 private:
  auto one() {
    return [this](State& x, double h) { return base_.step(x, h); };
  }

  Base base_;
  Substeps<State> substeps_;
};

}  // namespace actio::method
