#pragma once
#include <actio/method/catalogue/splitting.hpp>
#include <actio/method/kick.hpp>
#include <actio/method/splitting_coefficients.hpp>
#include <actio/method/stepper.hpp>
#include <actio/method/verlet.hpp>
#include <optional>

// Explicit splitting methods for L = 1/2 v'Mv - V: kicks and drifts in turn,
//
//   p += h b_i f(q),   q += h a_i M^-1 p,   i = 1..s
//
// Symplectic for any coefficients, keeps the momentum map of every affine symmetry; the order is that of the coefficients. Forces
// F(t, q) that come from no Lagrangian are added to f.
namespace actio::method {

template <system::Separable S>
class SplittingStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using State = PhaseState<Vector>;
  static constexpr Capabilities capabilities{};

  SplittingStepper(S system, SplittingCoefficients coefficients)
      : system_(std::move(system)), c_(coefficients), f_(system_.space().vector()), v_(f_) {}

  S& system() { return system_; }
  State start(double t, const Vector& q, const Vector& p) const { return {t, q, p}; }

  StepReport step(State& x, double h) {
    double t = x.t;  // the time of the positions, which only drifts move
    for (int i = 0; i < c_.stages; ++i) {
      if (c_.kick[i] != 0) {
        kick(system_, t, x.q, v_, f_);
        x.p += (h * c_.kick[i]) * f_;
      }
      if (c_.drift[i] != 0) {
        system_.velocity(x.p, v_);
        x.q += (h * c_.drift[i]) * v_;
        t += h * c_.drift[i];
      }
    }
    x.t += h;
    return {};
  }

  void phase(const State& x, Vector& q, Vector& p) const {
    q = x.q;
    p = x.p;
  }
  double residual(const State&, const State&, double) const { return 0; }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) const { phase(x, q, p); }

 private:
  S system_;
  SplittingCoefficients c_;
  Vector f_, v_;
};

// What explicit_steps.hpp generates of a method: these kicks and drifts; of velocity Verlet, none of them.
inline std::optional<SplittingCoefficients> coefficients_of(const Verlet& method) {
  return method.form == "position" ? std::optional(position_verlet()) : std::nullopt;
}
inline std::optional<SplittingCoefficients> coefficients_of(const SymplecticEuler&) { return symplectic_euler(); }
inline std::optional<SplittingCoefficients> coefficients_of(const McLachlanAtela& method) {
  return mclachlan_atela(method.stages_order);
}

template <system::Separable S, class Use>
auto with_stepper(const SymplecticEuler&, S system, Use&& use) {
  return use(SplittingStepper<S>(std::move(system), symplectic_euler()));
}
template <system::Separable S, class Use>
auto with_stepper(const McLachlanAtela& method, S system, Use&& use) {
  return use(SplittingStepper<S>(std::move(system), mclachlan_atela(method.stages_order)));
}
template <system::Separable S, class Use>
auto with_stepper(const Verlet& method, S system, Use&& use) {
  if (method.form == "position") return use(SplittingStepper<S>(std::move(system), position_verlet()));
  return use(VerletStepper<S>(std::move(system)));
}

}  // namespace actio::method
