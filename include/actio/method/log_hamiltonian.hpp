#pragma once
#include <actio/method/catalogue/following.hpp>
#include <actio/method/stepper.hpp>

// Leapfrog for the logarithmic Hamiltonian log(T + B) - log(U), U = -V > 0, B = -E0 (Preto and Tremaine 1999; Mikkola and
// Tanikawa 1999), in a fictitious time tau with dt = u/(T + B) dtau:
//
//   q += h/2 u v/(T + B),  t += h/2 u/(T + B);   p += h u/U f(q);   q += h/2 u v/(T + B),  t += h/2 u/(T + B)
//
// u = U at the state the run refers to, so that a step of h begins there as h long. Explicit, order 2 in tau, symmetric;
// symplectic in (q, p) for each B, and in (t, B) with it; keeps the momentum map of every affine symmetry. A Kepler orbit is
// followed exactly but for the time on it.
namespace actio::method {

template <system::Separable S>
class LogHamiltonianStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  struct State : PhaseState<Vector> {
    // What rounding takes from t, q and p: steps are many and short where the error of a sum counts most.
    double t_low = 0;
    Vector q_low, p_low;
    void archive(core::Archive& a) {
      PhaseState<Vector>::archive(a);
      a(t_low, q_low, p_low);
    }
  };
  static constexpr Capabilities capabilities{.explains_failure = true, .transforms_time = true};
  static constexpr const char* failure =
      "the potential is not below 0 and finite there: log-hamiltonian is for forces that attract, V = 0 far apart";

  explicit LogHamiltonianStepper(S system) : system_(std::move(system)), v_(system_.space().vector()), f_(v_), sum_(v_) {}

  S& system() { return system_; }

  State start(double t, const Vector& q, const Vector& p) {
    v_.setZero();
    State x{{t, q, p}, 0, v_, v_};
    if (!known_) set_reference(x);
    return x;
  }
  void set_reference(const State& x) {
    const double V = system_.potential(x.t, x.q);
    B_ = -(kinetic(x.p) + V);
    unit_ = -V;
    known_ = true;
  }

  StepReport step(State& x, double h) {
    using algebra::dot;
    const double d = h * unit_;
    drift(x, d / 2);
    const double U = -system_.potential(x.t, x.q);
    if (!(U > 0) || !(unit_ > 0)) return {0, false, 0};
    system_.force(x.t, x.q, f_);
    add(x.p, x.p_low, d / U, f_);
    drift(x, d / 2);
    return {};
  }

  double physical_step(const State& x, double h) { return h * unit_ / -system_.potential(x.t, x.q); }

  void phase(const State& x, Vector& q, Vector& p) const {
    q = x.q;
    p = x.p;
  }
  double residual(const State&, const State&, double) const { return 0; }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) const { phase(x, q, p); }
  void archive(core::Archive& a) { a(B_, unit_, known_); }

 private:
  double kinetic(const Vector& p) {
    using algebra::dot;
    system_.velocity(p, v_);
    return 0.5 * dot(p, v_);
  }
  // x += a y, compensated (Kahan)
  void add(Vector& x, Vector& low, double a, const Vector& y) {
    low += a * y;
    sum_ = x + low;
    low -= sum_ - x;
    x = sum_;
  }
  void drift(State& x, double d) {
    const double dt = d / (kinetic(x.p) + B_);
    add(x.q, x.q_low, dt, v_);
    const double t = x.t + (dt + x.t_low);
    x.t_low = (dt + x.t_low) - (t - x.t);
    x.t = t;
  }

  S system_;
  Vector v_, f_, sum_;
  double B_ = 0, unit_ = 1;
  bool known_ = false;  // both, of a state
};

template <system::Separable S, class Use>
auto with_stepper(const LogHamiltonian&, S system, Use&& use) {
  return use(LogHamiltonianStepper<S>(std::move(system)));
}

}  // namespace actio::method
