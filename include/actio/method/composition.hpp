#pragma once
#include <actio/method/spec.hpp>
#include <actio/method/stepper.hpp>
#include <vector>

// One step of a symmetric method of order 2 replaced by steps gamma_1 h, ..., gamma_s h with a symmetric sequence gamma: order 4,
// 6 or 8. Keeps what the method keeps.
namespace actio::method {

// gamma_1 .. gamma_s. Schemes: "yoshida" (triple jump at order 4; Yoshida's solutions A at 6 and D at 8), "suzuki" (Suzuki's
// fractals), "kahan-li" (order 4: 5 stages; 6: 9; 8: 17). Throws core::InputError for others.
std::vector<double> composition_coefficients(const Composition& composition);

// What a failed step of the base says of itself, if it does.
template <class Base>
struct FailureOf {};
template <class Base>
requires requires { Base::failure; }
struct FailureOf<Base> {
  static constexpr auto failure = Base::failure;
};

template <Stepper Base>
class ComposedStepper : public FailureOf<Base> {
 public:
  using Space = typename Base::Space;
  using Vector = typename Space::Vector;
  using State = typename Base::State;

  ComposedStepper(Base base, std::vector<double> gamma) : base_(std::move(base)), gamma_(std::move(gamma)) {}

  decltype(auto) system() { return base_.system(); }
  State start(double t, const Vector& q, const Vector& p) { return base_.start(t, q, p); }

  StepReport step(State& x, double h) {
    before_ = x;
    StepReport total;
    for (const double gamma : gamma_) {
      const StepReport one = base_.step(x, gamma * h);
      total.iterations += one.iterations;
      total.increment_squared = total.increment_squared > one.increment_squared ? total.increment_squared : one.increment_squared;
      if (!one.converged) {
        x = before_;
        return {total.iterations, false, one.increment_squared};
      }
    }
    x.t = before_.t + h;
    return total;
  }

  void archive(core::Archive& a) { a.part(base_); }
  void phase(const State& x, Vector& q, Vector& p) { base_.phase(x, q, p); }
  // The largest of the substeps' residuals, from a step made again.
  double residual(const State& before, const State&, double h) {
    State &x = again_ = before, &last = last_;
    double worst = 0;
    for (const double gamma : gamma_) {
      last = x;
      if (!base_.step(x, gamma * h).converged) return 1;
      const double r = base_.residual(last, x, gamma * h);
      worst = r > worst ? r : worst;
    }
    return worst;
  }
  // Of all substeps, made again.
  Work work(const State& before, const State&, double h) requires requires(Base& base, const State& x) { base.work(x, x, h); }
  {
    State &x = again_ = before, &last = last_;
    Work sum;
    for (const double gamma : gamma_) {
      last = x;
      if (!base_.step(x, gamma * h).converged) break;
      sum += base_.work(last, x, gamma * h);
    }
    return sum;
  }
  // Between the last substep and the first of the next step.
  template <class Multipliers>
  bool multipliers(const State& x, double h, Multipliers& lambda) requires requires(Base& base) {
    base.multipliers(x, h, lambda);
  }
  { return base_.multipliers(x, gamma_.front() * h, lambda); }
  bool reactions(const State& x, Vector& r) requires requires(Base& base) { base.reactions(x, r); }
  { return base_.reactions(x, r); }
  // Of steppers that keep to a manifold themselves.
  long constraints() const requires requires(const Base& base) { base.constraints(); }
  { return base_.constraints(); }
  void velocity(const State& x, Vector& v) requires requires(Base& base) { base.velocity(x, v); }
  { base_.velocity(x, v); }
  auto project(State& x) requires requires(Base& base) { base.project(x); }
  { return base_.project(x); }
  void own_coordinates(const State& x, double h, Vector& q, Vector& p) { base_.own_coordinates(x, h, q, p); }
  bool keeps_momentum(std::size_t symmetry) const requires requires(const Base& base) { base.keeps_momentum(symmetry); }
  { return base_.keeps_momentum(symmetry); }
  long factorisations() const requires requires(const Base& base) { base.factorisations(); }
  { return base_.factorisations(); }

 private:
  Base base_;
  std::vector<double> gamma_;
  State before_{}, again_{}, last_{};
};

}  // namespace actio::method
